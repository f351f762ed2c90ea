import { afterAll, expect, it } from 'vitest'
import type { MethodTasks } from '../../../src/analysis/compare/rows.ts'
import {
  checkGateLimit,
  type GateAnswer,
  type GateLimit,
  gateLevels,
  levelsOfWordings,
  worstAnswer,
} from '../../../src/analysis/gates/check-limit.ts'
import { successValue, type TaskValue } from '../../../src/analysis/tasks/task-value.ts'
import { type Random, seededRandom } from '../../../src/base/random.ts'
import { drawMarginPair, type MarginDesign } from '../../analysis/margin-designs.ts'

// 1,000 policies each. A correct procedure at 5% is above 69 in about one of 200 tests.
const policies = 1000
const mostFalse = 69
const level = 0.05
const lines: string[] = []
afterAll(() => process.stdout.write(`\n${lines.join('\n')}\n`))

type Values = { a: TaskValue[]; b: TaskValue[] }

/** How often each answer is given: each limit of a policy has tasks of its own. */
function answers(
  name: string,
  draw: (random: Random) => Values,
  limits: readonly GateLimit[],
  levels = gateLevels(level, limits.length),
) {
  const random = seededRandom(`gates/${name}`)
  const counts: Record<GateAnswer, number> = { pass: 0, fail: 0, 'not-enough-evidence': 0 }
  for (let policy = 0; policy < policies; policy++) {
    const found = limits.map((limit) => {
      const { a, b } = draw(random)
      const pair = { method: methodOf(a), against: methodOf(b), tasks: a.map((_, task) => `s/${task}`) }
      const rest = { suites: new Map<string, string>(), clusters: {}, voided: null }
      return checkGateLimit({ ...pair, ...rest }, limit, levels).answer
    })
    counts[worstAnswer(found)]++
  }
  lines.push(`${name}: ${counts.fail} failed and ${counts.pass} passed of ${policies}`)
  return counts
}

function methodOf(of: TaskValue[]): MethodTasks {
  const values = { success: of, score: of, tokens: of, costUsd: of, durationMs: of }
  return { label: 'm', method: 'm', agents: 'x', set: null, values, graded: [], run: [] }
}

const loss = (margin: number, relativeMargin: number | null = null): GateLimit => ({
  ...{ suite: null, measure: 'success', relativeMargin },
  margin: relativeMargin === null ? margin : null,
})

// Worlds in which a method loses exactly what it may lose.
const designs: MarginDesign[] = [
  { tasks: 15, epochs: 3, rate: 0.97, margin: 0.1, depth: 1 },
  { tasks: 20, epochs: 10, rate: 0.9, margin: 0.1, depth: 1 },
  { tasks: 60, epochs: 5, rate: 1, margin: 0.07, depth: 0.15 },
  { tasks: 60, epochs: 1, rate: 0.98, margin: 0.08, depth: 1 },
  { tasks: 30, epochs: 1, rate: 0.9, spread: 0.05, margin: 0.1, depth: 1 },
  { tasks: 200, epochs: 1, rate: 0.6, margin: 0.05, depth: 1 },
  { tasks: 100, epochs: 1, rate: 0.5, margin: 0.02, depth: 0.1 },
  { tasks: 30, epochs: 3, rate: 0.5, margin: 0.05, depth: 0.3 },
  { tasks: 8, epochs: 5, rate: 0.5, margin: 0.05, depth: 0.3 },
  { tasks: 200, epochs: 1, rate: 0.1, margin: 0.02, depth: 0.3 },
  { tasks: 40, epochs: 5, rate: 0.1, margin: 0.02, depth: 0.3 },
]

it.each(designs)(
  'a gate at its limit fails falsely, and passes falsely, in one of twenty runs at most: %o',
  (design) => {
    const name = JSON.stringify(design)
    const { margin, rate } = design
    for (const [kind, limit] of [
      ['points', loss(margin)],
      ['percent', loss(margin, margin / rate)],
    ] as const) {
      const counts = answers(`${kind} ${name}`, (random) => drawMarginPair(design, random), [limit])
      expect(counts.fail).toBeLessThanOrEqual(mostFalse)
      expect(counts.pass).toBeLessThanOrEqual(mostFalse)
    }
  },
)

it.each([
  [20, 10, 0.05, 0.05],
  [40, 3, 0.03, 0.05],
  [60, 1, 0.05, 0.05],
  [30, 5, 0.1, 0.02],
])(
  'nor where it wins few tasks whole, and loses a little on all others: %i tasks of %i epochs',
  (...world) => {
    const [tasks, epochs, share, margin] = world
    const lost = (margin + share) / (1 - share)
    const passed = (chance: number, random: Random) =>
      successValue(Array.from({ length: epochs }, random).filter((draw) => draw < chance).length, epochs, 0)
    const draw = (random: Random) => {
      const won = Array.from({ length: tasks }, () => random() < share)
      return {
        a: won.map((isWon) => passed(isWon ? 1 : 1 - lost, random)),
        b: won.map((isWon) => passed(isWon ? 0 : 1, random)),
      }
    }
    const counts = answers(`wins ${world.join(' ')}`, draw, [loss(margin)])
    expect(counts.fail).toBeLessThanOrEqual(mostFalse)
    expect(counts.pass).toBeLessThanOrEqual(mostFalse)
  },
)

it.each([
  [10, 0.5, 1.5],
  [40, 1, 1.2],
  [40, 0.2, 1.5],
  [20, 1.5, 2],
])('nor at a limit of cost: %i tasks, spread %d, %dx', (tasks, spread, ratio) => {
  const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const cost = (mean: number, random: Random): TaskValue => {
    return { mean: mean * Math.exp(0.5 * spread * normal(random)), trials: 1, missing: 0, squares: 0 }
  }
  const draw = (random: Random) => {
    const means = Array.from({ length: tasks }, () => Math.exp(0.7 * spread * normal(random)))
    return { a: means.map((mean) => cost(ratio * mean, random)), b: means.map((mean) => cost(mean, random)) }
  }
  const limit: GateLimit = { suite: null, measure: 'costUsd', ratio }
  const counts = answers(`cost ${tasks} ${spread} ${ratio}`, draw, [limit])
  expect(counts.fail).toBeLessThanOrEqual(mostFalse)
  expect(counts.pass).toBeLessThanOrEqual(mostFalse)
})

it('nor does the best of three wordings pass falsely, since each counts', () => {
  const design = { tasks: 100, epochs: 1, rate: 0.7, margin: 0.05, depth: 1 }
  const wordings = 3
  const bestOf = (random: Random): Values => {
    const all = Array.from({ length: wordings }, () => drawMarginPair(design, random))
    const gain = ({ a, b }: Values) =>
      a.reduce((sum, { mean }, task) => sum + (mean ?? 0) - (b[task]?.mean ?? 0), 0)
    return all.reduce((best, one) => (gain(one) > gain(best) ? one : best))
  }
  const levels = gateLevels(level, 1)
  const single = answers('best of three, as one', bestOf, [loss(0.05)], levels)
  const shared = answers('best of three', bestOf, [loss(0.05)], levelsOfWordings(levels, wordings))
  expect(single.pass).toBeGreaterThan(mostFalse)
  expect(shared.pass).toBeLessThanOrEqual(mostFalse)
})

it('a policy of eight limits at once fails falsely in 5% of runs at most', () => {
  const design = { tasks: 100, epochs: 1, rate: 0.7, margin: 0.05, depth: 1 }
  const limits = Array.from({ length: 8 }, () => loss(0.05))
  const { fail, pass } = answers('eight limits', (random) => drawMarginPair(design, random), limits)
  expect(fail).toBeLessThanOrEqual(mostFalse)
  expect(pass).toBeLessThanOrEqual(mostFalse)
})

it('a method that is as good passes if there are enough tasks, and one that is much worse fails', () => {
  const same = { tasks: 2000, epochs: 1, rate: 0.7, margin: 0, depth: 1 }
  const worse = { ...same, margin: 0.15 }
  const draw = (design: MarginDesign) => (random: Random) => drawMarginPair(design, random)
  expect(answers('as good', draw(same), [loss(0.05)]).pass).toBeGreaterThan(0.9 * policies)
  expect(answers('much worse', draw(worse), [loss(0.05)]).fail).toBeGreaterThan(0.9 * policies)
})

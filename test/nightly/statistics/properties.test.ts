import { afterAll, describe, expect, it } from 'vitest'
import type { MethodTasks } from '../../../src/analysis/compare/rows.ts'
import { compareByProperty } from '../../../src/analysis/compare/task-groups.ts'
import type { TaskValue } from '../../../src/analysis/tasks/task-value.ts'
import { seededRandom, shuffled } from '../../../src/base/random.ts'
import { experiment, type World } from '../../heavy/statistics/simulated-experiment.ts'

// 1,000 experiments each. A correct procedure is outside these bounds in about one of 200 tests.
const experiments = 1000
const mostFalse = 69
const leastCovered = 925

/** Two groups of tasks; the second may lie at another level of success. */
interface PropertyWorld extends Omit<World, 'tasks'> {
  groups: readonly [number, number]
  higherLevel?: number
}

const usual = { level: 0, difficulty: 1, own: 0.5 }
const worlds: PropertyWorld[] = [
  { ...usual, name: '6 and 8 tasks, 1 epoch', groups: [6, 8], epochs: 1 },
  { ...usual, name: '6 and 8 tasks, 3 epochs', groups: [6, 8], epochs: 3 },
  {
    ...usual,
    name: '6 and 18 tasks, 3 epochs, the few near the ceiling',
    groups: [6, 18],
    epochs: 3,
    level: 3,
    higherLevel: 0,
  },
  {
    ...usual,
    name: '18 and 6 tasks, 1 epoch, the many near the ceiling',
    groups: [18, 6],
    epochs: 1,
    level: 3,
    higherLevel: 0,
  },
  { ...usual, name: '12 and 12 tasks, 5 epochs, tasks of their own', groups: [12, 12], epochs: 5, own: 1.5 },
  { ...usual, name: '12 and 12 tasks, 3 epochs, a tenth missing', groups: [12, 12], epochs: 3, missing: 0.1 },
  { ...usual, name: '40 and 60 tasks, 1 epoch', groups: [40, 60], epochs: 1 },
]
const lines: string[] = []
afterAll(() => console.log(lines.join('\n')))

describe.each(worlds)('a property that does not matter, $name', (world) => {
  it('is rarely said to matter, and the change of 0 lies within its limits', { timeout: 600_000 }, () => {
    const random = seededRandom(`properties/${world.name}`)
    let [falsely, covered, limited] = [0, 0, 0]
    for (let round = 0; round < experiments; round++) {
      const rows = describeTasks(world, random, round)
      if (rows.some(({ adjustedP }) => adjustedP !== null && adjustedP < 0.05)) falsely++
      const [{ change }] = rows as [(typeof rows)[number]]
      if (change.lower === null || change.upper === null) continue
      limited++
      if (change.lower <= 0 && change.upper >= 0) covered++
    }
    const share = Math.round((1000 * covered) / limited)
    lines.push(`${world.name}: falsely ${falsely}, change covered ${share} of 1,000 (${limited} with limits)`)
    expect(falsely).toBeLessThanOrEqual(mostFalse)
    expect(share).toBeGreaterThanOrEqual(leastCovered)
  })
})

it('a property that matters is found', { timeout: 600_000 }, () => {
  const random = seededRandom('a property that matters')
  const world: PropertyWorld = { ...usual, name: '', groups: [12, 12], epochs: 5, effect: 0 }
  let found = 0
  for (let round = 0; round < 200; round++) {
    const [row] = describeTasks(world, random, round, 3)
    if ((row?.adjustedP ?? 1) < 0.05 && (row?.change.estimate ?? 0) > 0) found++
  }
  lines.push(`log odds of 3 more on the higher values, 12 and 12 tasks, 5 epochs: found ${found} of 200`)
  expect(found).toBeGreaterThan(160)
})

/** One experiment of two methods. The second property deals the tasks to its groups at random. */
function describeTasks(world: PropertyWorld, random: () => number, seed: number, effect = 0) {
  const { groups, higherLevel = world.level } = world
  const [lower, higher] = [
    experiment({ ...world, tasks: groups[0] }, 2, random),
    experiment({ ...world, tasks: groups[1], level: higherLevel, effect }, 2, random),
  ]
  const methods = ['a', 'b'].map((label, at) =>
    methodOf(label, {
      success: [...(lower[at]?.success ?? []), ...(higher[at]?.success ?? [])],
      tokens: [...(lower[at]?.tokens ?? []), ...(higher[at]?.tokens ?? [])],
    }),
  )
  const tasks = Array.from({ length: groups[0] + groups[1] }, (_, at) => `t/${at}`)
  const dealt = shuffled(
    tasks.map((_, at) => at % 2),
    random,
  )
  const properties = Object.fromEntries(
    tasks.map((task, at) => [
      task,
      { decomposability: at < groups[0] ? 0 : 1, readingTokens: dealt[at] as number },
    ]),
  )
  return compareByProperty(methods, [[0, 1]], [], {
    ...{ tasks, properties, baseline: 'b', outcome: 'success', confidence: 0.95, seed, notTested: null },
  })
}

function methodOf(
  label: string,
  { success, tokens }: { success: TaskValue[]; tokens: TaskValue[] },
): MethodTasks {
  const values = { success, score: success, tokens, costUsd: tokens, durationMs: tokens }
  return { label, method: label, agents: 'x', set: null, values, graded: [], run: [] }
}

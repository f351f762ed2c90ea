import { afterAll, describe, expect, it } from 'vitest'
import { measureChoices } from '../../../src/analysis/compare/choice.ts'
import type { Grouping } from '../../../src/analysis/compare/property-results.ts'
import type { MethodTasks } from '../../../src/analysis/compare/rows.ts'
import type { TaskValue } from '../../../src/analysis/tasks/task-value.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { experiment } from '../../heavy/statistics/simulated-experiment.ts'

const experiments = 500
const usual = { level: 0, difficulty: 1, own: 0.5, epochs: 1 }
const lines: string[] = []
afterAll(() => console.log(lines.join('\n')))

describe.each([
  { name: '2 methods, 2 groups of 12 tasks', methods: 2, groups: [12, 12] },
  { name: '5 methods, 2 groups of 30 tasks', methods: 5, groups: [30, 30] },
  { name: '3 methods, 8 groups of 25 tasks', methods: 3, groups: Array<number>(8).fill(25) },
  { name: '2 methods, 200 and 40 tasks', methods: 2, groups: [200, 40] },
])('groups that do not matter, $name', ({ name, methods, groups }) => {
  it('are said to gain something in at most the level of such runs', { timeout: 600_000 }, () => {
    const random = seededRandom(`choices/${name}`)
    let falsely = 0
    for (let round = 0; round < experiments; round++)
      if (says(measure(methods, groups, random, round)) === 'gains') falsely++
    lines.push(`${name}: falsely ${falsely} of ${experiments}`)
    // 2.5% on this side, and what chance adds in one of 200 tests.
    expect(falsely).toBeLessThanOrEqual(22)
  })
})

it('groups that turn the order of the methods round are found', { timeout: 600_000 }, () => {
  const random = seededRandom('choices that matter')
  let found = 0
  for (let round = 0; round < 200; round++)
    if (says(measure(2, [60, 60], random, round, 2)) === 'gains') found++
  lines.push(`log odds of 2 more and less, 60 and 60 tasks: found ${found} of 200`)
  expect(found).toBeGreaterThan(160)
})

/** One experiment. The second method is better by `effect` in the first group, and worse in the second. */
function measure(methods: number, sizes: readonly number[], random: () => number, seed: number, effect = 0) {
  const parts = sizes.map((tasks, group) =>
    experiment({ ...usual, name: '', tasks, effect: group === 0 ? effect : -effect }, methods, random),
  )
  const rows = Array.from({ length: methods }, (_, at) =>
    methodOf(
      String(at),
      parts.flatMap((part) => part[at]?.success ?? []),
    ),
  )
  const ends = sizes.map((_, group) => sizes.slice(0, group + 1).reduce((sum, size) => sum + size, 0))
  const groups: Grouping['groups'] = sizes.map((size, group) => ({
    name: String(group),
    tasks: Array.from({ length: size }, (_, at) => (ends[group] as number) - size + at),
  }))
  const tasks = Array.from({ length: ends.at(-1) as number }, (_, at) => `t/${at}`)
  const options = {
    tasks,
    clusters: null,
    outcome: 'success',
    confidence: 0.95,
    seed,
    notTested: null,
  } as const
  return measureChoices(rows, [{ by: 'group', groups }], options)
}

function says([choice]: ReturnType<typeof measureChoices>): string {
  const { adjustedP = null, estimate = null } = choice ?? {}
  return adjustedP !== null && adjustedP < 0.05 && (estimate ?? 0) > 0 ? 'gains' : 'no difference seen'
}

function methodOf(label: string, success: TaskValue[]): MethodTasks {
  const values = { success, score: success, tokens: success, costUsd: success, durationMs: success }
  return { label, method: label, agents: 'x', set: null, values, graded: [], run: [] }
}

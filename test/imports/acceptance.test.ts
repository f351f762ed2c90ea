import { expect, it } from 'vitest'
import { reportRun } from '../../src/commands/report/report-run.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'

/** Both, only A, only B, neither; exact and mid p of McNemar's test, and Newcombe's limits in points (own code of SciPy; SWE-bench's board). */
const pairs: [string, string, [number, number, number, number], number, number, [number, number, number]][] =
  [
    ['GPT-5.1-codex', 'GPT-5.1', [295, 35, 35, 135], 1, 0.952487, [0, -3.3, 3.3]],
    ['Opus-4.5', 'Gemini-3-Pro', [343, 29, 28, 100], 1, 0.895683, [0.2, -2.8, 3.2]],
    ['GPT-5', 'GPT-5-mini', [271, 54, 28, 147], 0.00543592, 0.00403921, [5.2, 1.65, 8.72]],
    ['Minimax-M2', 'DeepSeek-V3.2', [246, 59, 54, 141], 0.706882, 0.639769, [1, -3.17, 5.17]],
    ['o3', 'o4-mini', [195, 97, 30, 178], 1.98e-9, 1.29e-9, [13.4, 9.09, 17.61]],
  ]

it.each(pairs)(
  '%s against %s on SWE-bench: counts, p and limits are those of SciPy',
  async (a, b, split, exact, mid, points) => {
    const verdicts = split.flatMap((count, cell) =>
      Array.from({ length: count }, () => [cell < 2, cell % 2 === 0] as const),
    )
    const entry = (name: string, side: 0 | 1) => ({
      ...{ name, resolved: 52.8 },
      per_instance_details: Object.fromEntries(
        verdicts.map((both, i) => [
          `own__task-${i}`,
          { resolved: both[side], cost: 0.1 + side * 0.05, api_calls: 9 },
        ]),
      ),
    })
    const board = {
      leaderboards: [
        { name: 'bash-only', results: [entry(a, 0), entry(b, 1), { name: 'none', resolved: 1 }] },
      ],
    }
    const run = await importRun([`${foreignFiles({ 'board.json': board })}/board.json`])
    expect(run.manifest.imported?.differing.length).toBeGreaterThan(0)
    const { comparison } = await reportRun(run.out, run.manifest)
    const [pair] = comparison?.comparison.pairs ?? []
    expect(pair).toMatchObject({ a, b, outcome: { nTasks: 500, separated: split[1] + split[2] } })
    expect(pair?.outcome.estimate).toBeCloseTo((split[1] - split[2]) / 500, 12)
    const { exactP, p, estimate, lower, upper } = (pair?.outcome ?? {}) as unknown as Record<string, number>
    // The reference values have as many digits as they are written with.
    for (const [value, reference] of [
      [exactP, exact],
      [p, mid],
    ] as [number, number][])
      expect(Math.abs(value / reference - 1)).toBeLessThan(5e-3 * (reference < 1e-6 ? 1 : 1e-3))
    expect([estimate, lower, upper].map((share) => Math.round(10_000 * (share as number)) / 100)).toEqual(
      points,
    )
  },
)

import { describe, expect, it } from 'vitest'
import { leadingGroup } from '../../../src/analysis/claims/leading-group.ts'
import { reportRun } from '../../../src/commands/report/report-run.ts'
import { screenWarnings } from '../../../src/reports/screen/warnings.ts'
import { foreignFiles, importRun } from '../../helpers/imports/import-run.ts'
import { makeBoard, share } from '../../helpers/imports/terminal-bench-board.ts'

interface Entry {
  name: string
  passed: readonly boolean[]
  cost: (task: number) => number
}

/** The JSON of SWE-bench's board with these entries, and one without results. */
const boardOf = (entries: readonly Entry[], resolved?: number) => ({
  leaderboards: [
    {
      name: 'bash-only',
      results: [
        ...entries.map(({ name, passed, cost }) => ({
          ...{ name, ...(resolved !== undefined && { resolved }) },
          per_instance_details: Object.fromEntries(
            passed.map((one, i) => [`own__task-${i}`, { resolved: one, cost: cost(i), api_calls: 9 }]),
          ),
        })),
        { name: 'none', resolved: 1 },
      ],
    },
  ],
})

const comparisonOf = async (run: Awaited<ReturnType<typeof importRun>>) => {
  const { comparison } = await reportRun(run.out, run.manifest)
  if (!comparison) throw new Error('nothing is compared')
  return comparison.comparison
}

/** Both, only A, only B, neither; exact and mid p of McNemar's test, and Newcombe's limits in points (own code of SciPy; SWE-bench's board). */
const pairs: [string, string, [number, number, number, number], number, number, [number, number, number]][] =
  [
    ['GPT-5.1-codex', 'GPT-5.1', [295, 35, 35, 135], 1, 0.95248726323, [0, -3.3, 3.3]],
    ['Opus-4.5', 'Gemini-3-Pro', [343, 29, 28, 100], 1, 0.89568321389, [0.2, -2.8, 3.2]],
    ['GPT-5', 'GPT-5-mini', [271, 54, 28, 147], 0.00543592487757, 0.00403920888667, [5.2, 1.65, 8.72]],
    ['Minimax-M2', 'DeepSeek-V3.2', [246, 59, 54, 141], 0.706882261492, 0.639769368643, [1, -3.17, 5.17]],
    ['o3', 'o4-mini', [195, 97, 30, 178], 1.98455331714e-9, 1.29058728206e-9, [13.4, 9.09, 17.61]],
  ]

it.each(pairs)(
  '%s against %s on SWE-bench: counts, p and limits are those of SciPy',
  async (a, b, split, exact, mid, points) => {
    const verdicts = split.flatMap((count, cell) =>
      Array.from({ length: count }, () => [cell < 2, cell % 2 === 0] as const),
    )
    const entry = (name: string, side: 0 | 1): Entry => ({
      ...{ name, passed: verdicts.map((both) => both[side]), cost: () => 0.1 + side * 0.05 },
    })
    const board = boardOf([entry(a, 0), entry(b, 1)], 52.8)
    const run = await importRun([`${foreignFiles({ 'board.json': board })}/board.json`])
    expect(run.manifest.imported?.differing.length).toBeGreaterThan(0)
    const [pair] = (await comparisonOf(run)).pairs
    expect(pair).toMatchObject({ a, b, outcome: { nTasks: 500, separated: split[1] + split[2] } })
    expect(pair?.outcome.estimate).toBeCloseTo((split[1] - split[2]) / 500, 12)
    const { exactP, p, estimate, lower, upper } = (pair?.outcome ?? {}) as unknown as Record<string, number>
    expect([exactP as number, p as number]).toEqual([expect.closeTo(exact, 10), expect.closeTo(mid, 10)])
    expect((exactP as number) / exact).toBeCloseTo(1, 9)
    expect((p as number) / mid).toBeCloseTo(1, 9)
    expect([estimate, lower, upper].map((share) => Math.round(10_000 * (share as number)) / 100)).toEqual(
      points,
    )
  },
)

describe('families of a board of eight entries, against own code of SciPy', () => {
  const part = (value: number) => value - Math.floor(value)
  const limits = [0.745, 0.742, 0.706, 0.676, 0.66, 0.66, 0.65, 0.648]
  const entries = limits.map(
    (limit, e): Entry => ({
      name: `entry-${e + 1}`,
      passed: Array.from(
        { length: 500 },
        (_, i) => 0.75 * part(i * 0.6180339887) + 0.25 * part(i * 0.7548776662 + e * 0.569840291) < limit,
      ),
      cost: (i) => (e + 2) * 0.1 * (0.5 + part(i * 0.4142135623 + e * 0.3)),
    }),
  )
  const import8 = async (count: number, options: object = {}) => {
    const folder = foreignFiles({ 'board.json': boardOf(entries.slice(0, count)) })
    return comparisonOf(await importRun([`${folder}/board.json`], options))
  }
  const better = ({ claims }: Awaited<ReturnType<typeof import8>>) =>
    claims.filter(({ kind }) => kind === 'better').length

  it.each([
    [4, 6, 3],
    [8, 28, 16],
  ])('the first %i: %i pairs, %i claims, a leading group of two', async (count, size, claims) => {
    const compared = await import8(count)
    expect([compared.family.size, better(compared)]).toEqual([size, claims])
    expect(leadingGroup(compared)?.labels).toEqual(['entry-1', 'entry-2'])
    const pair = compared.pairs.find(({ a, b }) => a === 'entry-1' && b === 'entry-2')
    const { ratio, lower, upper } = pair?.spent.costUsd.ratio ?? {}
    expect([ratio, lower, upper]).toEqual([
      expect.closeTo(0.666666666666665, 9),
      expect.closeTo(0.64033151755952, 9),
      expect.closeTo(0.694084909565602, 9),
    ])
  })

  it('all against the first, with --baseline: 7 pairs, 6 claims', async () => {
    const compared = await import8(8, { baseline: 'entry-1' })
    expect([compared.family.size, better(compared)]).toEqual([7, 6])
    const open = compared.pairs.filter(({ verdict }) => verdict?.word !== 'better')
    expect(open).toMatchObject([{ a: 'entry-2', adjustedP: expect.closeTo(0.320293363638, 9) }])
  })
})

describe('a board of Terminal-Bench on which trials have no grade', () => {
  const importMade = async (options: object) => {
    const board = makeBoard()
    const run = await importRun([board.dataset], options)
    return { ...board, run, report: await reportRun(run.out, run.manifest, undefined, { flips: true }) }
  }
  const rates = (verdicts: ReturnType<typeof makeBoard>['verdicts'], asFailed: boolean) =>
    [...verdicts]
      .map(([agent, tasks]) => {
        const known = [...tasks.values()].map((own) => own.filter((one) => asFailed || one !== null))
        return {
          agent,
          rate: share(known.filter(({ length }) => length > 0).map((own) => share(own.map(Number)))),
        }
      })
      .toSorted((a, b) => b.rate - a.rate)

  it('has another leader where they are missing than where they count as failed, and a warning that names both', async () => {
    const { report, verdicts, run } = await importMade({ clusters: true })
    expect(run.manifest.imported).toMatchObject({ copies: 34, differing: [] })
    const first = (asFailed: boolean) => {
      const best = rates(verdicts, asFailed).slice(0, 3)
      return best.map(({ agent, rate }) => `${agent} ${(100 * rate).toFixed(1)}%`).join(', ')
    }
    expect(first(true).slice(0, 5)).not.toBe(first(false).slice(0, 5))
    const none = [...verdicts.values()].map((tasks) =>
      [...tasks.values()].flat().filter((one) => one === null),
    )
    const all = none.flat().length
    const most = verdicts.get('swe-agent-mini')
    const ofMini = [...(most?.values() ?? [])].flat().filter((one) => one === null).length
    expect(screenWarnings(report)).toContain(
      `${all} of 595 trials have no verdict (${ofMini} of swe-agent-mini). Counted as failed, the first are: ${first(true)}. As missing, as in the tables: ${first(false)}.`,
    )
  })

  it('bounds each difference by what these trials may be, and claims nothing that they could turn', async () => {
    const { report, verdicts } = await importMade({})
    const rate = (agent: string, missing: 0 | 1) =>
      share(
        [...(verdicts.get(agent)?.values() ?? [])].map((own) =>
          share(own.map((one) => Number(one ?? missing))),
        ),
      )
    const pairs = report.comparison?.comparison.pairs ?? []
    expect(pairs.length).toBe(21)
    for (const { a, b, outcome, verdict } of pairs) {
      const [low, high] = [rate(a, 0) - rate(b, 1), rate(a, 1) - rate(b, 0)]
      if (outcome.missing === null) throw new Error(`${a} and ${b} have no bounds`)
      expect(outcome.missing.low).toBeCloseTo(low, 9)
      expect(outcome.missing.high).toBeCloseTo(high, 9)
      if (low <= 0 && high >= 0) expect(verdict?.word).not.toBe('better')
    }
  })

  it('counts them as failed with --ungraded failed, as the totals of the files do, and says so', async () => {
    const { report, verdicts, run } = await importMade({ ungraded: 'failed' })
    expect(run.said).toMatch(/\d+ trials without a verdict counted as failed/)
    expect(report.origin?.join(' ')).toMatch(/\d+ trials without a verdict count as failed\./)
    const [best] =
      report.comparison?.comparison.methods.toSorted(
        (a, b) => (b.success.estimate ?? 0) - (a.success.estimate ?? 0),
      ) ?? []
    expect([best?.label, best?.success.estimate]).toEqual([
      rates(verdicts, true)[0]?.agent,
      expect.closeTo(rates(verdicts, true)[0]?.rate ?? 0, 12),
    ])
    const orchestrator = report.comparison?.comparison.methods.find(({ label }) => label === 'orchestrator')
    const some = [...(verdicts.get('orchestrator')?.values() ?? [])].map((own) => Number(own.includes(true)))
    expect(orchestrator?.reliability).toMatchObject({
      k: 5,
      some: { estimate: expect.closeTo(share(some), 12) },
    })
  })
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import type { MethodSummary, Summary } from '../../../src/analysis/summary.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { renderTextTables } from '../../../src/reports/formats/text.ts'
import { methodNotes } from '../../../src/reports/notes/notes.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { solves, trials } from '../../analysis/compare/compared.ts'
import { aRecord } from '../../analysis/records.ts'

type Facts = Parameters<typeof methodNotes>[1]

const prices = { table: { name: 'list', version: '1.0', date: '2026-01-02' } }
const usual: Facts = {
  ...{ run: 'results/r1', prices, limits: '', amended: null, skipped: [], compared: true, settled: false },
}

function summaryOf(
  records: readonly TrialRecord[],
  options: Partial<Parameters<typeof createSummary>[0]> = {},
): Summary {
  const summary = createSummary({ baseline: 'n', ...options })
  for (const record of records) summary.add(record)
  return summary.result()
}

/** All notes of a summary, one a line. */
const shown = (summary: Summary, facts: Partial<Facts> = {}) =>
  renderTextTables([], methodNotes(summary, { ...usual, ...facts }), 9999)

const clean = [...solves('m', 7, 8), ...solves('n', 6, 8)]
const plain = summaryOf(clean)

/** The summary with this change of the row of m. */
const withRow = (change: Partial<MethodSummary>, summary = plain): Summary => ({
  ...summary,
  methods: summary.methods.map((row) => (row.method === 'm' ? { ...row, ...change } : row)),
})
const [row] = plain.methods as [MethodSummary]
const changed = (method: string, change: Partial<TrialRecord>) =>
  clean.map((record) => (record.method === method ? { ...record, ...change } : record))
const failing = (reason: string) => ({
  ...{ outcome: { status: 'error' as const, reason }, passed: null, score: null },
})
const firstOf = (method: string, change: Partial<TrialRecord>) =>
  clean.map((record) =>
    record.method === method && record.task === 's/000' ? { ...record, ...change } : record,
  )
const unknownCost = { costUsd: null, unreportedCost: 1, listCostUsd: null, unknownListCost: 1 }
const bill = aRecord().spent

const workflow = {
  ...{ trials: 2, iterations: 1, satisfaction: 0.5, efficiency: 0.5, unmet: {} },
  conversions: { done: 1, failed: 1, rate: 0.5 },
  stages: [{ workflow: 'small', stage: 'making', agent: 'x', trials: 2, runs: 2, ms: 2000 }],
}
const machine = {
  ...{ trials: 2, states: [], transitions: [], paths: [], breaks: {}, decisions: {}, verdicts: {} },
  ...{ ends: { done: 2 }, runs: { all: 4, failed: 0, timeout: 0 }, partialFailures: 0, guidance: {} },
  ...{ approvals: {}, scores: [], delivered: [] },
  decided: { tokens: { value: 0, lowerBound: false }, costUsd: { value: 0, lowerBound: false } },
} satisfies MethodSummary['machine']
const match: NonNullable<MethodSummary['match']> = {
  ...{ method: 'n', unit: 'tokens', ratio: 1.02, isMatched: true, nTasks: 8, tasks: [] },
}
const toolUse = {
  trials: 8,
  calls: 8,
  turns: 8,
  asks: 4,
  failed: {},
  byName: { read: { calls: 8, failed: 0 } },
}

type Side = string | [Summary, Partial<Facts>] | Summary
type Cases = Readonly<Record<string, readonly (readonly [note: RegExp, holds: Side, absent?: Side])[]>>

const textOf = (side: Side): string =>
  typeof side === 'string' ? side : Array.isArray(side) ? shown(...side) : shown(side)

const cases: Cases = {
  notes: [
    [/- Limits were changed\./, [plain, { amended: 'Limits were changed.' }]],
    [/- Agents: big=openai:x\./, withRow({ agentLegend: ['big=openai:x'] })],
    [/- Limits of the run: each trial 60 calls\./, [plain, { limits: 'each trial 60 calls' }]],
    [/- Faults were injected on purpose \(slow=1\)/, { ...plain, faults: 'slow=1' }],
    [/- In 3 trials code or an agent ran without a sandbox/, { ...plain, unsandboxed: 3 }],
    [/- The hidden tests of 4 tasks ran in the process of the solution/, { ...plain, oneProcess: 4 }],
    [
      /- These numbers describe profile p@1, not the methods\./,
      { ...plain, simulated: true, profiles: ['p@1'] },
    ],
    [
      /- 1 trial ended in error \(key\): m 1\. The first: wrong key/,
      summaryOf(firstOf('m', failing('key: wrong key'))),
    ],
    [
      /The first: \[agent acp:node [^\]]* … [^\]]*\] the reason that matters, (more ){30}\(as "solver"\)/,
      summaryOf(
        firstOf(
          'm',
          failing(
            `exit: [agent acp:node ${'/a/path '.repeat(40)}x] the reason that matters, ${'more '.repeat(30)}(as "solver")`,
          ),
        ),
      ),
    ],
    [
      /- Cost and bill: as billed, by prices of list 1\.0 of 2026-01-02\. List price:/,
      plain,
      [plain, { prices: null }],
    ],
    [/- Cost and bill: as billed, without a price list\./, [plain, { prices: null }], plain],
    [/- Cost and bill:/, plain, { ...plain, simulated: true }],
    [
      /- m: the list price of 1 call is unknown, so comparisons of cost leave out 1 trial\./,
      summaryOf(firstOf('m', { spent: { ...bill, listCostUsd: null, unknownListCost: 1 } })),
    ],
    [
      /- m: agents report \$0\.0300 for 1 call; our prices give \$0\.0200/,
      withRow({ reported: { calls: 1, costUsd: 0.03, computedUsd: 0.02 } }),
    ],
  ],
  'trial-notes': [
    [
      /- m: 8 of 8 planned trials run; missing: 1 ended in error\./,
      summaryOf(firstOf('m', failing('broken')), { planned: 8 }),
    ],
    [
      /missing: 2 not run/,
      withRow({ trials: { ...row.trials, planned: 10, notRun: 2 } }),
      [withRow({ trials: { ...row.trials, planned: 10, notRun: 2 } }), { settled: true }],
    ],
    [
      /2 not run, because the stop rule ended the run as planned/,
      [withRow({ trials: { ...row.trials, planned: 10, notRun: 2 } }), { settled: true }],
      withRow({ trials: { ...row.trials, planned: 10, notRun: 2 } }),
    ],
    [/1 to 2 epochs/, summaryOf([...clean, aRecord({ method: 'm', task: 's/000', epoch: 2 })])],
    [/1 ungraded/, summaryOf(firstOf('m', { passed: null, score: null }))],
    [
      /1 cut off by a limit of the trial/,
      summaryOf(firstOf('m', { outcome: { status: 'limited', reason: '' } })),
    ],
    [
      /1 failed: the method broke, or did not handle an unusable reply/,
      summaryOf(firstOf('m', { outcome: { status: 'failed', reason: '' } })),
    ],
    [/- No trial yet: o\./, summaryOf(clean, { methods: ['m', 'n', 'o'] })],
    [/- m: 1\.02 times the tokens of n over 8 tasks; matched, within 10%\./, withRow({ match })],
    [
      /; not matched: more than 10% off/,
      withRow({ match: { ...match, ratio: 1.4, isMatched: false } }),
      withRow({ match }),
    ],
    [
      /- m: its spend relative to n is unknown, so it counts as not matched\./,
      withRow({ match: { ...match, ratio: null, isMatched: false } }),
      withRow({ match }),
    ],
    [/- Bounds \(oracle, no-op\) show the ends of the scale/, withRow({ agents: 'oracle' })],
    [
      /- Warning: more than 5% of the trials of a method are missing, and the share of missing trials differs/,
      summaryOf(firstOf('m', failing('broken'))),
    ],
    [
      /- m: with the missing trials the difference in success may be anything from .* to .* points/,
      [summaryOf(firstOf('m', failing('broken'))), { compared: false }],
      summaryOf(firstOf('m', failing('broken'))),
    ],
    [
      /- Each method: grading cost \$0\.800/,
      summaryOf(clean.map((record) => ({ ...record, gradingCostUsd: 0.1 }))),
    ],
  ],
  'conduct-notes': [
    [
      /- m: 8 of 8 calls were cut off by the output limit \(length\)\./,
      summaryOf(changed('m', { finishes: { length: 1 } })),
    ],
    [
      /- m, openai:x: 8 of 8 calls of the method were answered by y, which was not asked for\./,
      summaryOf(changed('m', { otherModels: [{ agent: 'openai:x', model: 'y', calls: 1 }] })),
    ],
    [
      /- m: 1 of 8 trials deviated from the declaration of the strategy/,
      withRow({ fidelity: { ...row.fidelity, deviates: 1, first: { trial: 't', at: 'after x' } } }),
    ],
    [
      /- m: in 3 trials openai:x chose among candidates that included its own/,
      withRow({ ownJudge: { trials: 3, agent: 'openai:x' } }),
    ],
    [
      /- Without a declaration, so not checked: m\./,
      withRow({ fidelity: { ...row.fidelity, undeclared: 8 } }),
    ],
    [
      /- m: people took part in 2 of 8 trials \(2 approvals\)/,
      withRow({ people: { trials: 2, approvals: 2, guidance: 0, sets: 0 } }),
    ],
    [
      /- m: claims done, delivered nothing: 2 of 8 trials; 1 of them passed\./,
      withRow({ doneWithNothing: { trials: 2, passed: 1 } }),
    ],
    [
      /- m: not counted in 2 of 8 trials: 2 refused paths\./,
      withRow({ leftOut: { trials: 2, refused: 2, notCounted: 0 } }),
    ],
    [
      /- m: 2 trials of workflows, .*50\.0% of conversions succeeded \(1 of 2 could not be read\)/,
      withRow({ workflow }),
    ],
    [/- m: stages, with mean time .*small\/making 1\.0 s in 1\.0 runs\./, withRow({ workflow })],
    [/- m: 2 trials of workflows of states, ended: .*; no agent failed/, withRow({ machine })],
    [
      /- m: tools of its agents: read; 8 calls of tools in 8 trials, 2\.0 turns per ask that called tools, none failed\./,
      withRow({ tools: 'read', toolUse }),
    ],
    [
      /- m: the tool read failed in 8 of 8 calls/,
      withRow({
        tools: 'read',
        toolUse: { ...toolUse, failed: { failed: 8 }, byName: { read: { calls: 8, failed: 8 } } },
      }),
      withRow({ tools: 'read', toolUse }),
    ],
  ],
  'spending-notes': [
    [
      /- Each method: success is the mean over tasks of the share passed, in brackets the 95% Wilson score interval over 8 tasks\./,
      plain,
      summaryOf([...trials('m', ['11', '10']), ...trials('n', ['11', '10'])]),
    ],
    [
      /95% Korn-Graubard interval, clustered by 2 tasks/,
      summaryOf([...trials('m', ['11', '10']), ...trials('n', ['11', '10'])]),
    ],
    [
      /- m: no interval, because the results were looked at before the end of the run\./,
      withRow({ success: { ...row.success, lower: null, upper: null, interval: null } }),
    ],
    [
      /- Nothing was graded\.|- m: nothing was graded\./,
      summaryOf(changed('m', { passed: null, score: null })),
    ],
    [
      /- Each method: one task has no interval: it says nothing about other tasks\./,
      summaryOf([...solves('m', 1, 1), ...solves('n', 0, 1)]),
    ],
    [/- The baseline o has no trial here, so nothing is compared\./, summaryOf(clean, { baseline: 'o' })],
    [
      /- Differences and ratios are estimates without intervals or tests/,
      [plain, { compared: false }],
      plain,
    ],
    [
      /- m than o tokens 1\.0x, cost 1\.0x, success \+25\.0 points\./,
      [summaryOf([...clean, ...solves('o', 5, 8)]), { compared: false }],
      summaryOf([...clean, ...solves('o', 5, 8)]),
    ],
    [
      /- m: tasks left out of the pairs: 0 for success, 1 for tokens, 1 for cost\./,
      summaryOf(firstOf('m', { spent: { ...bill, ...unknownCost, unreportedTokens: 1 } })),
    ],
    [
      /- m: the baseline spent no money, so there is no ratio\./,
      summaryOf([...solves('m', 7, 8), ...solves('n', 6, 8, { spent: { costUsd: 0 } })]),
    ],
    [/- Baseline: n\. Difference: success minus the baseline's/, plain, summaryOf(clean, { baseline: 'o' })],
    [
      /over their successes, with a 95% delta-method interval over tasks/,
      plain,
      summaryOf([...solves('m', 0, 8), ...solves('n', 0, 8)]),
    ],
    [
      /- m: no success; one costs at least \$\d+\.\d+ \(95%\)\./,
      summaryOf([...solves('m', 0, 8), ...solves('n', 6, 8)]),
    ],
    [
      /- m: the interval of cost per success is rough: 2 tasks solved\./,
      summaryOf([...solves('m', 2, 8), ...solves('n', 6, 8)]),
    ],
    [
      /- m: the interval of cost per success is rough: s\/000 holds 99\.9% of the cost\./,
      summaryOf(firstOf('m', { spent: { ...bill, costUsd: 9999, listCostUsd: 9999 } })),
    ],
    [
      /- m: costs of 1 call were not reported, so >= marks a lower bound; ratios to other methods leave those trials out/,
      summaryOf(firstOf('m', { spent: { ...bill, costUsd: 0.05, unreportedCost: 1, unknownListCost: 1 } })),
      summaryOf(changed('m', { spent: { ...bill, ...unknownCost } })),
    ],
    [
      /- m: costs of 8 calls were not reported, so nothing is known of a sum;/,
      summaryOf(changed('m', { spent: { ...bill, ...unknownCost } })),
      summaryOf(firstOf('m', { spent: { ...bill, costUsd: 0.05, unreportedCost: 1, unknownListCost: 1 } })),
    ],
    [/- m: grading cost \$0\.800, which is in no row\./, summaryOf(changed('m', { gradingCostUsd: 0.1 }))],
  ],
}

const listed = Object.entries(cases).flatMap(([file, own]) =>
  own.map(([note, holds, absent = plain]) => [file, note, holds, absent] as const),
)

describe('a note of the table of methods', () => {
  it.each(listed)('of %s is there where it is true, and only there: %s', (_, note, holds, absent) => {
    expect(textOf(holds)).toMatch(note)
    expect(textOf(absent)).not.toMatch(note)
  })

  it('has a case in this table, whichever file it comes from', () => {
    const files = readdirSync(join(packageRoot(), 'src/reports/notes')).map((name) => name.replace('.ts', ''))
    const tried = new Set(listed.map(([file]) => file))
    expect(files.filter((file) => !tried.has(file))).toEqual([])
  })

  it('a whole run without anything odd has no fact to tell, only definitions', () => {
    expect(methodNotes(plain, usual).filter(({ kind }) => kind !== 'definition')).toEqual([])
  })
})

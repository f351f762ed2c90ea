import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PairComparison } from '../../../src/analysis/compare/comparison.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import {
  type ComparisonReport,
  createComparisonReport,
} from '../../../src/reports/comparison/comparison-report.ts'
import { formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { facts, comparedReport as report } from './compared-report.ts'

/** The tables and all notes of a comparison, one note a line. */
const shown = (made: Report) =>
  formats.text.render(made, { part: 'comparison', definitions: true, width: 9999 })

const [run] = facts.runs as [(typeof facts.runs)[number]]
const ofRun = (changes: Partial<typeof run>) => ({ runs: [{ ...run, ...changes }] })
const suite = (name: string, records: readonly TrialRecord[]) =>
  records.map((record) => ({ ...record, task: `${name}/${record.task}`, suite: name }))
const dear = { spent: { input: 200, costUsd: 0.2 } }

/** a solves 18 of 20 tasks, b 6 of them at twice the price. */
const clear = [...solves('a', 18, 20), ...solves('b', 6, 20, dear)]
const level = [...solves('a', 11, 20), ...solves('b', 10, 20)]
/** Mid-p 1/32, exact p 1/16. */
const five = [...solves('a', 7, 8), ...solves('b', 2, 8)]
const simulated = clear.map((record) => ({ ...record, simulated: true }))
/** Several epochs, with noise within tasks. */
const noisy = [
  ...trials('a', repeat('1010', 10)),
  ...trials('b', [...repeat('0110', 5), ...repeat('1110', 5)]),
]
const steady = [
  ...trials('a', [...repeat('1111', 9), ...repeat('0000', 4), '1110']),
  ...trials('b', [...repeat('1111', 4), ...repeat('0000', 9), '1110']),
]
/** Equal on average; no task is lost whole, and 30 tasks are too few to exclude that at 5 points. */
const wavy = Array.from({ length: 30 }, (_, task) => (task % 2 === 0 ? '1111111110' : '1111111111'))
const even = [...trials('a', wavy), ...trials('b', wavy.toReversed())]
/** Each task of a is one epoch of five worse, so that all differences are equal. */
const shifted = [...trials('a', repeat('11110', 20)), ...trials('b', repeat('11111', 20))]
const three = [...clear, ...solves('c', 12, 20)]
const order = Array.from({ length: 60 }, (_, task) => `s/${String(task).padStart(3, '0')}`)
const stopped = (sequence: 'mcnemar' | 'empirical-bernstein' | 'asymptotic', tasks: number) => ({
  stop: { sequence, alpha: 0.05, comparisons: 1, hopedTasks: 30 } as const,
  order: order.slice(0, tasks),
  epochs: 1,
  methods: ['a', 'b'],
})
/** a is missing on two tasks that b solved. */
const lost = [
  ...trials('a', ['-', '-', ...repeat('1', 8), ...repeat('0', 10)]),
  ...trials('b', [...repeat('1', 2), ...repeat('0', 18)]),
]

/** The report with this change of its only pair. */
function withPair(made: Report, change: (pair: PairComparison) => PairComparison): Report {
  const { comparison } = made.comparison as ComparisonReport
  return {
    ...made,
    comparison: createComparisonReport({ ...comparison, pairs: comparison.pairs.map(change) }, facts),
  }
}

type Case = [file: string, note: RegExp, holds: () => Report, absent: () => Report]

const facts_: Case[] = [
  [
    'amended-notes',
    /- Limits were changed\./,
    () => report(clear, {}, ofRun({ amended: 'Limits were changed.' })),
    () => report(clear),
  ],
  [
    'confounded-notes',
    /- a than b: confounded with the model\. The first asks x; the second asks y/,
    () => report(clear, { assignments: { a: { role: 'x' }, b: { role: 'y' } } }),
    () => report(clear, { assignments: { a: { role: 'x' }, b: { role: 'x' } } }),
  ],
  [
    'touched-notes',
    /- a: people took part in 20 trials/,
    () =>
      report(
        clear.map((record) =>
          record.method === 'a' ? { ...record, people: { questions: 1, approvals: 0, waitedMs: 1 } } : record,
        ) as TrialRecord[],
      ),
    () => report(clear),
  ],
  [
    'silence-notes',
    /- No p and no verdict: a test of simulated numbers/,
    () => report(simulated),
    () => report(simulated, { calibration: true }),
  ],
  [
    'silence-notes',
    /- No p: trials were added after a look .* \(looks at 8, 16 records\)\./,
    () => report(clear, { voided: 'looked' }, { looks: [8, 16] }),
    () => report(clear, {}, { looks: [40] }),
  ],
  [
    'silence-notes',
    /- No p: the run is not finished/,
    () => report(clear, { voided: 'unfinished' }),
    () => report(clear),
  ],
  [
    'stop-notes',
    /- A limit of the run stopped it after 30 of 40 trials; the results did not\./,
    () => report(clear, {}, ofRun({ stoppedByLimit: true, recorded: 30 })),
    () => report(clear),
  ],
  [
    'stop-notes',
    /- Stop rule fixed before the run: McNemar e-process.* All pairs were settled after task 8;.* Not run, as planned: 4 trials/,
    () =>
      report(
        [...solves('a', 20, 20), ...solves('b', 0, 20)],
        stopped('mcnemar', 20),
        ofRun({ recorded: 36 }),
      ),
    () => report(level, stopped('mcnemar', 20)),
  ],
  [
    'stop-notes',
    /- Stop rule fixed before the run: .* Not settled after 20 tasks\./,
    () => report(level, stopped('mcnemar', 20)),
    () => report(level),
  ],
  [
    'contradiction-notes',
    /- a than b \(p 0\.063\): the limits are clear of 0, but the word is not "better": the limits are Newcombe's, and the claim goes by the greater of McNemar's mid-p and exact p, because tasks are fewer than 10\./,
    () => report(five),
    () => report(clear),
  ],
  [
    'contradiction-notes',
    /\(p 0\.0\d+, adjusted 0\.\d+\): the limits are clear of 0, .* the limits are for the pair by itself, and its p is adjusted over 3 pairs\./,
    () =>
      report([
        ...solves('a', 40, 40),
        ...trials('b', [...repeat('1', 34), ...repeat('0', 6)]),
        ...trials('c', [...repeat('0', 6), ...repeat('1', 34)]),
      ]),
    () => report(clear),
  ],
  [
    'contradiction-notes',
    /- a than b.*: the limits are clear of 0, .*: too few tasks for a test: fewer than 6\./,
    () => report([...solves('a', 5, 5), ...solves('b', 0, 5)]),
    () => report([...solves('a', 3, 5), ...solves('b', 2, 5)]),
  ],
  [
    'contradiction-notes',
    /- a than b.*: the limits are clear of 0, .*: the missing trials could reverse the result\./,
    () =>
      report([
        ...trials('a', [...repeat('1', 8), ...repeat('0', 6), ...repeat('-', 8)]),
        ...trials('b', [...repeat('0', 14), ...repeat('1', 8)]),
      ]),
    () => report(clear),
  ],
  [
    'contradiction-notes',
    /- a than b.*: the word is "better", but the limits hold 0: all task differences are equal/,
    () => report(shifted),
    () => report(clear),
  ],
  [
    'contradiction-notes',
    /- a than b \(p 1\): the limits are inside the margin, but 30 tasks do not exclude that rarer losses exceed it \(limit -9\.1\)\./,
    () => report(even, { margin: 0.05 }),
    () => report(even, { margin: 0.2 }),
  ],
  [
    'contradiction-notes',
    /- a than b: the estimate is at the edge of its limits, because the limits are of which method solves most epochs/,
    () => report(shifted, { voided: 'unfinished' }),
    () => report(clear),
  ],
  [
    'contradiction-notes',
    /the estimate lies outside of its limits, because the limits are around the centre of the confidence sequence/,
    () =>
      withPair(report(level, stopped('empirical-bernstein', 20)), (pair) => ({
        ...pair,
        outcome: { ...pair.outcome, outsideLimits: true },
      })),
    () => report(level, stopped('empirical-bernstein', 20)),
  ],
  [
    'missing-bounds-notes',
    /- a than b: over all tasks, with the missing trials, the difference may be anything from \+?-?\d+\.\d to \+?-?\d+\.\d points/,
    () => report(lost),
    () => report(clear),
  ],
  [
    'missing-bounds-notes',
    /anything from .* points, so even its sign is unknown/,
    () =>
      report([
        ...solves('a', 10, 20),
        ...trials('b', [...repeat('1', 9), ...repeat('0', 5), ...repeat('-', 6)]),
      ]),
    () => report([...trials('a', ['-', ...repeat('1', 19)]), ...trials('b', ['-', '-', ...repeat('0', 18)])]),
  ],
  [
    'missing-bounds-notes',
    /The estimate is outside of that, because it is over the tasks that both have; trust the bounds\./,
    () =>
      report([
        ...trials('a', [...repeat('-', 4), ...repeat('1', 16)]),
        ...trials('b', [...repeat('1', 12), ...repeat('0', 8)]),
      ]),
    () => report(clear),
  ],
  [
    'warning-notes',
    /- a than b: suites point in opposite directions: a on one; b on two, by limits that are clear of 0\./,
    () => report([...suite('one', clear), ...suite('two', [...solves('a', 6, 20), ...solves('b', 18, 20)])]),
    () => report([...suite('one', clear), ...suite('two', clear)]),
  ],
  [
    'warning-notes',
    /- a than b: suites point in opposite directions: the estimate is for a on one; b on two\./,
    () =>
      report([
        ...suite('one', [...solves('a', 38, 40), ...solves('b', 6, 40)]),
        ...suite('two', [...solves('a', 2, 6), ...solves('b', 3, 6)]),
      ]),
    () => report([...suite('one', clear), ...suite('two', clear)]),
  ],
  [
    'warning-notes',
    /- a than b: few tasks are lost whole by one method, and the others differ little\./,
    () =>
      report([
        ...trials('a', [...repeat('0000000000', 2), ...repeat('1111111110', 18)]),
        ...trials('b', [...repeat('1111111110', 10), ...repeat('1111111100', 10)]),
      ]),
    () => report(clear),
  ],
  [
    'suite-notes',
    /- The verdict is over all tasks; a suite weighs by its tasks: one 20, two 20\./,
    () => report([...suite('one', clear), ...suite('two', clear)]),
    () => report(clear),
  ],
  [
    'suite-notes',
    /- The difference is over all tasks; a suite weighs by its tasks/,
    () => report([...suite('one', simulated), ...suite('two', simulated)]),
    () => report([...suite('one', clear), ...suite('two', clear)]),
  ],
  [
    'suite-notes',
    /a is better than b on at least 3 of 3 suites \(one, three, two\)/,
    () => report(['one', 'two', 'three'].flatMap((name) => suite(name, clear))),
    () => report(['one', 'two', 'three'].flatMap((name) => suite(name, level))),
  ],
  [
    'suite-notes',
    /- No difference is established on any suite: a than b\./,
    () => report(['one', 'two', 'three'].flatMap((name) => suite(name, level))),
    () => report(['one', 'two', 'three'].flatMap((name) => suite(name, clear))),
  ],
  [
    'spending-notes',
    /- Spends less, and is better or not worse: a than b \(tokens, cost\)\./,
    () =>
      report([
        ...solves('a', 18, 20).map((record, i) => ({
          ...record,
          spent: { ...record.spent, input: 80 + i, listCostUsd: 0.1 + i / 1000 },
        })),
        ...solves('b', 6, 20, dear),
      ]),
    () =>
      report(
        clear.map((record) =>
          record.method === 'a'
            ? { ...record, spent: { ...record.spent, input: 900, listCostUsd: 0.9 } }
            : record,
        ),
      ),
  ],
  [
    'spending-notes',
    /- a than b: cost over 19 tasks, where the difference in success is .* points; the table of pairs has 20 tasks\./,
    () =>
      report(
        clear.map((record, i) =>
          i === 0
            ? {
                ...record,
                spent: {
                  ...record.spent,
                  listCostUsd: null,
                  unknownListCost: 1,
                  costUsd: null,
                  unreportedCost: 1,
                },
              }
            : record,
        ),
      ),
    () => report(clear),
  ],
  [
    'spending-notes',
    /- s\/000 holds \d\d\.\d% of the tokens of b; without it 0\.50x for a than b\./,
    () =>
      report(
        clear.map((record) =>
          record.method === 'b' && record.task === 's/000'
            ? { ...record, spent: { ...record.spent, input: 5000 } }
            : record.method === 'b'
              ? { ...record, spent: { ...record.spent, input: 180 } }
              : record,
        ),
      ),
    () => report(clear),
  ],
  [
    'frontier-notes',
    /- Both methods are on the frontiers of tokens and of cost in (?:all|at least \d+\.\d%) of 200 resamples\./,
    () => report([...solves('a', 18, 20, dear), ...solves('b', 6, 20)]),
    () => report(clear),
  ],
  [
    'frontier-notes',
    /- The frontier of cost is over 19 of 20 tasks, and so is the success in it/,
    () =>
      report(
        clear.map((record, i) =>
          i === 0 ? { ...record, spent: { ...record.spent, listCostUsd: null, unknownListCost: 1 } } : record,
        ),
      ),
    () => report(clear),
  ],
  [
    'frontier-notes',
    /- b solved nothing and is on the frontier of tokens and cost because it spends least\./,
    () => report([...solves('a', 18, 20, dear), ...solves('b', 0, 20)]),
    () => report([...solves('a', 18, 20, dear), ...solves('b', 1, 20)]),
  ],
  [
    'planning-notes',
    /- Noise within tasks is \d+\.\d% of the variance of task differences: so more epochs also help\./,
    () => report(noisy),
    () => report(clear),
  ],
  [
    'planning-notes',
    /of the variance of task differences: more tasks help, more epochs hardly\./,
    () => report(steady),
    () => report(noisy),
  ],
  [
    'source-notes',
    /- Run results\/r1 of 2026-01-02: 39 of 40 trials; .*; prices list 1\.0/,
    () => report(clear, {}, ofRun({ recorded: 39 })),
    () => report(clear, {}, ofRun({ prices: null, recorded: 39 })),
  ],
  [
    'source-notes',
    /- Between the runs: seeds differ, 1 and 2\./,
    () => report(clear, {}, { differing: ['seeds differ, 1 and 2'] }),
    () => report(clear),
  ],
  [
    'group-pairs',
    /- a than b, a than c: confounded with the model/,
    () => report(three, { assignments: { a: { role: 'x' }, b: { role: 'y' }, c: { role: 'y' } } }),
    () => report(three),
  ],
  [
    'cell-notes',
    /- "one task": one task allows no inference/,
    () => report([...solves('a', 1, 1), ...solves('b', 0, 1)]),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "all the same": all tasks have the same value/,
    () => report(clear),
    () =>
      report(
        noisy.map((record, i) => ({
          ...record,
          spent: { ...record.spent, input: 80 + (i % 7), listCostUsd: 0.1 + i / 500, costUsd: 0.1 + i / 500 },
          durationMs: 1000 + (i % 7),
        })),
      ),
  ],
  [
    'cell-notes',
    /- "too few tasks": too few tasks for a test: fewer than 6\./,
    () => report([...solves('a', 3, 4), ...solves('b', 2, 4)]),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "no ratio": the baseline is 0: there is no ratio\./,
    () => report([...solves('a', 9, 10), ...solves('b', 8, 10, { spent: { costUsd: 0 } })]),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "cost unknown": some calls have no known cost/,
    () =>
      report([...solves('a', 9, 10, { spent: { costUsd: 3, unreportedCost: 1 } }), ...solves('b', 8, 10)]),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "no task has it": no task has a value\./,
    () =>
      report([...solves('a', 9, 10, { spent: { costUsd: null, unreportedCost: 1 } }), ...solves('b', 8, 10)]),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "not placed": no task has both the success and the spending/,
    () =>
      report([...solves('a', 9, 10, { spent: { costUsd: null, unreportedCost: 1 } }), ...solves('b', 8, 10)]),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "unbounded": the interval of the baseline includes 0/,
    () =>
      report(
        [
          ...solves('a', 9, 10),
          ...solves('b', 8, 10).map((record, i) => ({
            ...record,
            spent: { ...record.spent, listCostUsd: i === 0 ? 9 : 0.001, costUsd: i === 0 ? 9 : 0.001 },
          })),
        ].map((record, i) =>
          record.method === 'a'
            ? { ...record, spent: { ...record.spent, listCostUsd: i === 0 ? 9 : 0.5 } }
            : record,
        ),
      ),
    () => report(clear),
  ],
  [
    'cell-notes',
    /- "one epoch": one epoch: the variation within a task is unknown\./,
    () => report([...solves('a', 9, 10), ...trials('b', repeat('101', 10))]),
    () => report(noisy),
  ],
]

const definitions: Case[] = [
  [
    'definitions',
    /- a than b: differences are the success of the first minus that of the second .*; in brackets the 95% limits of Newcombe's paired interval \(method 10\), for each pair by itself\./,
    () => report(clear),
    () => report(noisy),
  ],
  [
    'definitions',
    /in brackets the 95% limits of the paired t interval of task means/,
    () => report(noisy),
    () => report(clear),
  ],
  [
    'definitions',
    /in brackets the 95% limits of Newcombe's interval of which method solves most epochs of a task/,
    () => report(shifted),
    () => report(noisy),
  ],
  [
    'definitions',
    /in brackets the 95% limits of a confidence sequence/,
    () => report(level, stopped('empirical-bernstein', 20)),
    () => report(level),
  ],
  ['definitions', /in brackets/, () => report(clear), () => report(clear, { voided: 'looked' })],
  ['definitions', /- p: two-sided, McNemar's mid-p\. Holm, m=1/, () => report(clear), () => report(five)],
  [
    'definitions',
    /- p: two-sided, the greater of McNemar's mid-p and exact p, because tasks are fewer than 10\./,
    () => report(five),
    () => report(clear),
  ],
  [
    'definitions',
    /- p: two-sided, the greater of McNemar's mid-p and exact p, because the two are equal on most tasks\./,
    () => report(level),
    () => report(clear),
  ],
  [
    'definitions',
    /- p: two-sided, the paired t test of task means\./,
    () =>
      report([
        ...trials('a', repeat('1100', 12)),
        ...trials('b', [...repeat('1110', 4), ...repeat('1000', 5), ...repeat('0000', 3)]),
      ]),
    () => report(clear),
  ],
  [
    'definitions',
    /- p: two-sided, the greater p of the paired t test and the sign-flip test, because tasks are fewer than 10/,
    () =>
      report([
        ...trials('a', repeat('1100', 7)),
        ...trials('b', [...repeat('1110', 4), ...repeat('1000', 3)]),
      ]),
    () => report(clear),
  ],
  [
    'definitions',
    /- p: two-sided, the sign-flip test, because all differences are equal\./,
    () => report(shifted),
    () => report(noisy),
  ],
  [
    'definitions',
    /\(a than b, a than c\)|mid-p \(a than b\); or the greater/,
    () => report(three),
    () => report(clear),
  ],
  ['definitions', /- p: two-sided/, () => report(clear), () => report(simulated)],
  [
    'definitions',
    /- p at any look, m=1: valid at every look/,
    () => report(level, stopped('mcnemar', 20)),
    () => report(level, stopped('empirical-bernstein', 20)),
  ],
  [
    'definitions',
    /"Better" needs an adjusted p below 0\.05; all else/,
    () => report(clear),
    () => report(level, stopped('empirical-bernstein', 20)),
  ],
  [
    'definitions',
    /"not worse" and "equivalent" their test against the margin/,
    () => report(clear, { margin: 0.1 }),
    () => report(clear),
  ],
  [
    'definitions',
    /- "Better": the stop rule has settled the pair/,
    () => report(level, stopped('empirical-bernstein', 20)),
    () => report(clear),
  ],
  [
    'definitions',
    /- Detectable: /,
    () => report(level),
    () => report([...solves('a', 3, 4), ...solves('b', 2, 4)]),
  ],
  ['definitions', /- Detectable: /, () => report(level), () => report(level, stopped('mcnemar', 20))],
  ['definitions', /- Spending: .* List price: /, () => report(clear), () => report(simulated)],
  ['definitions', /CSV has p of the difference of means/, () => report(clear), () => report(simulated)],
  [
    'definitions',
    /- Frontier: .*A method that alone spends least is on it, whatever its success\. .* 20 for tokens, 20 for cost\./,
    () => report(clear),
    () =>
      report(
        clear.map((record, i) =>
          i === 0 ? { ...record, spent: { ...record.spent, listCostUsd: null, unknownListCost: 1 } } : record,
        ),
      ),
  ],
  ['definitions', /"on" from 95%, "off" to 5%, else undecided/, () => report(clear), () => report(simulated)],
  ['definitions', /- Between and within tasks: .* ICC: /, () => report(noisy), () => report(clear)],
  ['definitions', /- Some of k pass: /, () => report(noisy), () => report(clear)],
  [
    'definitions',
    /- Difference of differences: /,
    () =>
      report(
        [
          ...clear.map((record) => ({ ...record, agentSet: 'X', agents: 'x' })),
          ...clear.map((record) => ({ ...record, agentSet: 'Y', agents: 'y' })),
        ],
        { methods: ['a', 'b'], agentSets: ['X', 'Y'] },
      ),
    () => report(clear),
  ],
  [
    'definitions',
    /- By suite: described, not tested\./,
    () => report([...suite('one', clear), ...suite('two', clear)]),
    () => report(['one', 'two', 'three'].flatMap((name) => suite(name, clear))),
  ],
  [
    'definitions',
    /- By suite: the test of the pair on the tasks of the suite/,
    () => report(['one', 'two', 'three'].flatMap((name) => suite(name, clear))),
    () => report([...suite('one', clear), ...suite('two', clear)]),
  ],
  ['definitions', /- Other procedures, not used for claims: /, () => report(clear), () => report(simulated)],
  [
    'definitions',
    /Family: all pairs, m=1; primary outcome: success; no margin; fixed before the run/,
    () => report(clear),
    () => report(clear, { margin: 0.05 }),
  ],
  [
    'definitions',
    /Family: all pairs, m=1;/,
    () => report(clear),
    () => report([...solves('a', 3, 4), ...solves('b', 2, 4)]),
  ],
  [
    'definitions',
    /Family: each method against b, m=1;/,
    () => report(clear, { family: 'baseline', baseline: 'b' }),
    () => report(clear),
  ],
]

const others: Case[] = [
  [
    'comparison-notes',
    /- The pair was chosen after the runs: its p is of one test/,
    () => report(clear, {}, { stated: 'afterwards' }),
    () => report(clear),
  ],
  [
    'comparison-notes',
    /- Do the methods differ at all\? Cochran's Q on 20 tasks/,
    () => report(three),
    () => report(clear),
  ],
  [
    'comparison-notes',
    /- Do the methods differ at all\? Friedman's test on 10 tasks/,
    () => report([...noisy, ...trials('c', repeat('1111', 10))]),
    () => report(noisy),
  ],
  [
    'one-process',
    /- The hidden tests of 20 tasks ran in the process of the solution/,
    () =>
      report(
        clear.map((record) => ({
          ...record,
          scores: [{ name: 'tests', value: 1, reason: '', oneProcess: true as const }],
        })),
      ),
    () => report(clear),
  ],
]

describe('a note of a comparison', () => {
  it.each([...facts_, ...definitions, ...others])(
    'of %s is there where it is true, and only there: %s',
    (_, note, holds, absent) => {
      expect(shown(holds())).toMatch(note)
      expect(shown(absent())).not.toMatch(note)
    },
  )

  it('has a case in this table, whichever file it comes from', () => {
    const files = readdirSync(join(packageRoot(), 'src/reports/comparison/notes')).map((name) =>
      name.replace('.ts', ''),
    )
    const tried = new Set([...facts_, ...definitions].map(([file]) => file))
    // The notes of the table of properties have their cases in properties.test.ts.
    expect(files.filter((file) => !tried.has(file))).toEqual(['property-notes'])
  })
})

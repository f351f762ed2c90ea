import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport as report } from './compared-report.ts'
import {
  type Cases,
  clear,
  even,
  five,
  level,
  lost,
  ofRun,
  simulated,
  stopped,
  suite,
  withPair,
} from './samples.ts'

/** Notes about what the runs were, and what their verdicts mean. */
export const verdictNotes: Cases = {
  'run-notes': [
    [
      /- Limits were changed\./,
      () => report(clear, {}, ofRun({ amended: 'Limits were changed.' })),
      () => report(clear),
    ],
    [
      /- A limit of the run stopped it after 30 of 40 trials; the results did not\./,
      () => report(clear, {}, ofRun({ stoppedByLimit: true, recorded: 30 })),
      () => report(clear),
    ],
    [
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
      /- Stop rule fixed before the run: .* Not settled after 20 tasks\./,
      () => report(level, stopped('mcnemar', 20)),
      () => report(level),
    ],
  ],
  'confounded-notes': [
    [
      /- a than b: confounded with the model\. The first asks x; the second asks y/,
      () => report(clear, { assignments: { a: { role: 'x' }, b: { role: 'y' } } }),
      () => report(clear, { assignments: { a: { role: 'x' }, b: { role: 'x' } } }),
    ],
  ],
  'touched-notes': [
    [
      /- a: people took part in 20 trials/,
      () =>
        report(
          clear.map((record) =>
            record.method === 'a'
              ? { ...record, people: { questions: 1, approvals: 0, waitedMs: 1 } }
              : record,
          ) as TrialRecord[],
        ),
      () => report(clear),
    ],
  ],
  'silence-notes': [
    [
      /- No p and no verdict: a test would test the profile/,
      () => report(simulated),
      () => report(simulated, { calibration: true }),
    ],
    [
      /- No p: trials were added after a look .* \(looks at 8, 16 records\)\./,
      () => report(clear, { voided: 'looked' }, { looks: [8, 16] }),
      () => report(clear, {}, { looks: [40] }),
    ],
    [/- No p: the run is not finished/, () => report(clear, { voided: 'unfinished' }), () => report(clear)],
  ],
  'claim-notes': [
    [
      /- a than b \(p 0\.063\): the limits are clear of 0, but the word is not "better": the limits are Newcombe's, and the claim goes by the greater of McNemar's mid-p and exact p, because tasks are fewer than 10\./,
      () => report(five),
      () => report(clear),
    ],
    [
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
      /- a than b.*: the limits are clear of 0, .*: no result holds with the missing trials counted against it\./,
      () =>
        report([
          ...trials('a', [...repeat('1', 8), ...repeat('0', 6), ...repeat('-', 8)]),
          ...trials('b', [...repeat('0', 14), ...repeat('1', 8)]),
        ]),
      () => report(clear),
    ],
    [
      /- a than b \(p 1\): the limits are inside the margin, but 30 tasks do not exclude that rarer losses exceed it \(limit -9\.1\)\./,
      () => report(even, { margin: 0.05 }),
      () => report(even, { margin: 0.2 }),
    ],
    [
      /the estimate lies outside of its limits, because the limits are around the centre of the confidence sequence/,
      () =>
        withPair(report(level, stopped('empirical-bernstein', 20)), (pair) => ({
          ...pair,
          outcome: { ...pair.outcome, outsideLimits: true },
        })),
      () => report(level, stopped('empirical-bernstein', 20)),
    ],
    [
      /- a than b: suites point in opposite directions: a on one; b on two, by limits that are clear of 0\./,
      () =>
        report([...suite('one', clear), ...suite('two', [...solves('a', 6, 20), ...solves('b', 18, 20)])]),
      () => report([...suite('one', clear), ...suite('two', clear)]),
    ],
    [
      /- a than b: suites point in opposite directions: the estimate is for a on one; b on two\./,
      () =>
        report([
          ...suite('one', [...solves('a', 38, 40), ...solves('b', 6, 40)]),
          ...suite('two', [...solves('a', 2, 6), ...solves('b', 3, 6)]),
        ]),
      () => report([...suite('one', clear), ...suite('two', clear)]),
    ],
    [
      /- a than b: few tasks are lost whole by one method, and the others differ little\./,
      () =>
        report([
          ...trials('a', [...repeat('0000000000', 2), ...repeat('1111111110', 18)]),
          ...trials('b', [...repeat('1111111110', 10), ...repeat('1111111100', 10)]),
        ]),
      () => report(clear),
    ],
  ],
  'missing-bounds-notes': [
    [
      /- a than b: over all tasks, with the missing trials, the difference may be anything from \+?-?\d+\.\d to \+?-?\d+\.\d points/,
      () => report(lost),
      () => report(clear),
    ],
    [
      /anything from .* points, so even its sign is unknown/,
      () =>
        report([
          ...solves('a', 10, 20),
          ...trials('b', [...repeat('1', 9), ...repeat('0', 5), ...repeat('-', 6)]),
        ]),
      () =>
        report([...trials('a', ['-', ...repeat('1', 19)]), ...trials('b', ['-', '-', ...repeat('0', 18)])]),
    ],
    [
      /The estimate is outside of that, because it is over the tasks that both have; trust the bounds\./,
      () =>
        report([
          ...trials('a', [...repeat('-', 4), ...repeat('1', 16)]),
          ...trials('b', [...repeat('1', 12), ...repeat('0', 8)]),
        ]),
      () => report(clear),
    ],
  ],
}

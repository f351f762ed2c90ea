import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport as report } from './compared-report.ts'
import { type Cases, clear, dear, level, noisy, ofRun, simulated, steady, suite, three } from './samples.ts'

/** Notes about suites, spending, frontiers, plans, sources and single cells. */
export const tableNotes: Cases = {
  'claim-notes': [
    [
      /- The verdict is over all tasks; a suite weighs by its tasks: one 20, two 20\./,
      () => report([...suite('one', clear), ...suite('two', clear)]),
      () => report(clear),
    ],
    [
      /- The difference is over all tasks; a suite weighs by its tasks/,
      () => report([...suite('one', simulated), ...suite('two', simulated)]),
      () => report([...suite('one', clear), ...suite('two', clear)]),
    ],
    [
      /a is better than b on at least 3 of 3 suites \(one, three, two\)/,
      () => report(['one', 'two', 'three'].flatMap((name) => suite(name, clear))),
      () => report(['one', 'two', 'three'].flatMap((name) => suite(name, level))),
    ],
    [
      /- No difference is established on any suite: a than b\./,
      () => report(['one', 'two', 'three'].flatMap((name) => suite(name, level))),
      () => report(['one', 'two', 'three'].flatMap((name) => suite(name, clear))),
    ],
    [
      /- a than b, a than c: confounded with the model/,
      () => report(three, { assignments: { a: { role: 'x' }, b: { role: 'y' }, c: { role: 'y' } } }),
      () => report(three),
    ],
  ],
  'spending-notes': [
    [
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
      /- Both methods are on the frontiers of tokens and of cost in (?:all|at least \d+\.\d%) of 200 resamples\./,
      () => report([...solves('a', 18, 20, dear), ...solves('b', 6, 20)]),
      () => report(clear),
    ],
    [
      /- The frontier of cost is over 19 of 20 tasks, and so is the success in it/,
      () =>
        report(
          clear.map((record, i) =>
            i === 0
              ? { ...record, spent: { ...record.spent, listCostUsd: null, unknownListCost: 1 } }
              : record,
          ),
        ),
      () => report(clear),
    ],
    [
      /- b solved nothing and is on the frontier of tokens and cost because it spends least\./,
      () => report([...solves('a', 18, 20, dear), ...solves('b', 0, 20)]),
      () => report([...solves('a', 18, 20, dear), ...solves('b', 1, 20)]),
    ],
  ],
  'planning-notes': [
    [
      /- Noise within tasks is \d+\.\d% of the variance of task differences: so more epochs also help\./,
      () => report(noisy),
      () => report(clear),
    ],
    [
      /of the variance of task differences: more tasks help, more epochs hardly\./,
      () => report(steady),
      () => report(noisy),
    ],
  ],
  'run-notes': [
    [
      /- Run results\/r1 of 2026-01-02: 39 of 40 trials; .*; prices list 1\.0/,
      () => report(clear, {}, ofRun({ recorded: 39 })),
      () => report(clear, {}, ofRun({ prices: null, recorded: 39 })),
    ],
    [
      /- Between the runs: seeds differ, 1 and 2\./,
      () => report(clear, {}, { differing: ['seeds differ, 1 and 2'] }),
      () => report(clear),
    ],
  ],
  'cell-notes': [
    [
      /- "one task": one task allows no inference/,
      () => report([...solves('a', 1, 1), ...solves('b', 0, 1)]),
      () => report(clear),
    ],
    [
      /- "all the same": all tasks have the same value/,
      () => report(clear),
      () =>
        report(
          noisy.map((record, i) => ({
            ...record,
            spent: {
              ...record.spent,
              input: 80 + (i % 7),
              listCostUsd: 0.1 + i / 500,
              costUsd: 0.1 + i / 500,
            },
            durationMs: 1000 + (i % 7),
          })),
        ),
    ],
    [
      /- "too few tasks": too few tasks for a test: fewer than 6\./,
      () => report([...solves('a', 3, 4), ...solves('b', 2, 4)]),
      () => report(clear),
    ],
    [
      /- "no ratio": the baseline is 0: there is no ratio\./,
      () => report([...solves('a', 9, 10), ...solves('b', 8, 10, { spent: { costUsd: 0 } })]),
      () => report(clear),
    ],
    [
      /- "cost unknown": some calls have no known cost/,
      () =>
        report([...solves('a', 9, 10, { spent: { costUsd: 3, unreportedCost: 1 } }), ...solves('b', 8, 10)]),
      () => report(clear),
    ],
    [
      /- "no task has it": no task has a value\./,
      () =>
        report([
          ...solves('a', 9, 10, { spent: { costUsd: null, unreportedCost: 1 } }),
          ...solves('b', 8, 10),
        ]),
      () => report(clear),
    ],
    [
      /- "not placed": no task has both the success and the spending/,
      () =>
        report([
          ...solves('a', 9, 10, { spent: { costUsd: null, unreportedCost: 1 } }),
          ...solves('b', 8, 10),
        ]),
      () => report(clear),
    ],
    [
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
      /- "one epoch": one epoch: the variation within a task is unknown\./,
      () => report([...solves('a', 9, 10), ...trials('b', repeat('101', 10))]),
      () => report(noisy),
    ],
  ],
}

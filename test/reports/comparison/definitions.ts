import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport as report } from './compared-report.ts'
import {
  type Cases,
  clear,
  five,
  level,
  noisy,
  shifted,
  simulated,
  stopped,
  suite,
  three,
} from './samples.ts'

/** Definitions that a comparison prints. */
export const definitions: Cases = {
  definitions: [
    [
      /- a than b: differences are the success of the first minus that of the second .*; in brackets the 95% limits of Newcombe's paired interval \(method 10\), for each pair by itself\./,
      () => report(clear),
      () => report(noisy),
    ],
    [
      /in brackets the 95% limits of the paired t interval of task means/,
      () => report(noisy),
      () => report(clear),
    ],
    [
      /in brackets the 95% limits of Newcombe's interval of which method solves most epochs of a task/,
      () => report([...trials('a', repeat('11', 8)), ...trials('b', repeat('11', 8))]),
      () => report(noisy),
    ],
    [
      /in brackets the 95% limits of a confidence sequence/,
      () => report(level, stopped('empirical-bernstein', 20)),
      () => report(level),
    ],
    [/in brackets/, () => report(clear), () => report(clear, { voided: 'looked' })],
    [/- p: two-sided, McNemar's mid-p\. Holm, m=1/, () => report(clear), () => report(five)],
    [
      /- p: two-sided, the greater of McNemar's mid-p and exact p, because tasks are fewer than 10\./,
      () => report(five),
      () => report(clear),
    ],
    [
      /- p: two-sided, the greater of McNemar's mid-p and exact p, because the two are equal on most tasks\./,
      () => report(level),
      () => report(clear),
    ],
    [
      /- p: two-sided, the paired t test of task means\./,
      () =>
        report([
          ...trials('a', repeat('1100', 12)),
          ...trials('b', [...repeat('1110', 4), ...repeat('1000', 5), ...repeat('0000', 3)]),
        ]),
      () => report(clear),
    ],
    [
      /- p: two-sided, the greater p of the paired t test and the sign-flip test, because tasks are fewer than 10/,
      () =>
        report([
          ...trials('a', repeat('1100', 7)),
          ...trials('b', [...repeat('1110', 4), ...repeat('1000', 3)]),
        ]),
      () => report(clear),
    ],
    [
      /- p: two-sided, the sign-flip test, because all differences are equal\./,
      () => report(shifted),
      () => report(noisy),
    ],
    [/\(a than b, a than c\)|mid-p \(a than b\); or the greater/, () => report(three), () => report(clear)],
    [/- p: two-sided/, () => report(clear), () => report(simulated)],
    [
      /- p at any look, m=1: valid at every look/,
      () => report(level, stopped('mcnemar', 20)),
      () => report(level, stopped('empirical-bernstein', 20)),
    ],
    [
      /"Better" needs an adjusted p below 0\.05; all else/,
      () => report(clear),
      () => report(level, stopped('empirical-bernstein', 20)),
    ],
    [
      /"not worse" and "equivalent" their test against the margin/,
      () => report(clear, { margin: 0.1 }),
      () => report(clear),
    ],
    [
      /- "Better": the stop rule has settled the pair/,
      () => report(level, stopped('empirical-bernstein', 20)),
      () => report(clear),
    ],
    [/- Detectable: /, () => report(level), () => report([...solves('a', 3, 4), ...solves('b', 2, 4)])],
    [/- Detectable: /, () => report(level), () => report(level, stopped('mcnemar', 20))],
    [/- Spending: .* List price: /, () => report(clear), () => report(simulated)],
    [/CSV has p of the difference of means/, () => report(clear), () => report(simulated)],
    [
      /- Frontier: .*A method that alone spends least is on it, whatever its success\. .* 20 for tokens, 20 for cost\./,
      () => report(clear),
      () =>
        report(
          clear.map((record, i) =>
            i === 0
              ? { ...record, spent: { ...record.spent, listCostUsd: null, unknownListCost: 1 } }
              : record,
          ),
        ),
    ],
    [/"on" from 95%, "off" to 5%, else undecided/, () => report(clear), () => report(simulated)],
    [/- Between and within tasks: .* ICC: /, () => report(noisy), () => report(clear)],
    [/- Some of k pass: /, () => report(noisy), () => report(clear)],
    [
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
      /- By suite: described, not tested\./,
      () => report([...suite('one', simulated), ...suite('two', simulated)]),
      () => report([...suite('one', clear), ...suite('two', clear)]),
    ],
    [
      /- By suite: the test of the pair on the tasks of the suite/,
      () => report([...suite('one', clear), ...suite('two', clear)]),
      () => report([...suite('one', simulated), ...suite('two', simulated)]),
    ],
    [/- Other procedures, not used for claims: /, () => report(clear), () => report(simulated)],
    [
      /Family: all pairs, m=1; primary outcome: success; no margin; fixed before the run/,
      () => report(clear),
      () => report(clear, { margin: 0.05 }),
    ],
    [
      /Family: all pairs, m=1;/,
      () => report(clear),
      () => report([...solves('a', 3, 4), ...solves('b', 2, 4)]),
    ],
    [
      /Family: each method against b, m=1;/,
      () => report(clear, { family: 'baseline', baseline: 'b' }),
      () => report(clear),
    ],
  ],
}

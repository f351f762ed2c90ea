import type { OutcomeDifference } from '../../analysis/compare/pair-results.ts'
import { needsBothTests } from '../../analysis/paired/difference-claim.ts'

/** The test whose p a claim uses: `greater-of-…` where tasks are few or most are ties, so that a claim needs both tests. */
export type ClaimTest =
  | NonNullable<OutcomeDifference['test']>
  | 'greater-of-mcnemar-mid-p-and-exact'
  | 'greater-of-paired-t-and-sign-flip'

/** Returns the name of the test that the claim's p comes from; null without a test. */
export function claimTestOf({
  test,
  claimP,
  nTasks,
  separated,
}: Pick<OutcomeDifference, 'test' | 'claimP' | 'nTasks' | 'separated'>): ClaimTest | null {
  if (test === null || claimP === null) return null
  if (test === 'sign-flip' || !needsBothTests(nTasks, separated)) return test
  return test === 'paired-t' ? 'greater-of-paired-t-and-sign-flip' : 'greater-of-mcnemar-mid-p-and-exact'
}

/** Returns the test of a claim as notes name it; null without a test. */
export function claimTestText(outcome: Parameters<typeof claimTestOf>[0]): string | null {
  const test = claimTestOf(outcome)
  return test && testTexts[test](needsBothBecause(outcome))
}

const testTexts: Readonly<Record<ClaimTest, (because: string) => string>> = {
  'mcnemar-mid-p': () => "McNemar's mid-p",
  'paired-t': () => 'the paired t test of task means',
  'sign-flip': () => 'the sign-flip test, because all differences are equal',
  'greater-of-mcnemar-mid-p-and-exact': (because) =>
    `the greater of McNemar's mid-p and exact p, because ${because}`,
  'greater-of-paired-t-and-sign-flip': (because) =>
    `the greater p of the paired t test and the sign-flip test, because ${because}`,
}

const needsBothBecause = ({ nTasks, separated }: Parameters<typeof claimTestOf>[0]) =>
  separated < nTasks / 2 ? 'the two are equal on most tasks' : 'tasks are fewer than 10'

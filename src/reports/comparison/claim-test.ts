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

/** The tests of claims, as notes name them. */
export const claimTestTexts: Readonly<Record<ClaimTest, string>> = {
  'mcnemar-mid-p': "McNemar's mid-p",
  'paired-t': 'the paired t test of task means',
  'sign-flip': 'the sign-flip test, because all differences are equal',
  'greater-of-mcnemar-mid-p-and-exact':
    "the greater of McNemar's mid-p and exact p, because tasks are fewer than 10 or most are ties",
  'greater-of-paired-t-and-sign-flip':
    'the greater p of the paired t test and the sign-flip test, because tasks are fewer than 10 or most are ties',
}

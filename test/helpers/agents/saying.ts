import type { SubmissionRunner } from '../../../src/agents/mutants/mutant-pool.ts'

/** Returns a runner that gives these results in order, and then the last one. */
export function saying(...results: { visible: boolean; passed: boolean; ms?: number }[]) {
  const seen: string[] = []
  const trySubmission: SubmissionRunner = async (_, submission) => {
    const {
      visible,
      passed,
      ms = 1,
    } = results[Math.min(seen.length, results.length - 1)] as (typeof results)[number]
    seen.push('files' in submission ? (submission.files['src/sum.mjs'] ?? '') : submission.answer)
    return { visible: { status: visible ? 'passed' : 'failed', passed: 0, total: 1, output: '' }, passed, ms }
  }
  return { seen, trySubmission }
}
/** It fails all tests. */
export const killed = { visible: false, passed: false }
/** It passes only the visible checks. */
export const slipped = { visible: true, passed: false }
/** It passes all tests. */
export const survived = { visible: true, passed: true }

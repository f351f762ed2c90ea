import type { SubmissionRunner } from '../../../src/agents/mutants/mutant-pool.ts'

/** Says of each mutant what the list says, in order; the last goes on. */
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
/** It fails all there is. */
export const killed = { visible: false, passed: false }
/** It passes the visible checks alone. */
export const slipped = { visible: true, passed: false }
/** It passes all there is. */
export const survived = { visible: true, passed: true }

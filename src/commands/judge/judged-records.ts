import { readRecords } from '../../loop/record/records.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { UserError } from '../../text/errors.ts'

/** Returns the graded trials of a run whose work judges have scored. Throws `UserError` if no trial was judged. */
export function judgedRecords(folder: string): TrialRecord[] {
  const judged = [...readRecords(folder)].filter(
    ({ passed, scores }) => passed !== null && scores.some(({ judges }) => judges !== undefined),
  )
  if (judged.length > 0) return judged
  throw new UserError({
    where: folder,
    what: 'has no trial that judges have scored',
    fix: 'Name a run of tasks with a grader of kind rubric: see docs/guides/open-answers.md.',
  })
}

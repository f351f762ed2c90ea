import { countRejected } from '../../replies/files/shorten-rejected.ts'
import type { LeftOut } from '../../schema/ledger/record.ts'
import { editableIn } from '../../suites/editable.ts'
import type { TrialState } from '../state/trial-state.ts'

/**
 * Returns what the record says of changes that did not count: refused paths, and changes of files that the task does not take from the
 * work. Undefined without any.
 */
export function countLeftOut({ asked, toolSteps, task }: TrialState): LeftOut | undefined {
  if (task.spec.output === 'answer') return undefined
  const isEditable = editableIn(task.spec)
  const changeSets = [...asked.map(({ step }) => step), ...toolSteps].flatMap(
    ({ changeSet }) => changeSet ?? [],
  )
  const refused = changeSets.reduce((sum, { rejected = [] }) => sum + countRejected(rejected), 0)
  const notCounted = changeSets
    .flatMap(({ changes }) => changes)
    .filter(({ path }) => !isEditable(path)).length
  return refused + notCounted === 0 ? undefined : { refused, notCounted }
}

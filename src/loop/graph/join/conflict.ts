import { ConflictError } from '../../../text/errors.ts'
import type { PlannedStep } from '../schedule.ts'

/** Returns the error of two steps that changed one file, or made a file and a folder of one name. */
export function conflictOf(
  path: string,
  one: PlannedStep,
  other: PlannedStep,
  why: 'unordered' | 'overlap' | 'clash' | 'shared',
): ConflictError {
  const [first, later] = one.place < other.place ? [one.step.id, other.step.id] : [other.step.id, one.step.id]
  const what = `[graph] the steps "${first}" and "${later}" ${facts[why](path)}`
  return new ConflictError(later, `${what}. Let one depend on the other${remedies[why]}.`)
}

const isConversation = (part: string) => part.startsWith('conversation ')

const facts = {
  unordered: (path: string) => `both changed ${path}, and neither depends on the other`,
  overlap: (path: string) => `both changed ${path}, and their changes overlap`,
  clash: (path: string) => `made a file and a folder of the same name: ${path}`,
  shared: (part: string) =>
    `both ${isConversation(part) ? 'continued' : 'wrote'} the ${part}, and neither depends on the other`,
}
const remedies = {
  unordered: ', or set conflict to last or merge',
  overlap: ', or set conflict to last',
  clash: '',
  shared: ', or set conflict to last',
}

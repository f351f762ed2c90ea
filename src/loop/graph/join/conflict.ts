import type { PlannedStep } from '../schedule.ts'

/** Two steps of a graph changed one file, and the policy does not allow that. `later` is the later of the two in plan order. */
export class ConflictError extends Error {
  readonly later: PlannedStep
  constructor(path: string, one: PlannedStep, other: PlannedStep, why: 'unordered' | 'overlap' | 'clash') {
    const [first, later] = one.place < other.place ? [one, other] : [other, one]
    super(
      `[graph] the steps "${first.step.id}" and "${later.step.id}" ${facts[why](path)}. Let one depend on the other${remedies[why]}.`,
    )
    this.name = 'ConflictError'
    this.later = later
  }
}

const facts = {
  unordered: (path: string) => `both changed ${path}, and neither depends on the other`,
  overlap: (path: string) => `both changed ${path}, and their changes overlap`,
  clash: (path: string) => `made a file and a folder of the same name: ${path}`,
}
const remedies = {
  unordered: ', or set conflict to last or merge',
  overlap: ', or set conflict to last',
  clash: '',
}

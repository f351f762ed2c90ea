import type { GraderKind } from '../schema/task.ts'
import { choice } from './choice.ts'
import { exact } from './exact.ts'
import type { RegisteredGrader } from './grader.ts'
import { numeric } from './numeric.ts'
import { pattern } from './pattern.ts'

/** Every grader by its kind, as written in `task.yaml`. */
export const graders: { readonly [Kind in GraderKind]: RegisteredGrader<Kind> } = {
  // Loaded with its runners when a task has tests: answers need none of them.
  tests: { runsCode: true, grade: async (context) => (await import('./tests.ts')).tests(context) },
  exact: { runsCode: false, grade: exact },
  numeric: { runsCode: false, grade: numeric },
  choice: { runsCode: false, grade: choice },
  pattern: { runsCode: false, grade: pattern },
}

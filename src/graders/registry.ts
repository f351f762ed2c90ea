import type { GraderKind } from '../schema/task.ts'
import { choice } from './choice.ts'
import { exact } from './exact.ts'
import type { Grader } from './grader.ts'
import { numeric } from './numeric.ts'
import { pattern } from './pattern.ts'
import { tests } from './tests.ts'

/** Every grader by its kind, as written in `task.yaml`. */
export const graders: { readonly [Kind in GraderKind]: Grader<Kind> } = {
  tests,
  exact,
  numeric,
  choice,
  pattern,
}

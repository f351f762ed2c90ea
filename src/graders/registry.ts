import type { GraderKind } from '../schema/grader-spec.ts'
import type { Task } from '../schema/task.ts'
import { choice, choiceEquality, exact, exactEquality, numeric, numericEquality, pattern } from './answers.ts'
import type { RegisteredGrader } from './grader.ts'
import { rubric } from './rubric.ts'

/** All graders by kind, as written in `task.yaml`. */
export const graders: { readonly [Kind in GraderKind]: RegisteredGrader<Kind> } = {
  // Loaded on first use, with its runners.
  tests: { runsCode: true, grade: async (context) => (await import('./tests.ts')).tests(context) },
  exact: { runsCode: false, grade: exact, equality: exactEquality },
  numeric: { runsCode: false, grade: numeric, equality: numericEquality },
  // Loaded on first use, with its parser of LaTeX.
  math: {
    runsCode: false,
    grade: async (context) => (await import('./mathematics/math.ts')).math(context),
    equality: async (spec) => (await import('./mathematics/math.ts')).mathEquality(spec),
  },
  choice: { runsCode: false, grade: choice, equality: choiceEquality },
  pattern: { runsCode: false, grade: pattern },
  // Loaded on first use, with its parser of Markdown.
  rules: { runsCode: false, grade: async (context) => (await import('./rules.ts')).rules(context) },
  // Loaded on first use, with its program.
  module: { runsCode: true, grade: async (context) => (await import('./module.ts')).module(context) },
  rubric: { runsCode: false, grade: rubric },
}

/** Whether a task's visible checks or graders run delivered code. */
export function runsCode({ spec }: Pick<Task, 'spec'>): boolean {
  return spec.checks !== undefined || spec.graders.some(({ kind }) => graders[kind].runsCode)
}

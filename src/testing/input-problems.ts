import type { z } from 'zod'
import { type Problem, UserError } from '../text/errors.ts'
import { inWords } from '../text/issue-text.ts'
import { schemaProblems } from '../yaml/schema-problems.ts'

/** Returns what is wrong with a value that a test gives; `where` names it. */
export function inputProblems(where: string, schema: z.ZodType, value: unknown): Problem[] {
  const { error } = schema.safeParse(value, { ...inWords, jitless: true })
  return schemaProblems(error?.issues ?? [], { schema, value }).map(({ path, ...problem }) => ({
    where: [where, ...path.map(String)].join('.'),
    ...problem,
  }))
}

/** Throws `UserError` with everything that is wrong with a value that a test gives. */
export function checkInput(where: string, schema: z.ZodType, value: unknown): void {
  const problems = inputProblems(where, schema, value)
  if (problems.length > 0) throw new UserError(problems)
}

import { z } from 'zod'
import { isWorkspacePath, sizeLimits } from '../../sandbox/folders/paths.ts'
import { VariableName } from '../../schema/variable-name.ts'
import type { StageProgram } from '../../stage.ts'

const Program = z.strictObject({
  command: z.array(z.string()).min(1, 'must name a program'),
  files: z
    .record(z.string().refine(isWorkspacePath, 'must be a relative path with / between names'), z.string())
    .optional(),
  state: z.string().refine((text) => Buffer.byteLength(text) <= sizeLimits.fileBytes, {
    error: `must have at most ${sizeLimits.fileBytes} bytes`,
  }),
  roles: z.array(z.string()).optional(),
  timeoutMs: z.number().positive().optional(),
  env: z
    .record(
      VariableName.refine((name) => !name.startsWith('BENCH_'), 'must not begin with BENCH_'),
      z.string(),
    )
    .optional(),
})

/** Throws unless the arguments of `stage()` are right: a strategy may be a user's, written without types. */
export function checkProgram(id: unknown, program: unknown, roles: readonly string[]): void {
  if (typeof id !== 'string' || !/^[\w.-]+$/.test(id))
    throw new Error(
      `[strategy] stage(): the id must be letters, digits, dots, hyphens and underscores, got ${JSON.stringify(id)}.`,
    )
  const what = `[strategy] stage("${id}")`
  const [issue] = Program.safeParse(program).error?.issues ?? []
  if (issue) throw new Error(`${what}: ${issue.path.join('.') || 'the program'}: ${messageOf(issue)}`)
  const unknown = (program as StageProgram).roles?.find((role) => !roles.includes(role))
  if (unknown !== undefined)
    throw new Error(
      `${what} may ask role "${unknown}", which the strategy does not have: ${roles.join(', ')}.`,
    )
}

/** Returns what is wrong; of a wrong key zod says so only inside of its issue. */
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message

import { z } from 'zod'
import { SandboxLevel } from '../sandbox-level.ts'
import { Score } from './outcome.ts'

/** The format of a file of verdicts, and its version. */
export const verdictsFormat = 'bench-verdicts-1'

/** What verdicts depend on besides task and work. Those of another one are not used. */
export const VerdictsBasis = z.strictObject({
  /** SHA-256 of the programs that run tests. */
  programs: z.string(),
  /** Major version of Node. */
  node: z.string(),
  /** Version of Python without its last number; null: there was none. */
  python: z.string().nullable(),
})
export type VerdictsBasis = z.infer<typeof VerdictsBasis>

/** The first line of a file of verdicts. */
export const VerdictsHeader = z.strictObject({
  format: z.literal(verdictsFormat, `is not ${verdictsFormat}`),
  ...VerdictsBasis.shape,
  /** The number of lines that follow, so that a file that was cut is found. */
  verdicts: z.int().nonnegative(),
})
export type VerdictsHeader = z.infer<typeof VerdictsHeader>

const common = {
  /** SHA-256 of the task's digest and of the files that count. */
  key: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower case'),
  /** The sandbox level at which the code ran. */
  level: SandboxLevel,
}

/** Every other line: what grading, the visible checks or the clock said of one work. */
export const Verdict = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('grade'),
    ...common,
    result: z.strictObject({ scores: z.array(Score), passed: z.boolean() }),
  }),
  z.strictObject({
    kind: z.literal('check'),
    ...common,
    result: z.strictObject({
      status: z.enum(['passed', 'failed']),
      passed: z.int().nonnegative(),
      total: z.int().nonnegative(),
      output: z.string(),
    }),
  }),
  /** It was tried as a wrong solution, and took longer than such a one may. */
  z.strictObject({ kind: z.literal('slow'), key: common.key }),
])
export type Verdict = z.infer<typeof Verdict>

/** How many verdicts of code a session took from its file, graded itself, and proved of those that it took. */
export const VerdictCounts = z.object({ taken: z.int(), graded: z.int(), proved: z.int() })
export type VerdictCounts = z.infer<typeof VerdictCounts>

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../../base/package-root.ts'
import { isWorkspacePath, sizeLimits } from '../../sandbox/folders/paths.ts'
import type { StageStep } from '../../schema/ledger/stage-step.ts'
import { ProgramVariables } from '../../schema/variable-name.ts'
import type { StageProgram } from '../../stage.ts'
import { inWords } from '../../text/issue-text.ts'

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
  env: ProgramVariables.optional(),
  models: z
    .strictObject({
      stdin: z.string(),
      folder: z.strictObject({ path: z.string().min(1), digest: z.string() }).optional(),
    })
    .optional(),
})

/** Throws unless the arguments of `stage()` are right: a strategy may be a user's, written without types. */
export function checkProgram(id: unknown, program: unknown, roles: readonly string[]): void {
  checkId(id)
  const what = `[strategy] stage("${id}")`
  const [issue] = Program.safeParse(program, inWords).error?.issues ?? []
  if (issue) throw new Error(`${what}: ${issue.path.join('.') || 'the program'}: ${messageOf(issue)}`)
  const unknown = (program as StageProgram).roles?.find((role) => !roles.includes(role))
  if (unknown !== undefined)
    throw new Error(
      `${what} may ask role "${unknown}", which the strategy does not have: ${roles.join(', ')}.`,
    )
}

/** Throws unless a stage may have this id. */
export function checkId(id: unknown): void {
  if (typeof id !== 'string' || !/^[\w.-]+$/.test(id))
    throw new Error(
      `[strategy] stage(): the id must be letters, digits, dots, hyphens and underscores, got ${JSON.stringify(id)}.`,
    )
}

/** Returns what is wrong; of a wrong key zod says so only inside of its issue. */
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message

/** A call of `stage()`: its key, what it starts with, and the roles that it may ask. */
export interface StageCall {
  key: string
  /** SHA-256 of all that the stage starts with. */
  hash: string
  facts: Pick<StageStep, 'stage' | 'command' | 'programs' | 'files' | 'before'>
  program: StageProgram
  roles: readonly string[]
}

const read = new Map<string, Readonly<Record<string, string>>>()

/**
 * Returns the texts of files of the package by name, and of the files in folders of it, sorted. They are read once: each trial of a
 * chain needs them, and they are long. Throws if one is missing.
 */
export function readPrograms(paths: readonly string[]): Readonly<Record<string, string>> {
  const key = paths.join('\n')
  const known = read.get(key)
  if (known) return known
  const files = paths.flatMap((path) => filesAt(join(packageRoot(), path)))
  const texts = Object.fromEntries(
    files.map((path) => [basename(path), readFileSync(path, 'utf8')] as const).sort(byName),
  )
  read.set(key, texts)
  return texts
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1)

function filesAt(path: string): string[] {
  if (/\.\w+$/.test(basename(path))) return [present(path)]
  return readdirSync(present(path), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(path, name))
}

function present(path: string): string {
  if (existsSync(path)) return path
  throw new Error(`${path} is missing. Build bench: run \`npm run prepare\` in its folder.`)
}

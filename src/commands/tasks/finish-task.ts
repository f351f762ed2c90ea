import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { z } from 'zod'
import { lazySandbox } from '../../sandbox/open-sandbox.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import { TaskSpec } from '../../schema/task.ts'
import { loadTaskFolder, suiteOf } from '../../suites/native.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import { reportNote } from '../terminal/report-error.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import { proofText } from './proof-text.ts'

/** Returns a function that says what is wrong with the id of a new task. */
export const idProblemIn =
  (out: string) =>
  (id: string): string | undefined =>
    TaskSpec.shape.id.safeParse(id, inWords).error?.issues[0]?.message ??
    (existsSync(join(out, id))
      ? `is the name of a folder that is there already: ${join(out, id)}`
      : undefined)

/** Returns the tags of a comma-separated list. */
export function tagsOf(text: string | undefined): { tags?: string[] } {
  const tags = text
    ?.split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return tags && tags.length > 0 ? { tags } : {}
}

/** How to prove a task, and what to print beside the proof. */
interface Finish {
  signal: AbortSignal
  /** The most errors to generate in the reference. */
  generate: number
  /** Facts to print after the proof. */
  facts?: string
  /** What to do first with the task. */
  next?: readonly string[]
}

/**
 * Proves a task, and writes it if the proof holds, or if a program is missing for it. Returns 1 if the proof fails. Throws `UserError`
 * for a task that cannot be read, and the signal's reason if aborted; nothing is written then.
 */
export async function finishTask(folder: string, parts: TaskFolder, finish: Finish): Promise<number> {
  const staged = stageTask(folder, parts)
  try {
    const isProved = await prove(readStaged(folder, staged.path), finish)
    finish.signal.throwIfAborted()
    if (isProved) staged.keep()
    process.stdout.write(isProved ? writtenText(folder, finish.next) : notWrittenText(folder))
    return isProved ? 0 : 1
  } finally {
    staged.discard()
  }
}

/** Reads the tasks of a staged folder. Problems name the place that the task was meant for. */
function readStaged(folder: string, path: string) {
  const { tasks, problems } = loadTaskFolder(path)
  if (problems.length === 0) return tasks
  throw new UserError(
    problems.map(({ where, ...rest }) => ({ where: where.replace(path, resolve(folder)), ...rest })),
  )
}

async function prove(
  tasks: ReturnType<typeof readStaged>,
  { signal, generate, facts }: Finish,
): Promise<boolean> {
  const missing = (await findTools(tasks.flatMap(({ spec }) => spec.requires))).filter(({ found }) => !found)
  for (const { name, remedy } of missing) reportNote(`the task is not proved: ${name} is missing. ${remedy}`)
  if (missing.length > 0) return true
  const { proveTasks } = await import('../../loop/proof/prove-tasks.ts')
  const { run } = lazySandbox('auto')
  const proofs = await proveTasks(tasks, { run, signal, generate, twice: true, seed: 1, concurrency: 1 })
  const text = proofText(proofs, { rounds: 2, generate }, terminalWidth())
  process.stdout.write(`${text}${facts === undefined ? '' : `${facts}\n`}\n`)
  return proofs.every(({ state }) => state === 'proved')
}

function writtenText(folder: string, next: readonly string[] = ['Change it as you like.']): string {
  const suite = shellWord(`native:${folder}`)
  const commands = [`bench tasks check ${suite}`, `bench --tasks ${suite} --methods baseline,sequential`]
  return [`${folder} is written. Next:`, ...[...next, ...commands].map((line) => `  ${line}`), ''].join('\n')
}

const notWrittenText = (folder: string) => `${folder} is not written, since the proof fails.\n`

/** The parts of a task folder: texts by path in each. */
export interface TaskFolder {
  spec: z.input<typeof TaskSpec>
  instruction: string
  files?: Readonly<Record<string, string>>
  checks?: Readonly<Record<string, string>>
  tests?: Readonly<Record<string, string>>
  solution?: Readonly<Record<string, string>>
  mutants?: Readonly<Record<string, string>>
}

/** Returns the folder of a new task, `OUT/ID`. Throws `UserError` if the id is no name, or something is there. */
export function newTaskFolder(out: string, id: string): string {
  const parsed = TaskSpec.shape.id.safeParse(id, inWords)
  if (!parsed.success)
    throw new UserError({
      where: `--id ${id}`,
      what: parsed.error.issues[0]?.message ?? 'is no name',
      fix: 'Write for example --id week-number. It is the name of the folder, too.',
    })
  const folder = join(out, id)
  if (existsSync(folder))
    throw new UserError(
      problemAt(folder, 'is there already', 'Give the task another name with --id, or remove the folder.'),
    )
  return folder
}

/** A task that is written, but not yet in its place. */
interface StagedTask {
  /** Where it is: `OUT/.ID.unfinished/SUITE/ID`. No suite reads a folder whose name begins with a dot. */
  path: string
  /** Moves it into its place. */
  keep(): void
  /** Removes what is left of it, and the folders made for it that are empty. */
  discard(): void
}

/** Writes a task beside its place, for `keep` to move it there once it is proved: a killed process leaves no half task. */
function stageTask(folder: string, { spec, instruction, ...texts }: TaskFolder): StagedTask {
  const out = dirname(resolve(folder))
  const stage = join(out, `.${basename(folder)}.unfinished`)
  const path = join(stage, suiteOf(resolve(folder)), basename(folder))
  if (existsSync(stage)) reportNote(`replaces ${stage}, which an interrupted command has left`)
  let firstMade: string | undefined
  const discard = () => {
    rmSync(stage, { recursive: true, force: true })
    if (firstMade !== undefined) removeEmpty(out, firstMade)
  }
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text, { flag: 'wx' })
  }
  return tryWriting(folder, discard, () => {
    firstMade = mkdirSync(out, { recursive: true })
    rmSync(stage, { recursive: true, force: true })
    write('task.yaml', stringify(spec, { lineWidth: 130 }))
    write('instruction.md', `${instruction.trim()}\n`)
    for (const [part, files] of Object.entries(texts))
      for (const [name, text] of Object.entries(files ?? {})) write(`${part}/${name}`, text)
    const keep = () => tryWriting(folder, discard, () => renameSync(path, resolve(folder)))
    return { path, keep, discard }
  })
}

function tryWriting<Result>(folder: string, discard: () => void, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    discard()
    throw new UserError({
      where: folder,
      what: `cannot be written: ${(error as Error).message}`,
      fix: 'Choose another folder with --out.',
    })
  }
}

function removeEmpty(inner: string, outer: string): void {
  try {
    for (let at = inner; at.length >= outer.length; at = dirname(at)) rmdirSync(at)
  } catch {
    // It is not empty, so it stays.
  }
}

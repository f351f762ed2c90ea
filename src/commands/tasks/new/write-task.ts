import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { z } from 'zod'
import { TaskSpec } from '../../../schema/task.ts'
import { suiteOf } from '../../../suites/native.ts'
import { UserError } from '../../../text/errors.ts'
import { reportNote } from '../../terminal/report-error.ts'

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
  const parsed = TaskSpec.shape.id.safeParse(id)
  if (!parsed.success)
    throw new UserError({
      where: `--id ${id}`,
      what: parsed.error.issues[0]?.message ?? 'is no name',
      fix: 'Write for example --id week-number. It is the name of the folder, too.',
    })
  const folder = join(out, id)
  if (existsSync(folder))
    throw new UserError({
      where: folder,
      what: 'is there already',
      fix: 'Give the task another name with --id, or remove the folder.',
    })
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
export function stageTask(folder: string, { spec, instruction, ...texts }: TaskFolder): StagedTask {
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

/** Removes empty folders from the inner one up to the outer one. */
function removeEmpty(inner: string, outer: string): void {
  try {
    for (let at = inner; at.length >= outer.length; at = dirname(at)) rmdirSync(at)
  } catch {
    // It is not empty, so it stays.
  }
}

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import { readSelection } from '../../loop/plan/select-tasks.ts'
import type { Files, Task } from '../../schema/task.ts'
import { folderNames, taskTexts } from '../../suites/task-texts.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { benchCommand } from '../terminal/bench-command.ts'
import { reportNote } from '../terminal/report-error.ts'
import { type SelectionOptions, selectFiltered } from './select-filtered.ts'

interface ImportOptions extends SelectionOptions {
  out?: string
  licence?: string
  source?: string
}

/** `bench tasks import SOURCE --out DIR`: writes the tasks of a source as folders in the native format. Nothing is overwritten. */
export default async function importTasks(selection: string, options: ImportOptions): Promise<number> {
  const { out, licence, source } = options
  if (out === undefined)
    throw new UserError(problemAt('--out', 'is missing', 'Write --out DIR, a new folder for the tasks.'))
  requireEmpty(out)
  const { tasks, notes } = await selectFiltered(selection, options, readSelection)
  for (const note of notes) reportNote(note)
  const folders = taskFolders(tasks, {
    ...(licence !== undefined && { licence }),
    ...(source !== undefined && { source }),
  })
  writeFolders(out, folders)
  const changed = folders.filter(({ id, name }) => id !== name)
  for (const { id, name } of changed.slice(0, 5))
    reportNote(`the task ${id} is called ${name}, a name for every file system`)
  if (changed.length > 5) reportNote(`${changed.length - 5} more tasks got such names`)
  process.stdout.write(
    `${folders.length === 1 ? '1 task is' : `${folders.length} tasks are`} in ${out}. Next: ${benchCommand()} tasks check native:${shellWord(out)}\n`,
  )
  return 0
}

function requireEmpty(out: string): void {
  if (!existsSync(out)) return
  let names: string[] | undefined
  try {
    names = readdirSync(out)
  } catch {
    // It is a file.
  }
  if (names?.length === 0) return
  const what = names ? 'is not empty' : 'is not a folder'
  throw new UserError({ where: `--out ${out}`, what, fix: 'Name a new folder; nothing is overwritten.' })
}

interface TaskFolder {
  id: string
  name: string
  texts: Files
}

function taskFolders(tasks: readonly Task[], facts: { licence?: string; source?: string }): TaskFolder[] {
  const names = folderNames(tasks.map(({ spec }) => spec.id))
  const read = tasks.map((task, i) => {
    const name = names[i] as string
    const made = taskTexts({ ...task, spec: { ...task.spec, ...facts, id: name } })
    return { id: task.spec.id, name, made }
  })
  const problems = read.flatMap(({ made }) => ('problems' in made ? made.problems : []))
  if (problems.length > 0) throw new UserError(problems)
  return read.flatMap(({ id, name, made }) => ('texts' in made ? [{ id, name, texts: made.texts }] : []))
}

/** Writes the folders of all tasks. If that fails, what was written is removed. */
function writeFolders(out: string, folders: readonly TaskFolder[]): void {
  const written: string[] = []
  try {
    makeFolders(resolve(out))
    for (const { name, texts } of folders) {
      const folder = join(out, name)
      mkdirSync(folder)
      written.push(folder)
      for (const [path, text] of Object.entries(texts)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text, { flag: 'wx' })
      }
    }
  } catch (error) {
    for (const folder of written) rmSync(folder, { recursive: true, force: true })
    const what = `cannot be written: ${(error as Error).message.replace(/, .*$/s, '')}`
    throw new UserError({ where: `--out ${out}`, what, fix: 'Choose another folder.' })
  }
}

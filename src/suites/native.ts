import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Task } from '../schema/task.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import { checkAnswers } from './answer-rules.ts'
import { parseTaskYaml, taskDigest } from './make-task.ts'
import { entriesOf, readText, readTexts } from './read-texts.ts'
import type { Importer, LoadedSuite } from './suite.ts'
import { checkTask } from './task-rules.ts'

/** Bench's own format: a suite is a folder of task folders. */
export const native: Importer = {
  name: 'native',
  summary: 'a folder of task folders in the native format (task.yaml, instruction.md, files/, …)',
  recognises: (sample) =>
    sample.kind === 'folder' && sample.paths.some((path) => /^(?:[^/]+\/)?task\.yaml$/.test(path))
      ? 'certain'
      : undefined,
  async *read({ path }) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError({ where: path, what: 'is not a folder', fix: 'Give a folder of task folders.' })
    const folders = taskFolders(path)
    if (folders.length === 0) throw new UserError(noTaskFolder(path))
    for (const folder of folders) {
      const { tasks, problems } = loadTaskFolder(folder)
      if (problems.length > 0) yield { problems }
      for (const task of tasks) yield { task }
    }
  },
}

/** The problem of a suite's folder without a task. */
export const noTaskFolder = (path: string): Problem => ({
  where: path,
  what: 'contains no task folder',
  fix: 'A task is a folder with a task.yaml.',
})

/** Returns the task folders of a suite's folder, by name. For a task folder, returns only that folder. */
export function taskFolders(folder: string): string[] {
  if (existsSync(join(folder, 'task.yaml'))) return [folder]
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
}

const parts = ['task.yaml', 'instruction.md', 'files', 'checks', 'tests', 'solution', 'mutants']

/** Returns the suite of a task folder: the name of its parent folder. */
export const suiteOf = (folder: string): string => basename(dirname(folder))

/** Reads one task folder. Returns its task, or all problems with file, line and field. */
export function loadTaskFolder(folder: string): LoadedSuite {
  const suite = suiteOf(folder)
  const problems: Problem[] = []
  for (const { name } of entriesOf(folder)) {
    if (!parts.includes(name) && !name.startsWith('.')) problems.push(unknownPart(folder, name))
  }
  const read = (name: string) => readRequired(folder, name, problems)
  const yaml = read('task.yaml')
  const instruction = read('instruction.md')
  const texts = {
    files: readTexts(join(folder, 'files'), problems),
    checks: readTexts(join(folder, 'checks'), problems),
    tests: readTexts(join(folder, 'tests'), problems),
    solution: readTexts(join(folder, 'solution'), problems),
    mutants: readMutants(join(folder, 'mutants'), problems),
  }
  const file = join(folder, 'task.yaml')
  const parsed = !yaml?.trim() ? undefined : parseTaskYaml(yaml, file, basename(folder), problems)
  if (parsed) {
    problems.push(...checkAnswers(parsed, texts.solution, folder), ...checkTask(parsed, texts))
  }
  if (!parsed || instruction === undefined || problems.length > 0) return { tasks: [], problems }
  const { data: spec } = parsed
  const solution = solutionOf(spec.output, texts.solution)
  const mutants = Object.entries(texts.mutants).map(([name, files]) => [
    name,
    solutionOf(spec.output, files) ?? {},
  ])
  const task: Omit<Task, 'digest'> = {
    ref: `${suite}/${spec.id}`,
    suite,
    spec,
    instruction: instruction.trim(),
    files: texts.files,
    checks: texts.checks,
    hidden: {
      tests: texts.tests,
      ...(solution ? { solution } : {}),
      ...(mutants.length > 0 ? { mutants: Object.fromEntries(mutants) } : {}),
    },
    origin: folder,
  }
  return { tasks: [{ ...task, digest: taskDigest(task) }], problems }
}

function readMutants(folder: string, problems: Problem[]): Record<string, Task['files']> {
  const entries = entriesOf(folder).filter(({ name }) => !name.startsWith('.'))
  for (const entry of entries)
    if (!entry.isDirectory())
      problems.push({
        where: join(folder, entry.name),
        what: 'is not a folder',
        fix: 'A mutant is a folder: mutants/NAME/ with the files, or mutants/NAME/answer.txt.',
      })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => [name, readTexts(join(folder, name), problems)]),
  )
}

function solutionOf(output: Task['spec']['output'], texts: Task['files']): Task['hidden']['solution'] {
  if (Object.keys(texts).length === 0) return undefined
  return output === 'answer' ? { answer: (texts['answer.txt'] ?? '').trim() } : { files: texts }
}

function readRequired(folder: string, name: string, problems: Problem[]): string | undefined {
  const path = join(folder, name)
  if (!existsSync(path)) {
    problems.push({ where: path, what: 'is missing', fix: 'Add this file; every task folder needs it.' })
    return undefined
  }
  const text = readText(path, problems)
  if (text?.trim() === '') problems.push({ where: path, what: 'is empty', fix: 'Fill it.' })
  return text
}

function unknownPart(folder: string, name: string): Problem {
  const fix = didYouMean(name, parts) ?? `A task folder contains ${parts.join(', ')}.`
  return { where: join(folder, name), what: 'is not part of a task', fix }
}

import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Task, TaskSpec } from '../schema/task.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { checkAnswers } from './answer-rules.ts'
import { gradeTarget } from './bbh-targets.ts'
import { parseExactJson, readJsonLines, schemaProblems } from './files/read-json-lines.ts'
import { readText } from './files/read-lines.ts'
import { makeTask, taskId } from './make-task.ts'
import { entriesOf } from './read-texts.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'bbh'

const Example = z.object({
  input: z.string().regex(/\S/, 'is empty'),
  target: z.string().regex(/\S/, 'is empty'),
})
type Example = z.infer<typeof Example>

/** A line of a selection of examples, with the name of the file that it was in. */
const Line = Example.extend({ id: z.string().regex(/[A-Za-z0-9]/, 'is no name'), cat: z.string().min(1) })

/** A file of BIG-Bench Hard (github.com/suzgunmirac/BIG-Bench-Hard, MIT). */
const TaskFile = z.object({ canary: z.string(), examples: z.array(z.unknown()) })

const someNames =
  /^(?:boolean_expressions|causal_judgement|date_understanding|navigate|object_counting|word_sorting)\.json$/

/** BIG-Bench Hard: one file, or a folder of them. Each example is graded by the kind of its target. */
export const bbh: Importer = {
  name: suite,
  summary: 'BIG-Bench Hard: a file or a folder of files; options, yes or no, numbers and words',
  recognises: (sample) => {
    const fits =
      sample.kind === 'file'
        ? [
            ['canary', 'examples'],
            ['cat', 'input', 'target'],
          ].some((names) => names.every((name) => sample.fields.includes(name)))
        : sample.paths.some((path) => someNames.test(path))
    return fits ? 'certain' : undefined
  },
  async *read({ path }): AsyncGenerator<SuiteItem> {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    for (const item of isFolder ? filesOf(path) : [{ file: path }])
      if ('problem' in item) yield { problems: [item.problem] }
      else if (isFolder) yield* readOneOf(item.file)
      else yield* readFile(item.file)
  },
}

function filesOf(folder: string): ({ file: string } | { problem: Problem })[] {
  const entries = entriesOf(folder).filter(({ name }) => name.endsWith('.json') && !name.startsWith('.'))
  if (entries.length === 0)
    throw new UserError({
      where: folder,
      what: 'contains no JSON file',
      fix: 'Give a file of BIG-Bench Hard, such as navigate.json, or the folder bbh that has them.',
    })
  return entries.map((entry) => {
    const file = join(folder, entry.name)
    if (entry.isFile()) return { file }
    const what = entry.isSymbolicLink() ? 'is a symbolic link' : 'is not a file'
    return { problem: { where: file, what, fix: 'Replace it with a copy of the file.' } }
  })
}

/** Reads a file of a folder: one that cannot be read is a problem of its own. */
async function* readOneOf(path: string): AsyncGenerator<SuiteItem> {
  try {
    yield* readFile(path)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    yield { problems: error.problems }
  }
}

async function* readFile(path: string): AsyncGenerator<SuiteItem> {
  if (/\.jsonl(?:\.gz)?$/.test(path)) {
    for await (const item of readJsonLines(path, Line)) {
      if ('problems' in item) {
        yield { problems: item.problems }
        continue
      }
      const { cat, id } = item.data
      yield toItem(item.data, { name: cat, id, place: `number ${id.split('/').at(-1)}`, where: item.where })
    }
    return
  }
  const name = basename(path).replace(/\.json(\.gz)?$/, '')
  const data = await readJson(path)
  const problems = schemaProblems(data, path, TaskFile)
  if (problems.length > 0) throw new UserError(problems)
  const { canary, examples } = data as z.infer<typeof TaskFile>
  const contrary = contraryInputs(examples)
  for (const [i, example] of examples.entries()) {
    const where = `${path}: example ${i + 1}`
    const wrong = schemaProblems(example, where, Example)
    const issue = contrary.get(i)
    yield wrong.length > 0
      ? { problems: wrong }
      : toItem(example as Example, {
          ...{ name, id: `${taskId(name) || 'task'}-${i + 1}`, place: `example ${i + 1}` },
          ...{ where, canary, issues: issue ? [issue] : [] },
        })
  }
}

/** Where an example stands. */
interface Place {
  /** The name of its file, which all examples of a kind have. */
  name: string
  id: string
  /** In words: `example 3`. */
  place: string
  where: string
  canary?: string
  issues?: readonly string[]
}

function toItem(
  { input, target }: Example,
  { name, id, place, where, canary, issues = [] }: Place,
): SuiteItem {
  const { grader, issue } = gradeTarget(input, target.trim())
  const problems = checkAnswers(
    { data: { output: 'answer', graders: [grader] } as unknown as TaskSpec, where: () => `${where} target` },
    {},
    '',
  )
  if (problems.length > 0) return { problems }
  const knownIssues = [...issues, ...(issue === undefined ? [] : [issue])]
  const task: Task = makeTask({
    suite,
    spec: {
      id: taskId(id),
      title: `${name.replaceAll('_', ' ')}, ${place}`,
      output: 'answer',
      graders: [grader],
      licence: 'MIT',
      source: `BIG-Bench Hard ${name}, ${place} (github.com/suzgunmirac/BIG-Bench-Hard)`,
      tags: [name],
      cluster: name,
      ...(knownIssues.length > 0 && { knownIssues }),
      ...(canary !== undefined && { canary: canary.trim() }),
    },
    ...{ instruction: input.trim(), files: {}, checks: {} },
    hidden: { tests: {}, solution: { answer: grader.answer } },
    origin: where,
  })
  return { task }
}

function contraryInputs(examples: readonly unknown[]): Map<number, string> {
  const places = new Map<unknown, number[]>()
  for (const [i, example] of examples.entries()) {
    if (!isObject(example)) continue
    const { input } = example
    places.set(input, [...(places.get(input) ?? []), i])
  }
  const issues = new Map<number, string>()
  for (const same of places.values()) {
    const targets = new Set(same.map((i) => (examples[i] as { target?: unknown }).target))
    if (targets.size < 2) continue
    for (const i of same) {
      const others = same.filter((other) => other !== i).map((other) => other + 1)
      issues.set(i, `its input stands in example ${others.join(', ')} too, with another target`)
    }
  }
  return issues
}

/** Such a file is held in memory whole. */
const longest = 16 * 1024 * 1024

/** Reads a JSON file, plain or gzipped. Throws `UserError` like `readLines`, and if it is no JSON or has more than 16 MiB. */
async function readJson(path: string): Promise<unknown> {
  const parts: string[] = []
  let length = 0
  for await (const part of readText(path)) {
    parts.push(part)
    length += part.length
    if (length > longest)
      throw new UserError({ where: path, what: 'has more than 16 MiB', fix: 'Split the file.' })
  }
  const read = parseExactJson(parts.join(''))
  if ('what' in read) throw new UserError({ where: path, what: read.what, fix: 'Correct the file.' })
  return read.data
}

import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { matchOption } from '../replies/answers/options/match-option.ts'
import type { Task, TaskSpec } from '../schema/task.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { checkAnswers } from './answer-rules.ts'
import { parseExactJson, schemaProblems } from './files/read-json-lines.ts'
import { readText } from './files/read-lines.ts'
import { makeTask, taskId } from './make-task.ts'
import { isNumber } from './questions/expected.ts'
import { entriesOf } from './read-texts.ts'
import type { Importer, SuiteItem } from './suite.ts'

/** How a target is graded. `issue`: what is wrong with the example. */
interface GradedTarget {
  grader:
    | { kind: 'choice'; name: string; answer: string; options: string[] }
    | { kind: 'numeric'; name: string; answer: string; tolerance: number }
    | { kind: 'exact'; name: string; answer: string; ignoreCase: boolean; extract?: string[] }
  issue?: string
}

const name = 'answer'
const pairs: readonly (readonly string[])[] = [
  ['Yes', 'No'],
  ['True', 'False'],
  ['valid', 'invalid'],
]

/** Grades a target by its kind: one of the options that the input lists, one of two words, a number, or words and signs. */
function gradeTarget(input: string, target: string): GradedTarget {
  const options = optionsIn(input)
  if (options.length > 1) return gradeOption(options, target)
  const pair = pairs.find((words) => words.some((word) => word.toLowerCase() === target.toLowerCase()))
  if (pair) return { grader: { kind: 'choice', name, answer: target, options: [...pair] } }
  if (isNumber(target)) return { grader: { kind: 'numeric', name, answer: target, tolerance: 0 } }
  const extract = /^[()[\]{}<>\s]+$/.test(target) ? { extract: [bracketsLine] } : {}
  return { grader: { kind: 'exact', name, answer: target, ignoreCase: true, ...extract } }
}

/** A line of brackets alone, perhaps behind `Answer:`. A reply that is nothing but `}` looks like the end of some code. */
const bracketsLine =
  '^(?:[*# ]*(?:the )?(?:final )?answer[* ]*:)?[* ]*([()\\[\\]{}<>](?: ?[()\\[\\]{}<>])*)[* .]*$'

function gradeOption(options: string[], target: string): GradedTarget {
  if (matchOption(target, options) === undefined)
    return {
      grader: { kind: 'exact', name, answer: target, ignoreCase: true },
      issue: 'its target is none of the options that its input lists',
    }
  if (new Set(options).size === options.length)
    return { grader: { kind: 'choice', name, answer: target, options } }
  // Options with one text differ by their letters alone.
  const letters = options.map((_, i) => String.fromCharCode(65 + i))
  return {
    grader: { kind: 'choice', name, answer: target, options: letters },
    issue: 'two of its options have the same text',
  }
}

/** Returns the options that an input lists behind `Options:`, as `(A) …` in the order of the letters, or as `- …`. */
function optionsIn(input: string): string[] {
  const at = input.lastIndexOf('Options:')
  if (at === -1) return []
  const lines = input
    .slice(at)
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  const lettered = lines.flatMap((line) => {
    const [, letter, text] = /^\(([A-Z])\)\s*(.*)$/.exec(line) ?? []
    return letter === undefined ? [] : [{ letter, text: text ?? '' }]
  })
  const inOrder = lettered.every(({ letter }, i) => letter.charCodeAt(0) === 65 + i)
  if (lettered.length > 1 && inOrder) return lettered.map(({ text }) => text)
  return lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []))
}

const suite = 'bbh'

const Example = z.object({
  input: z.string().regex(/\S/, 'is empty'),
  target: z.string().regex(/\S/, 'is empty'),
})
type Example = z.infer<typeof Example>

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
        ? ['canary', 'examples'].every((name) => sample.fields.includes(name))
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
    return { problem: { where: file, what, fix: 'Replace it by a copy of the file.' } }
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
      : toItem(example as Example, { path, place: i + 1, canary, issues: issue ? [issue] : [] })
  }
}

function toItem(
  { input, target }: Example,
  { path, place, canary, issues }: { path: string; place: number; canary: string; issues: readonly string[] },
): SuiteItem {
  const name = basename(path).replace(/\.json(\.gz)?$/, '')
  const where = `${path}: example ${place}`
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
      id: `${taskId(name) || 'task'}-${place}`,
      title: `${name.replaceAll('_', ' ')}, example ${place}`,
      output: 'answer',
      graders: [grader],
      licence: 'MIT',
      source: `BIG-Bench Hard ${name}, example ${place} (github.com/suzgunmirac/BIG-Bench-Hard)`,
      tags: [name],
      cluster: name,
      ...(knownIssues.length > 0 && { knownIssues }),
      canary: canary.trim(),
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
  if ('what' in read) throw new UserError({ where: path, what: read.what, fix: 'Mend the file.' })
  return read.data
}

import { z } from 'zod'
import { elidedText, grade, nothingDelivered } from '../../graders/grade.ts'
import { readAnswer, readMathAnswer } from '../../replies/answers/read-answer.ts'
import { readChoice } from '../../replies/answers/read-choice.ts'
import { cleanText } from '../../replies/clean-data.ts'
import type { JsonSchema } from '../../replies/data/judge-mark.ts'
import { readData } from '../../replies/data/read-data.ts'
import { readWork } from '../../replies/read-work.ts'
import { withoutThoughts } from '../../replies/thoughts.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import {
  argumentProblems,
  choicesOf,
  type GradeOptions,
  readText,
  readUserFile,
  taskFor,
} from './grade-options.ts'

/**
 * `bench grade TEXT`: shows how a reply is read, and why. Returns the exit code: 0 if the reply is right or, where nothing is compared, if
 * something was read; else 1. Throws `UserError` if the arguments are wrong or a file cannot be read.
 */
export default async function gradeText(text: string | undefined, options: GradeOptions): Promise<number> {
  const problems = argumentProblems(text, options)
  if (problems.length > 0) throw new UserError(problems)
  const reply = cleanText(await readText(text, options.file))
  const reading = await readBy(reply, options)
  process.stdout.write(options.json ? `${JSON.stringify(reading, null, 2)}\n` : readingText(reading))
  return reading.passed ? 0 : 1
}

function readBy(reply: string, options: GradeOptions): Reading | Promise<Reading> {
  if (options.schema !== undefined) return readAsData(reply, options)
  return options.grader === 'tests' ? readAsWork(reply, options) : readAsAnswer(reply, options)
}

interface Reading {
  /** What the reply was read for: a grader, or `data`. */
  as: string
  /** Characters of thoughts that were left out. */
  thoughts: number
  /** The answer, the data, or the paths of the files; absent if nothing was read. */
  read?: unknown
  /** Where it stood, in plain words. */
  found?: string
  /** The files that the reply delivers. */
  files?: Readonly<Record<string, string | null>>
  /** Paths that were refused. */
  refused?: readonly Rejected[]
  /** What was read with doubt. */
  notes?: readonly string[]
  /** Whether it is right; where nothing is compared, whether something was read. */
  passed: boolean
  reason: string
}

function splitThoughts(reply: string): { rest: string; thoughts: number } {
  const rest = withoutThoughts(reply)
  return { rest, thoughts: reply.length - rest.length }
}

/** Longest line that is printed, in characters; JSON has the whole. */
const longestLine = 2_000

/** Renders a reading: a line for each fact, then the code. The middle of a line of more than 2000 characters is left out. */
export function readingText(reading: Reading): string {
  const { thoughts, read, found, files = {}, refused = [], notes = [], reason } = reading
  const facts = [
    thoughts > 0 && ['thoughts', `${thoughts} characters, left out`],
    read !== undefined && ['read', typeof read === 'string' ? read : JSON.stringify(read)],
    found !== undefined && ['where', found],
    ...refused.map(({ path, reason }) => ['refused', `${path} ${reason}`]),
    ...notes.map((note) => ['note', note]),
    ['result', reason],
  ].filter((fact) => fact !== false)
  const lines = facts.map(([name, value]) => `${(name as string).padEnd(9)} ${shortLine(value as string)}\n`)
  const texts = Object.entries(files).map(
    ([path, content]) =>
      `\n${shortLine(path)}${content === null ? ': deleted\n' : `:\n${shortLines(content)}`}`,
  )
  return [...lines, ...texts].join('')
}

const shortLine = (text: string) => shorten(safeLine(text), longestLine)

const shortLines = (text: string) =>
  safeText(text)
    .split('\n')
    .map((line) => shorten(line, longestLine))
    .join('\n')

/** Reads a reply as the answer of a task, with the grader that grades trials. */
export async function readAsAnswer(reply: string, options: GradeOptions): Promise<Reading> {
  const { rest, thoughts } = splitThoughts(reply)
  const { grader = '' } = options
  const { scores, passed } = await grade(answerTask(options), {
    files: {},
    answer: rest,
    run: () => Promise.reject(new Error('graders of answers start no program')),
    signal: new AbortController().signal,
  })
  const found = findAnswer(rest, options)
  return {
    as: grader,
    thoughts,
    ...(found && { read: found.text, found: found.found }),
    passed,
    reason: scores[0]?.reason ?? '',
  }
}

function findAnswer(rest: string, options: GradeOptions) {
  if (options.grader === 'choice') return readChoice(rest, choicesOf(options), options.extract)
  return options.grader === 'math' ? readMathAnswer(rest, options.extract) : readAnswer(rest, options.extract)
}

function answerTask(options: GradeOptions): Task {
  const { grader: kind, tolerance, extract, require, forbid, answer } = options
  const fields = {
    numeric: { tolerance: Number(tolerance ?? 0), extract },
    choice: { options: choicesOf(options), extract },
    math: { extract },
    exact: { extract },
    pattern: { require, forbid },
  }[kind as 'numeric' | 'math' | 'choice' | 'exact' | 'pattern']
  const task = taskFor({ output: 'answer', graders: [{ kind, ...fields }] })
  return { ...task, hidden: { tests: {}, ...(answer !== undefined && { solution: { answer } }) } }
}

/** Reads the data of a reply: the value that fits a JSON Schema. */
export function readAsData(reply: string, { schema = '' }: GradeOptions): Reading {
  const { rest, thoughts } = splitThoughts(reply)
  const wanted = schemaIn(schema)
  const read = readData(rest, wanted.shape, { schema: wanted.schema })
  return 'data' in read
    ? { as: 'data', thoughts, read: read.data, passed: true, reason: fitsText(read.repairs) }
    : { as: 'data', thoughts, passed: false, reason: read.problem }
}

const fitsText = (repairs: readonly string[] = []) =>
  `it fits the schema${repairs.length > 0 ? `; repaired: ${repairs.join(', ')}` : ''}`

function schemaIn(file: string): { schema: JsonSchema; shape: z.ZodType } {
  const text = readUserFile('--schema', file)
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      throw new Error('it is not a JSON object')
    return { schema: schema as JsonSchema, shape: z.fromJSONSchema(schema as JsonSchema) }
  } catch (error) {
    throw new UserError({
      where: `--schema ${file}`,
      what: `is no JSON Schema that bench can use: ${(error as Error).message}`,
      fix: 'Write a JSON Schema, such as {"type":"object","properties":{"approved":{"type":"boolean"}}}.',
    })
  }
}

/** Reads the code of a reply; without an entry point its files. Runs nothing. */
export function readAsWork(reply: string, options: GradeOptions): Reading {
  const { rest, thoughts } = splitThoughts(reply)
  const task = workTask(options)
  const { edits, rejected, notes, found } = readWork(task, rest)
  const isDelivered = edits.length > 0
  const files = Object.fromEntries(edits.map(({ path, content }) => [path, content]))
  const whole = Object.entries(files).filter((file): file is [string, string] => file[1] !== null)
  const elided = elidedText(task, Object.fromEntries(whole))
  const told = ['the tests would run on this; nothing was run', ...elided]
  return {
    as: 'tests',
    thoughts,
    ...(isDelivered && { read: edits.map(({ path }) => path).join(', ') }),
    ...(found !== undefined && { found }),
    ...(isDelivered && { files }),
    ...(rejected.length > 0 && { refused: rejected }),
    ...(notes.length > 0 && { notes }),
    passed: isDelivered,
    reason: isDelivered ? told.join('; ') : nothingDelivered(task.spec),
  }
}

const endings: Readonly<Record<string, string>> = { python: 'py', javascript: 'mjs', typescript: 'ts' }

function workTask({ language = 'python', entryPoint }: GradeOptions): Task {
  const path = `solution.${endings[language]}`
  return entryPoint === undefined
    ? taskFor({ output: 'files', language, editable: ['**'] })
    : taskFor({ output: 'function', language, entryPoint, editable: [path] })
}

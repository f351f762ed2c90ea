import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Task } from '../schema/task.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { checkFile, numberedFiles, runningExample, topLevelNames } from './code/python-check.ts'
import { readCases, type TestCase } from './code/quixbugs-cases.ts'
import { readLines } from './files/read-lines.ts'
import { makeTask } from './make-task.ts'
import { formatExamples } from './python-examples.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'quixbugs'
const faulty = 'python_programs'
const correct = 'correct_python_programs'
const jsonCases = 'json_testcases'
const pytests = 'python_testcases'

/** The Python programs of QuixBugs, by the layout of its repository: each is a file with a fault to mend, graded by its JSON cases. */
export const quixbugs: Importer = {
  name: suite,
  summary: "the folder of QuixBugs: Python programs to mend, graded by the suite's JSON cases",
  recognises: (sample) =>
    sample.kind === 'folder' &&
    [faulty, correct, jsonCases].every((folder) => sample.paths.includes(`${folder}/`))
      ? 'certain'
      : undefined,
  async *read({ path }): AsyncGenerator<SuiteItem> {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError({ where: path, what: 'is not a folder', fix })
    for (const folder of [faulty, correct, jsonCases])
      if (textFiles(join(path, folder)) === undefined) throw new UserError(noFolder(path, folder))
    const leftOut: string[] = []
    for (const file of textFiles(join(path, faulty)) ?? []) {
      const name = basename(file, '.py')
      if (!file.endsWith('.py') || name.endsWith('_test')) continue
      const item = await readProgram(path, name)
      if (item === 'helper') continue
      if (item === 'without cases') leftOut.push(name)
      else yield item
    }
    if (leftOut.length > 0) yield { note: leftOutNote(leftOut) }
  },
}

const fix = 'Give the folder of a clone of github.com/jkoppel/QuixBugs.'

const noFolder = (path: string, folder: string): Problem => ({
  where: path,
  what: `contains no folder ${folder}`,
  fix,
})

const leftOutNote = (names: readonly string[]) =>
  `${names.length} ${names.length === 1 ? 'program has' : 'programs have'} no file in ${jsonCases} and ${names.length === 1 ? 'is' : 'are'} left out, such as those that work on graphs: ${names.join(', ')}`

/** Reads one program. Without a fault in it, it is a helper of others. */
async function readProgram(path: string, name: string): Promise<SuiteItem | 'helper' | 'without cases'> {
  const read = (folder: string, file: string) => readTextFile(join(path, folder), file)
  const program = (await read(faulty, `${name}.py`)) ?? ''
  const solutionPath = join(path, correct, `${name}.py`)
  const solution = await read(correct, `${name}.py`)
  if (solution === program) return 'helper'
  const casesPath = join(path, jsonCases, `${name}.json`)
  const lines = await read(jsonCases, `${name}.json`)
  if (lines === undefined) return 'without cases'
  if (solution === undefined)
    return { problems: [{ where: solutionPath, what: 'is missing', fix: 'It is the reference.' }] }
  for (const [code, folder] of [
    [program, faulty],
    [solution, correct],
  ] as const)
    if (topLevelNames(code).get(name)?.kind !== 'function')
      return { problems: [{ where: join(path, folder, `${name}.py`), what: `does not define ${name}` }] }
  const pytest = (await read(pytests, `test_${name}.py`)) ?? ''
  const cases = readCases(lines, pytest, casesPath)
  return 'problems' in cases ? cases : { task: toTask({ name, program, solution, ...cases }) }
}

interface Program {
  name: string
  program: string
  solution: string
  cases: readonly TestCase[]
  /** Cases that the suite's own tests skip, since they take too long. */
  skipped: number
}

/** Seconds would be enough for all programs, if some references were not slow; the suite's own tests skip cases of these. */
const timeoutMs = { usual: 20_000, slow: 120_000 }

function toTask({ name, program, solution, cases, skipped }: Program): Task {
  const file = `${name}.py`
  const shown = cases.slice(0, Math.min(2, Math.floor(cases.length / 3)))
  const examples = caseExamples(name, shown)
  const tests = caseChecks(name, cases)
  const time = skipped > 0 ? timeoutMs.slow : timeoutMs.usual
  const spec = {
    id: name,
    title: `Mend ${name}`,
    output: 'function' as const,
    language: 'python' as const,
    entryPoint: name,
    editable: [file],
    graders: [
      {
        kind: 'tests' as const,
        runner: 'python-check' as const,
        expectTests: cases.length,
        timeoutMs: time,
      },
    ],
    ...(shown.length > 0 && {
      checks: { runner: 'python-doctest' as const, expectTests: examples.count, timeoutMs: time },
    }),
    requires: ['python3'],
    licence: 'MIT',
    source: `QuixBugs ${name} (github.com/jkoppel/QuixBugs)`,
    ...(skipped > 0 && { knownIssues: [skippedIssue(skipped, cases.length + skipped)] }),
  }
  return makeTask({
    suite,
    spec,
    instruction: instruction(name, program, shown),
    files: { [file]: program },
    checks: shown.length > 0 ? { 'examples.txt': examples.text } : {},
    hidden: {
      tests,
      solution: { files: { [file]: solution } },
      mutants: { 'the faulty program': { files: { [file]: program } } },
    },
    origin: file,
  })
}

const skippedIssue = (skipped: number, all: number) =>
  `${skipped} of its ${all} cases ${skipped === 1 ? 'is' : 'are'} left out, as in the suite's own tests: the reference needs minutes or more.`

function instruction(name: string, program: string, shown: readonly TestCase[]): string {
  const examples =
    shown.length === 0
      ? ''
      : `\nThis must hold, as must other cases; tuples and generators count as lists:\n\n\`\`\`python\n${shown.map((one) => caseLine(name, one)).join('\n')}\n\`\`\`\n`
  return `The Python function \`${name}\` in \`${name}.py\` has a fault. One wrong line is the cause. Mend it:

\`\`\`python
${program.trim()}
\`\`\`
${examples}
Keep its name and parameters. Use the standard library only.`
}

/** JSON knows only lists, so tuples and iterators are compared as lists. */
const asLists = `def as_lists(value):
    if isinstance(value, tuple) or hasattr(value, "__next__"):
        value = list(value)
    return [as_lists(one) for one in value] if isinstance(value, list) else value`

const caseChecks = (name: string, cases: readonly TestCase[]): Record<string, string> =>
  numberedFiles(
    cases.map(({ values, expected, tolerance }) => {
      const result = `result = as_lists(${name}(${values.join(', ')}))`
      const right =
        tolerance === undefined ? `result == ${expected}` : `abs(result - ${expected}) <= ${tolerance}`
      return checkFile(name, [asLists], `${result}\nassert ${right}, repr(result)[:200]`)
    }),
  )

/** Returns cases as examples for `python-doctest`, and how many examples these are. */
function caseExamples(name: string, cases: readonly TestCase[]): { text: string; count: number } {
  const helper = cases.some(needsLists) ? [runningExample(asLists)] : []
  const examples = [
    ...helper,
    ...cases.map((one) => {
      const { expected, tolerance } = one
      if (tolerance !== undefined) return { source: caseLine(name, one), want: '' }
      const call = callOf(name, one)
      return { source: needsLists(one) ? `as_lists(${call})` : call, want: expected }
    }),
  ]
  return { text: formatExamples(examples), count: examples.length }
}

function caseLine(name: string, one: TestCase): string {
  const { expected, tolerance } = one
  const call = callOf(name, one)
  return tolerance === undefined ? `${call} == ${expected}` : `abs(${call} - ${expected}) <= ${tolerance}`
}

const callOf = (name: string, { values }: TestCase) => `${name}(${values.join(', ')})`
const needsLists = ({ expected }: TestCase) => expected.startsWith('[')

/** Returns the names of a folder's files in order, links among them; undefined if there is no such folder. */
function textFiles(folder: string): string[] | undefined {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory())
  return entries.map(({ name }) => name).sort()
}

/**
 * Reads a text file of a folder whole, without a byte order mark and with `\n` as line ends; undefined if it is missing. Throws
 * `UserError` like `readLines`, and for a link: a suite must not name files outside of its folder.
 */
async function readTextFile(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, name)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  if (found.isSymbolicLink())
    throw new UserError({
      where: path,
      what: 'is a symbolic link',
      fix: 'Replace it with a copy of the file.',
    })
  const lines: string[] = []
  for await (const { text } of readLines(path)) lines.push(text)
  return lines.map((line) => `${line}\n`).join('')
}

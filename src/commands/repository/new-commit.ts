import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import picomatch from 'picomatch'
import { safeLine } from '../../reports/words/safe-text.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { untilInterrupted } from '../tasks/ask-missing.ts'
import { finishTask, newTaskFolder } from '../tasks/finish-task.ts'
import { reportNote } from '../terminal/report-error.ts'
import { parseWholeNumber } from '../values/parse-values.ts'
import { takeApart, usualTests } from './commit-change.ts'
import { readCommit, readTexts } from './commit-files.ts'
import { commitTask, readIncluded, repositoryName } from './commit-task.ts'
import { type FoundTests, findCommitTests, foundText } from './find-tests.ts'
import { installedPackages, packageNotes } from './installed-packages.ts'
import { type Recognised, recogniseRunner, runnerNotes } from './recognise-runner.ts'
import { parseTestCommand } from './test-command.ts'
import type { TestsFailure } from './tests-failure.ts'

interface NewOptions {
  repo?: string
  commit?: string
  tests?: string
  testFiles?: string
  only?: string
  include?: readonly string[]
  requires?: string
  instruction?: string
  title?: string
  id?: string
  out: string
  timeout?: string
  parallel?: string
}

/** `bench tasks new --repo DIR --commit C --tests COMMAND` makes a task of a commit and proves it. The exit code is 1 if the proof fails. */
export default async function newTask(options: NewOptions): Promise<number> {
  const { repo, commit, tests } = requireOptions(options)
  const problems: Problem[] = []
  const seconds = parseWholeNumber(problems, '--timeout', options.timeout, 120)
  if (problems.length > 0) throw new UserError(problems)
  const state = await readCommit(repo, commit)
  const runner = recogniseRunner(tests, await readTexts(repo, state.after, isSetting))
  const testCommand = parseTestCommand(tests, runner)
  const requires = [...new Set([...testCommand.requires, ...words(options.requires)])]
  await requireTools(requires)
  const id = options.id ?? usualId(repo, state.commit)
  const folder = newTaskFolder(options.out, id)
  const globs =
    options.testFiles === undefined ? [...usualTests, ...oddTests(runner)] : words(options.testFiles)
  const parts = await takeApart(state, { repository: repo, tests: globs, only: words(options.only) })
  const included = readIncluded(resolve(repo), options.include ?? [])
  const instruction = options.instruction === undefined ? undefined : readInstruction(options.instruction)
  const after = { ...included.files, ...parts.files, ...parts.solution, ...parts.tests }
  const packages = installedPackages(
    resolve(repo),
    runner ? [...runner.files, ...runner.setup] : [],
    after,
    packagesOf(options.include ?? []),
  )
  const all = {
    ...parts,
    files: { ...included.files, ...parts.files },
    tests: { ...withoutKnown(packages.files, after), ...parts.tests },
  }
  const taken = {
    ...{ id, title: options.title, instruction, tests: globs },
    ...{ timeoutMs: 1000 * seconds, repository: resolve(repo) },
  }
  const create = (found: FoundTests | undefined) =>
    commitTask(state, all, { ...testCommand, requires, runner }, taken, found)
  const leftOut = included.leftOut.length
  for (const note of [...parts.notes, ...runnerNotes(runner), ...packageNotes(packages)]) reportNote(note)
  if (leftOut > 0) reportNote(`--include leaves out ${leftOut} files, such as ${included.leftOut[0]}`)
  return untilInterrupted(async (signal) => {
    reportNote('running the tests before the commit and after it, in the sandbox')
    const found = await findCommitTests(create(undefined), signal)
    if ('fix' in found) return reportFailure(tests, found)
    const made = create(found)
    const next = nextSteps(folder, instruction !== undefined, Object.keys(made.files ?? {}).length)
    return finishTask(folder, made, { signal, generate: 2, facts: foundText(found), next })
  })
}

function requireOptions({ repo, commit, tests }: NewOptions) {
  const given = { '--repo DIR': repo, '--commit COMMIT': commit, "--tests 'COMMAND'": tests }
  const missing = Object.entries(given).filter(([, value]) => value === undefined || value === '')
  if (repo !== undefined && commit !== undefined && tests !== undefined && missing.length === 0)
    return { repo, commit, tests }
  throw new UserError(
    missing.map(([flag]) => ({
      where: flag.split(' ')[0] as string,
      what: 'is missing',
      fix: `Write bench tasks new --repo . --commit COMMIT --tests 'npm test', or use bench tasks new question or code.`,
    })),
  )
}

/** Returns the packages that `--include` names whole; what they depend on is taken, too. */
const packagesOf = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => /^(?:\.\/)?node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)\/?$/.exec(path)?.[1] ?? [])

/** Files that say how tests run. */
const isSetting = (path: string) =>
  /^(?:package\.json|(?:vitest|vite|jest)[\w.-]*\.(?:[cm]?[jt]s|json))$/.test(path)

/** Test files of the command that have no usual name. */
const oddTests = (runner: Recognised | undefined): string[] =>
  (runner?.files ?? []).filter((path) => !picomatch.isMatch(path, [...usualTests], { dot: true }))

const withoutKnown = (files: Readonly<Record<string, string>>, known: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => known[path] === undefined))

const words = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

async function requireTools(requires: readonly string[]): Promise<void> {
  const missing = (await findTools(requires)).filter(({ found }) => !found)
  if (missing.length > 0)
    throw new UserError(
      missing.map(({ name, remedy }) => problemAt('--tests', `needs ${name}, which is missing`, remedy)),
    )
}

const usualId = (repo: string, commit: string) =>
  `${repositoryName(resolve(repo))}-${commit.slice(0, 8)}`
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')

function readInstruction(file: string): string {
  const where = `--instruction ${file}`
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(problemAt(where, `cannot be read: ${(error as Error).message}`, 'Give a text file.'))
  }
  if (text.trim() === '')
    throw new UserError({ where, what: 'is empty', fix: 'Write in it what the agents should do.' })
  return text
}

function reportFailure(tests: string, { what, fix, excerpt }: TestsFailure): number {
  const lines = [
    `bench: [--tests ${tests}] ${what}.`,
    `bench: ${fix}`,
    ...excerpt.map((line) => `    ${line}`),
  ]
  process.stderr.write(`${lines.map(safeLine).join('\n')}\n`)
  return 2
}

/** Above this many files, methods that show an agent all files send long prompts. */
const manyFiles = 200

const nextSteps = (folder: string, hasInstruction: boolean, files: number): string[] => [
  ...(hasInstruction
    ? []
    : [
        `Rewrite ${shellWord(`${folder}/instruction.md`)}: it is the commit's message, which was not written as a task.`,
      ]),
  ...(files > manyFiles
    ? [
        `It has ${files} files, and methods that show files show many of them. --only takes a part of the repository.`,
      ]
    : []),
]

import { lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import picomatch from 'picomatch'
import { normalizePath, sizeLimits } from '../../sandbox/folders/paths.ts'
import { readPlainText } from '../../sandbox/folders/read-inside.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import type { TaskFolder } from '../tasks/finish-task.ts'
import type { CommitParts } from './commit-change.ts'
import type { CommitState } from './commit-files.ts'
import type { FoundTests } from './find-tests.ts'
import type { Recognised } from './recognise-runner.ts'
import type { TestCommand } from './test-command.ts'

/** What a person may say of a task that is made of a commit. */
interface CommitTaskOptions {
  id: string
  title: string | undefined
  /** The text of the instruction; undefined: the commit's message. */
  instruction: string | undefined
  /** Globs of tests. */
  tests: readonly string[]
  timeoutMs: number
  repository: string
}

/** Files that decide how tests run. A method may change them only if the commit did. */
const settings = picomatch(
  [
    ...[
      'package.json',
      'package-lock.json',
      'yarn.lock',
      'pnpm-lock.yaml',
      '.npmrc',
      '.mocharc*',
      'Makefile',
    ],
    ...[
      '{jest,vitest,vite,babel,ava,karma}.config.*',
      'tsconfig*.json',
      'pytest.ini',
      'setup.cfg',
      'tox.ini',
    ],
    ...['pyproject.toml', 'noxfile.py', 'node_modules/**'],
  ],
  { dot: true },
)

/** Returns the folder of the task of a commit. Without found tests it has the grader that finds them. */
export function commitTask(
  state: CommitState,
  { files, tests, solution, isTest }: CommitParts,
  { command, requires, runner }: TestCommand & { runner: Recognised | undefined },
  options: CommitTaskOptions,
  found: FoundTests | undefined,
): TaskFolder {
  const { title, text } = messageOf(state.message)
  const paths = [...Object.keys(files), ...Object.keys(tests)]
  const testGlobs = options.tests.filter((glob) =>
    paths.some((path) => picomatch.isMatch(path, glob, { dot: true })),
  )
  const fixed = Object.keys(files).filter((path) => settings(path) && solution[path] === undefined)
  const isPackage = (path: string) => path.startsWith('node_modules/')
  const own = fixed.filter((path) => !isPackage(path) && !isTest(path))
  const commit = state.commit.slice(0, 12)
  return {
    spec: {
      id: options.id,
      title: (options.title ?? title).slice(0, 120) || options.id,
      output: 'files',
      language: languageOf(Object.keys(solution)),
      ...(runner && runner.runner !== 'command' && { grading: 'one-process' as const }),
      editable: [
        '**',
        ...testGlobs.map((glob) => `!${glob}`),
        ...own.map((path) => `!${escapeGlob(path)}`),
        ...(paths.some(isPackage) ? ['!node_modules/**'] : []),
      ],
      graders: [
        {
          ...{ kind: 'tests', testsIn: 'root', timeoutMs: options.timeoutMs },
          ...runOf(runner, command, found),
          ...testsOf(found),
        },
      ],
      requires,
      source: `commit ${commit} of ${repositoryName(options.repository)}`,
      // Changes of one repository are alike, as with imports.
      cluster: repositoryName(options.repository),
      ...(options.instruction === undefined && {
        knownIssues: ['The instruction is the message of the commit, and no person has rewritten it.'],
      }),
    },
    instruction: options.instruction ?? text,
    ...{ files, tests, solution },
  }
}

function runOf(runner: Recognised | undefined, command: readonly string[], found: FoundTests | undefined) {
  if (runner === undefined || runner.runner === 'command')
    return { runner: 'command' as const, command: [...(runner?.command ?? command)] }
  const { runner: name, setup } = runner
  const tooMany = (found && 'tooMany' in found && found.tooMany) || []
  const files = runner.files.filter((path) => !tooMany.includes(path))
  return { runner: name, files, ...(setup.length > 0 && { setup }) }
}

function testsOf(found: FoundTests | undefined) {
  if (found === undefined) return { expectTests: 1, failToPass: [] }
  if ('count' in found) return { expectTests: found.count }
  const { failToPass, passToPass } = found
  return { expectTests: failToPass.length + passToPass.length, failToPass, passToPass }
}

function messageOf(message: string): { title: string; text: string } {
  const lines = message.replaceAll('\r', '').trim().split('\n')
  const kept = lines.filter(
    (line, i) => i === 0 || !/^[A-Z][\w-]*(?:-by|-id|-url)?: \S.*(?:@|:\/\/|^[0-9a-f]{7,})/i.test(line),
  )
  return { title: lines[0]?.trim() ?? '', text: kept.join('\n').trim() || 'Make the change.' }
}

const endings: readonly [RegExp, 'typescript' | 'javascript' | 'python'][] = [
  [/\.[cm]?tsx?$/, 'typescript'],
  [/\.[cm]?jsx?$/, 'javascript'],
  [/\.py$/, 'python'],
]

const languageOf = (paths: readonly string[]) =>
  endings.find(([ending]) => paths.some((path) => ending.test(path)))?.[1] ?? 'text'

const escapeGlob = (path: string) => path.replace(/[\\*?[\]{}()!+@]/g, '\\$&')

/** Returns the name of a repository's folder: `project` for project/, project.git and project/.git. */
export const repositoryName = (folder: string): string =>
  basename(folder.replace(/[/\\]\.git$/, '')).replace(/\.git$/, '')

/** Files that are not in git, such as installed packages. */
interface Included {
  files: Record<string, string>
  /** Paths that a task cannot hold, with reasons. */
  leftOut: string[]
}

/**
 * Reads the text files of paths in a working folder, such as `node_modules/left-pad`. Does not follow links. Throws `UserError` for a
 * path that is not there, that leads out, or that holds more than a task may have.
 */
export function readIncluded(folder: string, paths: readonly string[]): Included {
  const included: Included = { files: {}, leftOut: [] }
  let bytes = 0
  const take = (path: string): void => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    if (found?.isDirectory())
      for (const name of readdirSync(join(folder, path)).sort()) take(`${path}/${name}`)
    else if (found?.isFile()) {
      const text = readPlainText(join(folder, path), sizeLimits.fileBytes)
      if (text.reason !== undefined || text.content.includes('\0'))
        return void included.leftOut.push(`${path} (${text.reason ?? 'is no text'})`)
      included.files[path] = text.content
      bytes += text.size
      if (bytes > sizeLimits.bytes || Object.keys(included.files).length > sizeLimits.files)
        throw new UserError({
          where: `--include ${path}`,
          what: `is more than a task may have: ${sizeLimits.files} files or ${sizeLimits.bytes} bytes`,
          fix: 'Include only the packages that the tests import.',
        })
    } else included.leftOut.push(`${path} (is a link or no file)`)
  }
  for (const given of paths) {
    const path = normalizePath(given)
    if ('problem' in path)
      throw new UserError(problemAt(`--include ${given}`, path.problem, 'Give a path in the repository.'))
    const steps = path.path
      .split('/')
      .map((_, i, parts) => lstatSync(join(folder, ...parts.slice(0, i + 1)), { throwIfNoEntry: false }))
    if (steps.some((step) => step?.isSymbolicLink()))
      throw new UserError({
        where: `--include ${given}`,
        what: 'lies behind a link, which a task cannot hold',
        fix: 'Leave out --include if it is a package that tests import: bench takes these by itself, also through links. Otherwise give the path that the link leads to.',
      })
    if (steps.includes(undefined))
      throw new UserError({
        where: `--include ${given}`,
        what: `is not in ${folder}`,
        fix: 'Give a path that is there. If it is a package, install it first, for example with npm ci; for a bare repository, make a clone first.',
      })
    take(path.path)
  }
  return included
}

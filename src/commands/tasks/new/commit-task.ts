import { basename } from 'node:path'
import picomatch from 'picomatch'
import type { CommitParts } from './commit-change.ts'
import type { FoundTests } from './find-tests.ts'
import type { CommitState } from './repository.ts'
import type { TestCommand } from './test-command.ts'
import type { TaskFolder } from './write-task.ts'

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
  { command, requires }: TestCommand,
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
      editable: [
        '**',
        ...testGlobs.map((glob) => `!${glob}`),
        ...own.map((path) => `!${escapeGlob(path)}`),
        ...(fixed.some(isPackage) ? ['!node_modules/**'] : []),
      ],
      graders: [
        {
          ...{ kind: 'tests', runner: 'command', command, testsIn: 'root', timeoutMs: options.timeoutMs },
          ...testsOf(found),
        },
      ],
      requires,
      source: `commit ${commit} of ${repositoryName(options.repository)}`,
      ...(options.instruction === undefined && {
        knownIssues: ['The instruction is the message of the commit, and no person has rewritten it.'],
      }),
    },
    instruction: options.instruction ?? text,
    ...{ files, tests, solution },
  }
}

function testsOf(found: FoundTests | undefined) {
  if (found === undefined) return { expectTests: 1 }
  if ('count' in found) return { expectTests: found.count }
  const { failToPass, passToPass } = found
  return { expectTests: failToPass.length + passToPass.length, failToPass, passToPass }
}

/** Returns the first line of a message and the whole, without lines such as `Signed-off-by:`. */
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

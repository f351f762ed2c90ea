import picomatch from 'picomatch'
import { newPathProblem, sizeLimits } from '../../sandbox/folders/paths.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { contentReason, fileReason } from '../tasks/workspace-files.ts'
import { type CommitState, readBlobs, type TreeEntry } from './commit-files.ts'

/** Paths of tests in most repositories. */
export const usualTests: readonly string[] = [
  ...['**/test/**', '**/tests/**', '**/__tests__/**', '**/spec/**', '**/specs/**'],
  ...['**/*.test.*', '**/*.spec.*', '**/*_test.*', '**/*_spec.*', '**/test_*.py', '**/conftest.py'],
]

interface Taking {
  repository: string
  /** Globs of test files. */
  tests: readonly string[]
  /** Globs of the paths to take; empty: all. */
  only: readonly string[]
}

/** A commit as the parts of a task. */
export interface CommitParts {
  /** The state before the commit, without binary files and the like. */
  files: Record<string, string>
  /** The test files that the commit added or changed, as they are after it. */
  tests: Record<string, string>
  /** The rest of the change: what a solution is. */
  solution: Record<string, string>
  isTest: (path: string) => boolean
  notes: string[]
}

/** Takes a commit apart. Throws `UserError` with each part of the change that a task cannot hold. */
export async function takeApart(
  state: CommitState,
  { repository, tests, only }: Taking,
): Promise<CommitParts> {
  const isTest = picomatch([...tests], { dot: true })
  const isTaken = takenBy(only)
  const where = `--commit ${state.commit.slice(0, 10)}`
  const before = [...state.before.values()].filter(({ path }) => isTaken(path))
  const changed = [...state.after.values()].filter(
    ({ path, id, mode }) => isTaken(path) && isChange(state.before.get(path), { id, mode }),
  )
  const removed = before.filter(({ path }) => !state.after.has(path))
  const sizeProblem = sizeProblems(where, [...before, ...changed])
  if (sizeProblem) throw new UserError(sizeProblem)
  const readable = [...before, ...changed].filter(({ mode }) => mode.startsWith('100'))
  const blobs = await readBlobs(
    repository,
    readable.map(({ id }) => id),
  )
  const textOf = (entry: TreeEntry) => read(entry, blobs)
  const problems: Problem[] = []
  const taken = (entry: TreeEntry): [string, string][] => {
    const text = textOf(entry)
    if ('content' in text) return [[entry.path, text.content]]
    const fix = `Leave it out with --only '!${entry.path}', or name a commit without this file.`
    problems.push({ where: `${where} ${entry.path}`, what: text.reason, fix })
    return []
  }
  const inTests = changed.filter(({ path }) => isTest(path)).flatMap(taken)
  const solution = changed.filter(({ path }) => !isTest(path)).flatMap(taken)
  if (problems.length > 0) throw new UserError(problems)
  if (inTests.length === 0)
    throw new UserError({
      where,
      what: 'adds or changes no test file, so nothing could grade the task',
      fix: `Name a commit with tests, or say where they are with --test-files. These count as tests: ${tests.join(',')}.`,
    })
  if (solution.length === 0)
    throw new UserError({
      where,
      what: 'changes nothing but tests, so there is nothing to do',
      fix: 'Name the commit that changed the code. If the tests came later, squash both into one commit in a copy.',
    })
  const leftOut: string[] = []
  const files = before.flatMap((entry): [string, string][] => {
    if (isTest(entry.path) && !state.after.has(entry.path)) return []
    const text = textOf(entry)
    if ('content' in text) return [[entry.path, text.content]]
    leftOut.push(`${entry.path} (${text.reason})`)
    return []
  })
  const gone = removed.filter(({ path }) => !isTest(path)).map(({ path }) => path)
  return {
    files: Object.fromEntries(files),
    tests: Object.fromEntries(inTests),
    solution: Object.fromEntries(solution),
    isTest,
    notes: [
      ...(leftOut.length > 0 ? [`left out: ${listed(leftOut)}`] : []),
      ...(gone.length > 0
        ? [`the commit removes ${listed(gone)}; a reference solution cannot, so it leaves them`]
        : []),
    ],
  }
}

/** A glob that begins with `!` leaves paths out. */
function takenBy(only: readonly string[]): (path: string) => boolean {
  const [without, wanted] = [true, false].map((isOut) =>
    only.filter((glob) => glob.startsWith('!') === isOut),
  ) as [string[], string[]]
  const isWanted = wanted.length === 0 ? () => true : picomatch(wanted, { dot: true })
  const isOut = picomatch(
    without.map((glob) => glob.slice(1)),
    { dot: true },
  )
  return (path) => isWanted(path) && !isOut(path) && !without.includes(`!${path}`)
}

const isChange = (before: TreeEntry | undefined, { id, mode }: Pick<TreeEntry, 'id' | 'mode'>) =>
  before?.id !== id || before.mode.slice(0, 3) !== mode.slice(0, 3)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the text of an entry, or why a task cannot hold it. */
function read(
  { path, mode, id }: TreeEntry,
  blobs: ReadonlyMap<string, Buffer>,
): { content: string } | { reason: string } {
  const named = newPathProblem(path)
  if (named !== undefined) return { reason: named }
  if (mode === '160000') return { reason: 'is a submodule' }
  if (mode === '120000') return { reason: 'is a symbolic link' }
  const bytes = blobs.get(id)
  if (!bytes) return { reason: 'is not in this repository; it may be a partial clone' }
  if (bytes.length > sizeLimits.fileBytes)
    return { reason: `has ${bytes.length} bytes; a task's file may have ${sizeLimits.fileBytes}` }
  if (bytes.includes(0)) return { reason: 'is a binary file' }
  if (bytes.toString('latin1', 0, 60).startsWith('version https://git-lfs.github.com/spec/'))
    return { reason: 'is a pointer of Git LFS: its content is not in the repository' }
  try {
    const content = decoder.decode(bytes)
    const reason = fileReason(path) ?? contentReason(content, path)
    return reason === undefined ? { content } : { reason }
  } catch {
    return { reason: 'is not UTF-8 text' }
  }
}

function sizeProblems(where: string, entries: readonly TreeEntry[]): Problem | undefined {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (entries.length <= sizeLimits.files && bytes <= sizeLimits.bytes) return undefined
  return {
    where,
    what: `has ${entries.length} files with ${bytes} bytes; a task may have ${sizeLimits.files} files and ${sizeLimits.bytes} bytes`,
    fix: "Take a part of the repository: --only 'src/**,test/**,package.json'.",
  }
}

function listed(words: readonly string[]): string {
  const most = 4
  const more = words.length > most ? ` and ${words.length - most} more` : ''
  return `${words.slice(0, most).join(', ')}${more}`
}

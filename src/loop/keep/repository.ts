import { runGit } from '../../sandbox/machine/run-git.ts'
import type { Files } from '../../schema/task.ts'
import { deletedPaths, type KeptFiles, writtenPaths } from './kept-files.ts'

/** Branch of the files that a trial began with. */
const startBranch = 'start'

/** The branch of the graded files, and the message of their commit. */
export interface GradedCommit {
  branch: string
  message: string
}

/**
 * Makes a repository without a working tree: the start on branch `start`, and on it the graded files on a branch of their own. Equal
 * files and names give equal hashes, and the start that of a chained workflow. Throws `GitError`.
 */
export async function makeRepository(folder: string, files: KeptFiles, graded: GradedCommit): Promise<void> {
  const initial = ['-c', `init.defaultBranch=${graded.branch}`, 'init', '--quiet', '--bare', '--template=']
  await runGit([...initial, folder])
  // One pack is fewer files than an object each.
  const importing = ['-c', 'fastimport.unpackLimit=0', `--git-dir=${folder}`, 'fast-import']
  await runGit([...importing, '--quiet', '--done', '--date-format=raw'], historyOf(files, graded))
}

/**
 * Returns both commits as input of `git fast-import`. `git add` would not do: a `.gitignore` or `.gitattributes` among the files
 * would leave files out and change others.
 */
function historyOf(files: KeptFiles, { branch, message }: GradedCommit): string {
  const deleted = deletedPaths(files).map((path) => `D ${quoted(path)}\n`)
  return [
    commit(startBranch, 'Start'),
    ...Object.keys(files.start).map((path) => file(files.start, path)),
    commit(branch, message),
    `from refs/heads/${startBranch}\n`,
    // First, since a new file may need the name of a folder that is gone.
    ...deleted,
    ...writtenPaths(files).map((path) => file(files.graded, path)),
    'done\n',
  ].join('')
}

/** 2000-01-01 in UTC, so that equal files give equal hashes; the same as in strategies/chained/repository.mjs. */
const person = 'bench <bench@localhost> 946684800 +0000'

const commit = (branch: string, message: string) =>
  `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n${data(message)}`

const file = (files: Files, path: string) => `M 100644 inline ${quoted(path)}\n${data(files[path] ?? '')}`

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

const quoted = (path: string) => `"${path.replace(/["\\]/g, '\\$&')}"`

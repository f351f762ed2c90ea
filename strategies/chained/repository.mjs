import { mkdirSync } from 'node:fs'
import { emptyFolder, feedGit, git } from './git.mjs'
import { listWork, readWork } from './work-files.mjs'

const startRef = 'refs/heads/start'
/** The same names and dates for each commit. */
const person = 'bench <bench@localhost> 946684800 +0000'

/** Makes a repository and commits the start state: the files of a folder. `toMode` can give them another mode. */
export async function createRepository(repository, folder, toMode) {
  mkdirSync(emptyFolder(repository), { recursive: true })
  git(repository, ['init', '--quiet', '--bare', '--template='], { env: { GIT_WORK_TREE: undefined } })
  git(repository, ['symbolic-ref', 'HEAD', startRef])
  await commitFolder(repository, { ref: startRef, folder, message: 'Start', toMode })
}

/**
 * Commits the files of a folder on a ref, which is replaced, and returns the hash of the commit. git gets names and bytes as they
 * are: no index, no attributes, no rules for ignored files.
 */
export async function commitFolder(repository, { ref, folder, message, parent, toMode = (mode) => mode }) {
  const text = Buffer.from(message)
  const lines = function* () {
    yield `commit ${ref}\nauthor ${person}\ncommitter ${person}\ndata ${text.length}\n`
    yield text
    yield `\n${parent === undefined ? '' : `from ${parent}\n`}deleteall\n`
    for (const file of listWork(folder)) {
      const content = readWork(folder, file)
      yield `M ${toMode(file.mode)} inline ${quotePath(file.path)}\ndata ${content.length}\n`
      yield content
      yield '\n'
    }
    yield 'done\n'
  }
  await feedGit(repository, ['fast-import', '--quiet', '--force', '--done'], lines())
  return hashOf(repository, ref)
}

/** A path as a text in quotes that git reads. */
export const quotePath = (path) => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** Returns the hash of the start commit. */
export const startCommit = (repository) => hashOf(repository, startRef)

/** Returns the hash that a name of git stands for, such as `refs/heads/start` or `HASH^{tree}`. */
export const hashOf = (repository, name) => git(repository, ['rev-parse', '--verify', name]).toString().trim()

/** Returns the files of a commit: path, mode and bytes. */
export function filesOfCommit(repository, commit) {
  const entries = fieldsOf(git(repository, ['ls-tree', '-r', '-z', '--full-tree', commit])).map((line) => {
    const [head, path] = splitOnce(line, '\t')
    const [mode, , hash] = head.split(' ')
    return { path, mode, hash }
  })
  const contents = readBlobs(
    repository,
    entries.map(({ hash }) => hash),
  )
  return entries.map(({ path, mode, hash }) => ({ path, mode, bytes: contents.get(hash) }))
}

/** Returns the paths that differ between two commits, with the hash of the content on both sides. */
export function changedFiles(repository, from, to) {
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index']
  const fields = fieldsOf(git(repository, [...words, from, to]))
  const changes = []
  for (let at = 0; at < fields.length; at += 2) {
    const [, , before, after] = fields[at].split(' ')
    changes.push({ path: fields[at + 1], before, after })
  }
  return changes
}

const fieldsOf = (bytes) => bytes.toString().split('\0').slice(0, -1)

const splitOnce = (text, mark) => [text.slice(0, text.indexOf(mark)), text.slice(text.indexOf(mark) + 1)]

/** Returns the bytes of blobs by hash. */
export function readBlobs(repository, hashes) {
  const wanted = [...new Set(hashes)]
  const found = new Map()
  const output = git(repository, ['cat-file', '--batch'], {
    input: wanted.map((hash) => `${hash}\n`).join(''),
  })
  let at = 0
  for (const hash of wanted) {
    const end = output.indexOf(10, at)
    const size = Number(output.toString('latin1', at, end).split(' ')[2])
    found.set(hash, output.subarray(end + 1, end + 1 + size))
    at = end + 1 + size + 1
  }
  return found
}

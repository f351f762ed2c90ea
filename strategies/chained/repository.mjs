import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listWork, readWork, textOf } from './work-files.mjs'

// A repository of the workflow's own. Its branch `start` holds the files that the workflow began with. Nothing of the user's
// configuration, hooks, attributes or index takes part, so the same files have the same hashes on each machine.

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

/** Commits the files of a folder on a ref, and returns the hash of the commit. The ref is replaced. */
export async function commitFolder(repository, { ref, folder, message, parent, toMode = (mode) => mode }) {
  const importer = spawn('git', [...settings, 'fast-import', '--quiet', '--force', '--done'], {
    ...optionsOf(repository),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let stderr = ''
  importer.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise((resolve, reject) => {
    importer.on('close', resolve)
    importer.on('error', (error) => reject(gitProblem(error)))
  })
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
  const [fed, exit] = await Promise.allSettled([pipeline(Readable.from(lines()), importer.stdin), ended])
  if (exit.status === 'rejected') throw exit.reason
  if (exit.value !== 0) throw new Error(`git cannot keep the files: ${stderr.trim()}`)
  if (fed.status === 'rejected') throw fed.reason
  return hashOf(repository, ref)
}

const quotePath = (path) => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** Returns the hash of the start commit. */
export const startCommit = (repository) => hashOf(repository, startRef)

/** Returns the hash that a name of git stands for, such as `refs/heads/start` or `HASH^{tree}`. */
export const hashOf = (repository, name) => git(repository, ['rev-parse', '--verify', name]).toString().trim()

/** Returns the paths that differ between two commits, with the hash of the content on both sides. */
export function changedFiles(repository, from, to) {
  const fields = git(repository, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to])
    .toString()
    .split('\0')
  const changes = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before, after] = fields[at].split(' ')
    changes.push({ path: fields[at + 1], before, after })
  }
  return changes
}

/**
 * Returns the difference between two commits as a patch, in plain text: files that are no UTF-8 are in it as binary files.
 * `under` is put before each path.
 */
export function patchBetween(repository, from, to, under = '') {
  const attributes = join(repository, 'binary-files')
  const isText = (hash) =>
    /^0+$/.test(hash) || textOf(git(repository, ['cat-file', 'blob', hash])) !== undefined
  const binary = changedFiles(repository, from, to).filter(
    ({ before, after }) => !(isText(before) && isText(after)),
  )
  writeFileSync(attributes, binary.map(({ path }) => `${quotePattern(path)} -diff\n`).join(''))
  try {
    const words = ['--no-renames', '--full-index', '--binary', '--no-color', '--no-ext-diff', '--no-textconv']
    const places = [`--src-prefix=a/${under}`, `--dst-prefix=b/${under}`]
    const options = ['-c', `core.attributesFile=${attributes}`, 'diff', ...words, ...places]
    return git(repository, [...options, from, to]).toString()
  } finally {
    rmSync(attributes)
  }
}

/** Returns the texts of the files of a commit, by path. Links and files that are no text are left out. */
export function textsOf(repository, commit) {
  const texts = {}
  for (const line of git(repository, ['ls-tree', '-r', '-z', commit]).toString().split('\0')) {
    const [, mode, hash, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? []
    if (mode === undefined || mode === '120000') continue
    const text = textOf(git(repository, ['cat-file', 'blob', hash]))
    if (text !== undefined) texts[path] = text
  }
  return texts
}

/** A path as a pattern of .gitattributes that fits this path alone. */
const quotePattern = (path) => quotePath(`/${path.replace(/[\\*?[\]!]/g, '\\$&')}`)

/** Applies a patch to a commit, and returns the hash of the tree that comes out. */
export function treeOfPatch(repository, from, patch) {
  const index = join(repository, 'applied-index')
  const env = { GIT_INDEX_FILE: index }
  try {
    git(repository, ['read-tree', from], { env })
    if (patch !== '')
      git(repository, ['apply', '--cached', '--whitespace=nowarn', '-'], { env, input: patch })
    return git(repository, ['write-tree'], { env }).toString().trim()
  } finally {
    rmSync(index, { force: true })
  }
}

/** Names that other systems cannot have are names all the same. */
const settings = [`core.hooksPath=${devNull}`, 'core.protectNTFS=false', 'core.protectHFS=false'].flatMap(
  (setting) => ['-c', setting],
)

function git(repository, words, { env = {}, input = '' } = {}) {
  const options = optionsOf(repository)
  const ended = spawnSync('git', [...settings, ...words], {
    ...options,
    env: { ...options.env, ...env },
    input,
  })
  if (ended.error) throw gitProblem(ended.error)
  if (ended.status !== 0)
    throw new Error(`git ${words.find((word) => /^[a-z]/.test(word))} failed: ${ended.stderr}`.trim())
  return ended.stdout
}

const gitProblem = (error) =>
  error.code === 'ENOENT' ? new Error('git is not installed; install it to work on files') : error

/** Attributes in the files must not change how git reads them, so git gets a work tree without files. */
const emptyFolder = (repository) => join(repository, 'no-files')

const optionsOf = (repository) => ({
  cwd: emptyFolder(repository),
  maxBuffer: 1024 ** 3,
  env: {
    PATH: process.env.PATH,
    HOME: emptyFolder(repository),
    XDG_CONFIG_HOME: emptyFolder(repository),
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_DIR: repository,
    GIT_WORK_TREE: emptyFolder(repository),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_DEFAULT_HASH: 'sha1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
  },
})

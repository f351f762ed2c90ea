import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { draftOf } from './drafts.mjs'
import { git } from './git.mjs'
import { changedFiles, quotePath, readBlobs } from './repository.mjs'
import { textOf } from './work-files.mjs'

/**
 * Returns the difference between two commits as a patch, in plain text: files that are no UTF-8 are in it as binary files.
 * `under` is put before each path.
 */
export function patchBetween(repository, from, to, under = '') {
  const attributes = draftOf(join(repository, 'binary-files'))
  writeFileSync(
    attributes,
    binaryPaths(repository, from, to)
      .map((path) => `${quotePattern(path)} -diff\n`)
      .join(''),
  )
  try {
    const shape = ['--no-renames', '--full-index', '--binary', '--no-color', '--no-ext-diff', '--no-textconv']
    const places = [`--src-prefix=a/${under}`, `--dst-prefix=b/${under}`]
    const words = ['-c', `core.attributesFile=${attributes}`, 'diff', ...shape, ...places]
    return git(repository, [...words, from, to]).toString()
  } finally {
    rmSync(attributes)
  }
}

function binaryPaths(repository, from, to) {
  const changes = changedFiles(repository, from, to)
  const isThere = (hash) => !/^0+$/.test(hash)
  const hashes = changes.flatMap(({ before, after }) => [before, after]).filter(isThere)
  const contents = readBlobs(repository, hashes)
  const isText = (hash) => !isThere(hash) || textOf(contents.get(hash)) !== undefined
  return changes.flatMap(({ path, before, after }) => (isText(before) && isText(after) ? [] : [path]))
}

/** A path as a pattern of .gitattributes that fits this path alone. */
const quotePattern = (path) => quotePath(`/${path.replace(/[\\*?[\]]/g, '\\$&')}`)

/** Applies a patch to a commit, and returns the hash of the tree that comes out. */
export function treeOfPatch(repository, from, patch) {
  const index = draftOf(join(repository, 'applied-index'))
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

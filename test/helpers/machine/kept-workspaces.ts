import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: '/' }

/** Returns what git prints about a repository without a working tree. Throws if git finds fault with it. */
export const gitSays = (repository: string, ...args: readonly string[]): string =>
  execFileSync('git', [`--git-dir=${repository}`, ...args], { env, encoding: 'utf8', stdio: 'pipe' })

/** Returns git's name of a text. */
const blobHash = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

/** Returns the files of a branch, as git's names of their texts by path. */
export function treeOf(repository: string, branch: string): Record<string, string> {
  const lines = gitSays(repository, 'ls-tree', '-r', '-z', '--full-tree', branch).split('\0').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => {
      const [, hash = '', path = ''] = /^100644 blob ([0-9a-f]{40})\t(.*)$/s.exec(line) ?? [line, '', line]
      return [path, hash]
    }),
  )
}

/** Returns the texts of a folder by path. */
export function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => !one.isDirectory(),
  )
  return Object.fromEntries(
    files
      .map((one) => join(one.parentPath, one.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}

/** Returns the names of the kept workspaces of a run. */
export const keptIn = (run: string): string[] => {
  const all = join(run, 'workspaces')
  return existsSync(all) ? readdirSync(all).sort() : []
}

/** Returns git's names of the texts of files, by path. */
export const hashesOf = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, blobHash(text)]))

/** A kept workspace: its refs, and its files. */
export interface KeptWorkspace {
  refs: string
  texts: Record<string, string>
}

/**
 * Reads all kept workspaces of a run by trial, without what a killed process may have left. Fails if one of them is not whole: git
 * finds fault with it, or its files are not those of its branch.
 */
export function readKept(run: string): Record<string, KeptWorkspace> {
  const whole = keptIn(run).filter((name) => !name.includes('.'))
  return Object.fromEntries(
    whole.map((trial) => {
      const place = join(run, 'workspaces', trial)
      const repository = join(place, 'repository')
      expect(gitSays(repository, 'fsck', '--strict', '--full'), trial).toBe('')
      const refs = gitSays(repository, 'for-each-ref', '--format=%(refname) %(objectname)')
      const [branch = ''] = refs.split(' ')
      const texts = textsIn(join(place, 'files'))
      expect(treeOf(repository, branch), trial).toEqual(hashesOf(texts))
      return [trial, { refs, texts }]
    }),
  )
}

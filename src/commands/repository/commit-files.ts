import { statSync } from 'node:fs'
import { readGit } from '../../sandbox/machine/git.ts'
import { UserError } from '../../text/errors.ts'

/** An entry of a commit's tree. */
export interface TreeEntry {
  path: string
  /** As git writes it: 100644, 100755 for programs, 120000 for links, 160000 for submodules. */
  mode: string
  id: string
  bytes: number
}

/** A commit with one parent, as it is in the repository. */
export interface CommitState {
  /** The whole hash. */
  commit: string
  message: string
  /** The tree before the commit and the tree after it, by path. */
  before: ReadonlyMap<string, TreeEntry>
  after: ReadonlyMap<string, TreeEntry>
}

/** Reads a commit of a repository, which may be bare. Throws `UserError` for one without a parent, or with several. */
export async function readCommit(repository: string, revision: string): Promise<CommitState> {
  const git = gitOf(repository)
  await requireRepository(repository)
  const where = `--commit ${revision}`
  const found = await readGit(repository, [
    ...['rev-parse', '--verify', '--quiet', '--end-of-options'],
    `${revision}^{commit}`,
  ])
  if ('failed' in found) {
    const isShallow = String(await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true'
    const fix = `Name a commit that git log --oneline lists${isShallow ? ', or run git fetch --unshallow: this clone holds only the last commits' : ''}.`
    throw new UserError({ where, what: 'is not a commit of this repository', fix })
  }
  const commit = String(found.output).trim()
  const raw = String(await git(['cat-file', 'commit', commit]))
  const end = raw.indexOf('\n\n')
  const parents = [...raw.slice(0, end).matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id]) => id as string)
  const [parent, second] = parents
  if (second !== undefined)
    throw new UserError({
      where,
      what: 'is a merge commit, which has no single state before it',
      fix: 'Name one of the commits that it merges.',
    })
  const there = parent === undefined ? undefined : await readGit(repository, ['cat-file', '-e', parent])
  if (parent === undefined || (there && 'failed' in there))
    throw new UserError({
      where,
      what:
        parent === undefined
          ? 'is the first commit, so there is no state before it'
          : 'is where this shallow clone ends: the state before it is not here',
      fix:
        parent === undefined ? 'Name a later commit.' : 'Run git fetch --unshallow, or name a later commit.',
    })
  return {
    commit,
    message: raw.slice(end + 2),
    before: await treeOf(repository, parent),
    after: await treeOf(repository, commit),
  }
}

async function requireRepository(repository: string): Promise<void> {
  const where = `--repo ${repository}`
  if (!statSync(repository, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({ where, what: 'is not a folder', fix: 'Give the folder of a git repository.' })
  const inside = await readGit(repository, ['rev-parse', '--git-dir'])
  if (!('failed' in inside)) return
  const fix = 'Give the folder of a repository; one that git clone or git init has made.'
  if (/git is not installed/.test(inside.failed))
    throw new UserError({ where, what: 'needs git, which is not installed', fix: 'Install git.' })
  const isNone = /not a git repository/.test(inside.failed)
  throw new UserError({ where, what: isNone ? 'is not in a git repository' : unread(inside.failed), fix })
}

const unread = (failed: string) => `cannot be read by git: ${failed.replace(/^(?:fatal|error): /, '')}`

async function treeOf(repository: string, commit: string): Promise<Map<string, TreeEntry>> {
  const listed = await gitOf(repository)(['ls-tree', '-r', '-z', '-l', '--full-tree', commit])
  const entries = listed.toString('utf8').split('\0').filter(Boolean)
  return new Map(
    entries.flatMap((line): [string, TreeEntry][] => {
      const [facts = '', path = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]
      const [mode = '', , id = '', bytes = '0'] = facts.split(/ +/)
      return [[path, { path, mode, id, bytes: Number(bytes) || 0 }]]
    }),
  )
}

/** Reads the contents of blobs by id. */
export async function readBlobs(repository: string, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(ids)]
  const blobs = new Map<string, Buffer>()
  if (wanted.length === 0) return blobs
  const output = await gitOf(repository)(['cat-file', '--batch'], `${wanted.join('\n')}\n`)
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const [id = '', kind, size = ''] = output.toString('latin1', at, end).split(' ')
    const start = end + 1
    if (kind === 'missing') {
      at = start
      continue
    }
    blobs.set(id, output.subarray(start, start + Number(size)))
    at = start + Number(size) + 1
  }
  return blobs
}

/** Returns the files of a tree by path, with the texts of those that are wanted; the others are empty. */
export async function readTexts(
  repository: string,
  tree: ReadonlyMap<string, TreeEntry>,
  isWanted: (path: string) => boolean,
): Promise<Record<string, string>> {
  const files = [...tree.values()].filter(({ mode }) => mode.startsWith('100'))
  const blobs = await readBlobs(
    repository,
    files.filter(({ path }) => isWanted(path)).map(({ id }) => id),
  )
  return Object.fromEntries(
    files.map(({ path, id }) => [path, isWanted(path) ? String(blobs.get(id) ?? '') : '']),
  )
}

function gitOf(repository: string) {
  return async (args: readonly string[], input = ''): Promise<Buffer> => {
    const read = await readGit(repository, args, input)
    if ('output' in read) return read.output
    throw new UserError({
      where: `--repo ${repository}`,
      what: unread(read.failed),
      fix: 'Check the repository with git fsck. Nothing of it was changed.',
    })
  }
}

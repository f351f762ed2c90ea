import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runFiles } from '../../loop/journal/run-files.ts'
import { blockFolders } from '../../loop/record/in-blocks.ts'
import { holderState, isOwnLock, lockPath, parseHolder, readLock } from '../../loop/record/lock.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import { readManifest } from '../../loop/record/run-folder.ts'
import { isOver, readSessions } from '../../loop/record/sessions.ts'
import { runTool, withoutGit, withoutSecrets } from '../../sandbox/machine/run-tool.ts'
import { UserError } from '../../text/errors.ts'

/** A run folder, when it was last written, and why it is kept. */
export interface JudgedRun {
  folder: string
  /** Milliseconds since 1970. */
  lastWrite: number
  /** Undefined: it may be removed. */
  kept: string | undefined
}

/** Which runs may be removed. */
export interface PruneRule {
  /** Runs that were written after this time are kept; ms since 1970. */
  before: number
  includeUnfinished: boolean
}

/** Decides whether a run folder may be removed. What cannot be read is kept. */
export async function judgeRun(folder: string, rule: PruneRule): Promise<JudgedRun> {
  const lastWrite = lastWriteOf(folder)
  return { folder, lastWrite, kept: await reasonToKeep(folder, lastWrite, rule) }
}

async function reasonToKeep(
  folder: string,
  lastWrite: number,
  { before, includeUnfinished }: PruneRule,
): Promise<string | undefined> {
  if (lastWrite >= before) return 'newer'
  const held = heldBy(folder)
  if (held !== undefined) return held
  if (realpathSync(folder).split('/').includes('published') || existsSync(join(folder, 'published')))
    return 'published'
  if (isAbove(folder, process.cwd())) return 'holds the current folder'
  if (holdsOtherRun(folder)) return 'holds another run'
  const foreign = foreignText(folder)
  if (foreign !== undefined) return foreign
  try {
    if (!isFinished(folder) && !includeUnfinished) return 'unfinished'
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return 'damaged'
  }
  return trackedText(folder)
}

function heldBy(folder: string): string | undefined {
  const path = lockPath(folder)
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
  const text = readLock(path)
  if (isOwnLock(text)) return undefined
  const holder = parseHolder(text)
  if (!holder) return 'has a lock that cannot be read'
  const state = holderState(holder)
  if (state === 'alive') return `running (process ${holder.pid})`
  return state === 'foreign' ? `in use on another machine or in another container` : undefined
}

function isFinished(folder: string): boolean {
  let recorded = 0
  for (const _ of recordedTrials(folder)) recorded++
  return isOver(readManifest(folder), readSessions(folder).at(-1), recorded)
}

function lastWriteOf(folder: string): number {
  const times = readdirSync(folder)
    .filter((name) => name !== runFiles.lock)
    .map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return Math.max(0, ...times, lastEnd(folder))
}

function lastEnd(folder: string): number {
  try {
    const last = readSessions(folder).at(-1)
    return last ? Date.parse(last.startedAt) + (last.end?.ms ?? 0) : 0
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return 0
  }
}

const isAbove = (folder: string, place: string) => {
  const path = relative(realpathSync(folder), place)
  return path === '' || !path.startsWith('..')
}

/** Folders that bench fills itself; they can be large. */
const ownFolders = new Set(['artifacts', 'blobs', 'workspaces'])

function holdsOtherRun(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) =>
      entry.isDirectory() &&
      !ownFolders.has(entry.name) &&
      (existsSync(join(folder, entry.name, 'run.json')) || holdsOtherRun(join(folder, entry.name))),
  )
}

/** A run that git tracks is shared with others. */
async function trackedText(folder: string): Promise<string | undefined> {
  // A git hook, for one, sets GIT_DIR and GIT_INDEX_FILE, which may lead to another repository than the one around the folder.
  const around = await trackedFiles(folder, withoutGit(withoutSecrets()))
  if (around === undefined && hasGitAbove(folder)) return 'git does not say whether it tracks it'
  const named = await trackedFiles(folder, withoutSecrets())
  return around || named ? 'published: git tracks it' : undefined
}

async function trackedFiles(folder: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const options = { cwd: folder, env, timeout: 10_000 }
  const { failed, stdout } = await runTool('git', ['ls-files', '--', '.'], options)
  return failed ? undefined : stdout.trim()
}

function hasGitAbove(folder: string): boolean {
  const at = realpathSync(folder)
  return at
    .split('/')
    .map((_, depth, parts) => `${parts.slice(0, depth + 1).join('/')}/.git`)
    .some((path) => existsSync(path))
}

/** A folder of bench's. */
interface Place {
  /** Whether bench writes a file of this name here. */
  own(name: string): boolean
  /** Undefined: bench makes no folder of this name. */
  inside(name: string): Place | undefined
}

const everything: Place = { own: () => true, inside: () => everything }

/** What a killed process leaves of a file that is written whole. */
const draft = String.raw`(?:\.draft|\.over-[0-9a-f]{12}|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})*`
const matching = (names: string) => {
  const pattern = new RegExp(`^(?:${names})${draft}$`)
  return (name: string) => pattern.test(name)
}

const trial: Place = {
  own: matching(String.raw`answer\.md|changes\.patch|changed-files\.json`),
  inside: (name) => (/^(?:files|outputs(?:\.draft)?)$/.test(name) ? everything : undefined),
}
/** A killed process leaves a folder with the end of a draft's name. */
const isTrial = matching('[0-9a-f]{12,64}')
const artifacts: Place = {
  own: () => false,
  inside: (name) => (/^[0-9a-f]{12,64}$/.test(name) ? trial : undefined),
}
const workspace: Place = {
  own: () => false,
  inside: (name) => (/^(?:files|repository)$/.test(name) ? everything : undefined),
}
const workspaces: Place = {
  own: () => false,
  inside: (name) => (isTrial(name) ? workspace : undefined),
}
const blobs: Place = { own: matching('[0-9a-f]{64}'), inside: () => undefined }
const isBlock = matching(String.raw`\d+`)
const begun: Place = { own: () => false, inside: (name) => (isBlock(name) ? run : undefined) }
const joined: Place = {
  own: matching(String.raw`(?:last|session)\.json`),
  inside: (name) => (isBlock(name) ? run : undefined),
}
const places: ReadonlyMap<string, Place> = new Map(
  Object.entries({
    artifacts,
    workspaces,
    blobs,
    [blockFolders.begun]: begun,
    [blockFolders.joined]: joined,
  }),
)
const run: Place = {
  // The last one is of a file manager.
  own: matching(
    [...Object.values(runFiles), '.DS_Store'].map((name) => name.replaceAll('.', '[.]')).join('|'),
  ),
  inside: (name) => places.get(name),
}

/** Returns the paths of the files in a run folder that bench did not write, sorted. Links are no files; they are removed alone. */
export const foreignFiles = (folder: string): string[] => filesIn(folder, '', run).sort()

/** Without a place nothing in the folder is bench's. */
function filesIn(root: string, path: string, place: Place | undefined): string[] {
  if (place === everything) return []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry: Dirent) => {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) return filesIn(root, inner, place?.inside(entry.name))
    return entry.isSymbolicLink() || place?.own(entry.name) ? [] : [inner]
  })
}

const mostNamed = 3

/** Returns why a run folder with such files is kept; undefined without any. */
export function foreignText(folder: string): string | undefined {
  const files = foreignFiles(folder)
  if (files.length === 0) return undefined
  const more = files.length > mostNamed ? `, and ${files.length - mostNamed} more` : ''
  const [count, them] = files.length === 1 ? ['1 file', 'it'] : [`${files.length} files`, 'them']
  return `holds ${count} that bench did not write: ${files.slice(0, mostNamed).join(', ')}${more}; move ${them} away`
}

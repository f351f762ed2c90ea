import { createTwoFilesPatch } from 'diff'
import type { PastAsk, Turn } from '../../agents/agent.ts'
import { extractAnswer } from '../../replies/answers/read-answer.ts'
import { normalizePath } from '../../sandbox/folders/paths.ts'
import type { Change, ChangeSet, Rejected } from '../../schema/method/change.ts'
import { type Files, type Task, wantsText } from '../../schema/task.ts'
import type { FileEdit } from '../../strategy.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'
import { nothingShared, type Shared } from './shared.ts'

/**
 * The asks of a branch, from the last one back. Branches share what was asked before they were opened: with a list of its own in
 * each step of a graph, a graph of ten times the steps would take a hundred times the memory.
 */
export interface PastAsks {
  last: PastAsk
  before: PastAsks | undefined
  count: number
}

/**
 * The state of a branch: its files, its last answer, and its asks. The files are the task's files, which never change,
 * overlaid with changed ones, so that no branch or trial can affect another. Programs run on a full private copy of the files.
 */
export interface State {
  base: Files
  /** Changed files; null is a deleted one. The map is replaced, never mutated, so that states can share it. */
  changed: ReadonlyMap<string, string | null>
  answer: string | undefined
  /** Key of the last producing ask, which names the candidate that this state is. */
  candidate: string | undefined
  asks: PastAsks | undefined
  /**
   * Turns of conversations that asks have continued, by role and name; undefined until an ask names one. They are rebuilt from
   * the journal.
   */
  conversations: ReadonlyMap<string, readonly Turn[]> | undefined
  /** What the branch can read of outputs and of the trial's conversations. */
  shared: Shared
}

/** Creates the initial state of a trial. */
export function createState(base: Files): State {
  return {
    base,
    changed: new Map(),
    answer: undefined,
    candidate: undefined,
    asks: undefined,
    conversations: undefined,
    shared: nothingShared,
  }
}

/** Returns an independent copy of a state. */
export function forkState(state: State): State {
  return { ...state }
}

/** Replaces a state by another state of the same trial, except what branches share. */
export function adoptState(state: State, other: State): void {
  const { shared } = state
  Object.assign(state, other, { shared })
}

/** Returns all current files. */
export function filesOf(state: State): Files {
  if (state.changed.size === 0) return state.base
  const files: Record<string, string> = { ...state.base }
  for (const [path, content] of state.changed) {
    if (content === null) delete files[path]
    else files[path] = content
  }
  return files
}

/** Returns the current text of a file; undefined if there is none. */
export function readFile(state: State, path: string): string | undefined {
  const changed = state.changed.get(path)
  if (changed !== undefined) return changed ?? undefined
  return Object.hasOwn(state.base, path) ? state.base[path] : undefined
}

/** Applies edits and returns the actual changes with content hashes, sorted by path. Throws for an invalid path. */
export function applyEdits(state: State, edits: readonly FileEdit[], source: ChangeSet['source']): ChangeSet {
  const changes: Change[] = []
  const rejected: Rejected[] = []
  let paths: Paths | undefined
  const changed = new Map(state.changed)
  state.changed = changed
  for (const { path: raw, content } of edits) {
    const normal = normalizePath(raw)
    if ('problem' in normal)
      throw new TypeError(`the path ${JSON.stringify(raw.slice(0, 200))} ${normal.problem}`)
    const { path } = normal
    const before = readFile(state, path)
    if (content !== null && before === undefined) {
      if (edits.length > fewEdits) paths ??= pathsOf(state)
      if (paths ? clashes(paths, path) : clashesInFiles(state, path)) {
        rejected.push({
          path,
          reason: 'a file would stand where a folder does, or a folder where a file does',
        })
        continue
      }
      if (paths) add(paths, path)
    }
    // A deletion may resolve a clash.
    if (content === null) paths = undefined
    if ((before ?? null) === content) continue
    const original = Object.hasOwn(state.base, path) ? state.base[path] : null
    if (original === content) changed.delete(path)
    else changed.set(path, content)
    changes.push({
      path,
      mode: '100644',
      before: before === undefined ? null : sha256(before),
      after: content === null ? null : sha256(content),
    })
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return rejected.length > 0 ? { source, changes, rejected } : { source, changes }
}

/** So few edits are checked against the files one by one; for more, a set of all paths is made first. */
const fewEdits = 16

/** Returns whether a file at this path would replace a folder, or needs a folder in place of a file. */
function clashesInFiles(state: State, path: string): boolean {
  if (pathsTo(path).some((part) => part !== path && readFile(state, part) !== undefined)) return true
  const folder = `${path}/`
  for (const other of state.changed.keys())
    if (other.startsWith(folder) && readFile(state, other) !== undefined) return true
  for (const other in state.base)
    if (other.startsWith(folder) && readFile(state, other) !== undefined) return true
  return false
}

interface Paths {
  files: Set<string>
  folders: Set<string>
}

function pathsOf(state: State): Paths {
  const paths: Paths = { files: new Set(), folders: new Set() }
  for (const path of Object.keys(filesOf(state))) add(paths, path)
  return paths
}

function add({ files, folders }: Paths, path: string): void {
  files.add(path)
  for (const folder of pathsTo(path).slice(0, -1)) folders.add(folder)
}

function clashes({ files, folders }: Paths, path: string): boolean {
  return folders.has(path) || pathsTo(path).some((part) => part !== path && files.has(part))
}

/** Returns a path and its parents: `a`, `a/b` and `a/b/c` for `a/b/c`. */
export function pathsTo(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}

/** Returns the edits that turn the state's files into the files of a folder. Paths in `untouched` stay unchanged; `.` means all files. */
export function editsTo(state: State, after: Files, untouched: ReadonlySet<string>): FileEdit[] {
  const before = filesOf(state)
  const edits: FileEdit[] = []
  for (const [path, content] of Object.entries(after))
    if (!Object.hasOwn(before, path) || before[path] !== content) edits.push({ path, content })
  if (untouched.has('.')) return edits
  for (const path of Object.keys(before))
    if (!Object.hasOwn(after, path) && !pathsTo(path).some((part) => untouched.has(part)))
      edits.push({ path, content: null })
  return edits
}

/** Returns the SHA-256 of all changes since the beginning of the trial; null if there are none. */
export function stateDigest(state: State): string | null {
  if (state.changed.size === 0) return null
  return digest(
    Object.fromEntries([...state.changed].map(([path, text]) => [path, text === null ? null : sha256(text)])),
  )
}

/** Whether two states of a trial would hand in the same: its files, or its final answer. */
export function isSameWork({ spec }: Task, a: Pick<State, 'changed' | 'answer'>, b: typeof a): boolean {
  if (wantsText(spec)) return a.answer === b.answer
  if (spec.output === 'answer') return extractAnswer(a.answer) === extractAnswer(b.answer)
  const isSame = ([path, content]: [string, string | null]) => b.changed.get(path) === content
  return a.changed.size === b.changed.size && [...a.changed].every(isSame)
}

/** Returns a unified diff of all changes since the beginning of the trial, sorted by path. */
export function unifiedDiff(state: State): string {
  return [...state.changed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) =>
      createTwoFilesPatch(
        Object.hasOwn(state.base, path) ? `a/${path}` : '/dev/null',
        content === null ? '/dev/null' : `b/${path}`,
        state.base[path] ?? '',
        content ?? '',
      ).replace(/^=+\n/, ''),
    )
    .join('')
}

/** Returns the asks with one more. */
export const addAsk = (before: PastAsks | undefined, last: PastAsk): PastAsks => ({
  last,
  before,
  count: (before?.count ?? 0) + 1,
})

/** Returns the asks that follow those of `earlier`, with which they begin, in order; without `earlier` all of them. */
export function listAsks(asks: PastAsks | undefined, earlier?: PastAsks): PastAsk[] {
  const skipped = earlier?.count ?? 0
  const list = new Array<PastAsk>(Math.max(0, (asks?.count ?? 0) - skipped))
  let at = asks
  for (let place = list.length - 1; at && place >= 0; place--) {
    list[place] = at.last
    at = at.before
  }
  return list
}

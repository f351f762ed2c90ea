import { createTwoFilesPatch } from 'diff'
import type { PastAsk, Turn } from '../../agents/agent.ts'
import type { Change, ChangeSet, Rejected } from '../../schema/method/change.ts'
import type { Files } from '../../schema/task.ts'
import type { FileEdit } from '../../strategy.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'
import { normalizePath } from './file-blocks.ts'

/**
 * What a branch has made so far: its files, its last answer, and how it came there. The files are the task's, which
 * never change, with the changed ones laid over: a fork costs what was changed, and nothing that one branch or trial
 * does can show in another. Whatever runs on the files gets a full private copy in a folder of its own.
 */
export interface State {
  base: Files
  /** Changed files; null is deleted. Never changed itself, so that states can share it. */
  changed: ReadonlyMap<string, string | null>
  answer: string | undefined
  /** Key of the producing ask that answered last. */
  candidate: string | undefined
  history: readonly PastAsk[]
  /** Undefined until an ask names one. */
  conversations: ConversationTurns | undefined
}

/** The state that a trial begins with. */
export function createState(base: Files): State {
  return {
    base,
    changed: new Map(),
    answer: undefined,
    candidate: undefined,
    history: [],
    conversations: undefined,
  }
}

/** A copy of a state that changes for itself. */
export function forkState(state: State): State {
  return { ...state }
}

/** Takes over all of another state of the same trial. */
export function adoptState(state: State, other: State): void {
  Object.assign(state, other)
}

/** All files as they are now. */
export function filesOf(state: State): Files {
  if (state.changed.size === 0) return state.base
  const files: Record<string, string> = { ...state.base }
  for (const [path, content] of state.changed) {
    if (content === null) delete files[path]
    else files[path] = content
  }
  return files
}

/** Text of a file as it is now; undefined where there is none. */
export function readFile(state: State, path: string): string | undefined {
  const changed = state.changed.get(path)
  if (changed !== undefined) return changed ?? undefined
  return Object.hasOwn(state.base, path) ? state.base[path] : undefined
}

/** Applies edits and gives what really changed, by content hash, sorted by path. Throws on a path that leaves the workspace. */
export function applyEdits(state: State, edits: readonly FileEdit[], source: ChangeSet['source']): ChangeSet {
  const changes: Change[] = []
  const rejected: Rejected[] = []
  let paths: Paths | undefined
  const changed = new Map(state.changed)
  state.changed = changed
  for (const { path: raw, content } of edits) {
    const place = normalizePath(raw)
    if ('problem' in place)
      throw new TypeError(`the path ${JSON.stringify(raw.slice(0, 200))} ${place.problem}`)
    const { path } = place
    const before = readFile(state, path)
    if (content !== null && before === undefined) {
      paths ??= pathsOf(state)
      if (clashes(paths, path)) {
        rejected.push({
          path,
          reason: 'a file would stand where a folder does, or a folder where a file does',
        })
        continue
      }
      add(paths, path)
    }
    // What it stood on may be free now.
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

/** All files, and all folders that they stand in. */
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

/** Whether a path wants a file where a folder stands, or a folder where a file does. */
function clashes({ files, folders }: Paths, path: string): boolean {
  return folders.has(path) || pathsTo(path).some((part) => part !== path && files.has(part))
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function pathsTo(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}

/** Edits that turn the state's files into those of a folder that an agent worked in; `untouched` files and folders stay as they were, with `.` all of them. */
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

/** SHA-256 of what was changed since the beginning; null when nothing was. */
export function stateDigest(state: State): string | null {
  if (state.changed.size === 0) return null
  return digest(
    Object.fromEntries([...state.changed].map(([path, text]) => [path, text === null ? null : sha256(text)])),
  )
}

/** Unified text of all changes since the beginning, sorted by path. */
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

/** What was said in sessions so far, by role and name: part of a branch's state, rebuilt from the journal like all of it. */
export type ConversationTurns = ReadonlyMap<string, readonly Turn[]>

/** The turns of a role's session. */
export function turnsOf(
  conversations: ConversationTurns | undefined,
  role: string,
  session: string,
): readonly Turn[] {
  return conversations?.get(nameOf(role, session)) ?? []
}

/** ConversationTurns with one turn more; those given stay as they are, since other branches share them. */
export function addTurn(
  conversations: ConversationTurns | undefined,
  role: string,
  session: string,
  turn: Turn,
): ConversationTurns {
  return new Map(conversations).set(nameOf(role, session), [...turnsOf(conversations, role, session), turn])
}

const nameOf = (role: string, session: string) => `${role}/${session}`

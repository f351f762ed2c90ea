import type { Turn } from '../../agents/agent.ts'
import type { MemoryNote } from '../../schema/tool/tool-call.ts'

/**
 * What a branch hands on when it ends, without being adopted: outputs, and conversations of the trial. A key is
 * `output PATH`, `conversation ROLE/NAME` or, for a note of a memory tool, `note TOOL KEY`. The map is replaced, never mutated, so that states can share it.
 */
export type Shared = ReadonlyMap<string, SharedPart>

/** A text or a conversation, and the path of the branch that wrote it. A new one is made for each write, even of the same text. */
type SharedPart = { by: string } & (SharedOutput | { turns: readonly Turn[] } | { note: MemoryNote })

/** A text that a method keeps as a file; a summary tells what happened. */
interface SharedOutput {
  text: string
  kind?: 'summary' | undefined
}

/** Nothing is shared. */
export const nothingShared: Shared = new Map()

/** Returns the key of an output. */
export const outputKey = (path: string) => `output ${path}`

/** Returns the key of a conversation of the trial. */
export const conversationKey = (role: string, name: string) => `conversation ${role}/${name}`

/**
 * Returns the key of a note, with that of the call that made it: no two branches write the same note, so they are never in conflict,
 * and stay in the order of joining.
 */
const noteKey = (tool: string, call: string) => `note ${tool} ${call}`

/** Returns what is shared with one more note. */
export const addNote = (shared: Shared, tool: string, call: string, note: MemoryNote, by: string): Shared =>
  new Map(shared).set(noteKey(tool, call), { note, by })

/** Returns the notes of a memory tool, oldest first. */
export function notesIn(shared: Shared, tool: string): MemoryNote[] {
  const start = noteKey(tool, '')
  return [...shared].flatMap(([key, part]) => ('note' in part && key.startsWith(start) ? [part.note] : []))
}

/** Returns the path of an output from its key; undefined for anything else. */
export const outputPathOf = (key: string) => (key.startsWith('output ') ? key.slice(7) : undefined)

/** Whether a key, or the name of a state's part, is that of a shared part. */
export const isSharedKey = (key: string) =>
  key.startsWith('output ') || key.startsWith('conversation ') || key.startsWith('note ')

/** Returns the outputs by path. */
export function outputsIn(shared: Shared): Map<string, SharedOutput> {
  const outputs = new Map<string, SharedOutput>()
  for (const [key, part] of shared) {
    const path = outputPathOf(key)
    if (path !== undefined && 'text' in part) outputs.set(path, part)
  }
  return outputs
}

/**
 * Returns the path of an output that cannot stand beside a new one: a file where the other needs a folder, or a name that differs
 * in case alone, which is the same file on some disks.
 */
export function clashingOutput(shared: Shared, path: string): string | undefined {
  const parts = path.split('/')
  for (const key of shared.keys()) {
    const other = outputPathOf(key)
    if (other !== undefined && other !== path && clashes(parts, other.split('/'))) return other
  }
  return undefined
}

function clashes(one: readonly string[], other: readonly string[]): boolean {
  for (let i = 0; ; i++) {
    const [a, b] = [one[i], other[i]]
    if (a === undefined || b === undefined) return true
    if (a !== b) return fold(a) === fold(b)
  }
}

const fold = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase()

/** The parts of a branch that have to do with what it shares. */
export interface Sharing {
  path: string
  state: { shared: Shared }
  /** Called when what it shares has changed. */
  onShared?: () => void
}

/**
 * Adds what a branch that has ended hands on to its parent. `start` is what the branch began with. Returns an error if a branch
 * that was open beside it, and opened before it, wrote the same; that one's stays. It is found here, not where the second branch
 * writes, since which of the two is second would depend on real time.
 */
export function joinShared(parent: Sharing, child: Sharing, start: Shared): Error | undefined {
  const own = child.state.shared
  if (own === start) return undefined
  const joined = new Map(parent.state.shared)
  let conflict: Error | undefined
  for (const [key, part] of own) {
    if (start.get(key) === part) continue
    const taken = takenBy(joined, key, start)
    if (taken) conflict ??= conflictOf(taken, { key, part })
    else joined.set(key, part)
  }
  parent.state.shared = joined
  parent.onShared?.()
  return conflict
}

interface Written {
  key: string
  part: SharedPart
}

function takenBy(joined: Shared, key: string, start: Shared): Written | undefined {
  const part = joined.get(key)
  if (part) return part === start.get(key) ? undefined : { key, part }
  const path = outputPathOf(key)
  const clash = path === undefined ? undefined : clashingOutput(joined, path)
  const other = clash === undefined ? undefined : joined.get(outputKey(clash))
  return clash !== undefined && other ? { key: outputKey(clash), part: other } : undefined
}

function conflictOf(theirs: Written, ours: Written): Error {
  const path = outputPathOf(ours.key)
  const both = `[strategy] the branches "${theirs.part.by}" and "${ours.part.by}" were open together, and both`
  if (path === undefined)
    return new Error(
      `${both} continued the ${ours.key}. Only one open branch may continue a conversation of the trial: let one follow the other, or give each its own session.`,
    )
  const remedy = 'Give each branch its own path.'
  if (theirs.key === ours.key) return new Error(`${both} wrote the output ${path}. ${remedy}`)
  const other = outputPathOf(theirs.key)
  return new Error(`${both} wrote outputs that cannot stand side by side: ${other} and ${path}. ${remedy}`)
}

import type { Turn } from '../../agents/agent.ts'

/**
 * What a branch hands on when it ends, without being adopted: outputs, and conversations of the trial. A key is
 * `output PATH` or `conversation ROLE/NAME`. The map is replaced, never mutated, so that states can share it.
 */
export type Shared = ReadonlyMap<string, SharedPart>

/** A text or a conversation, and the path of the branch that wrote it. A new one is made for each write, even of the same text. */
export type SharedPart = { by: string } & (SharedOutput | { turns: readonly Turn[] })

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

/** Returns the path of an output from its key; undefined for a conversation. */
export const outputPathOf = (key: string) => (key.startsWith('output ') ? key.slice(7) : undefined)

/** Whether a key, or the name of a state's part, is that of a shared part. */
export const isSharedKey = (key: string) => key.startsWith('output ') || key.startsWith('conversation ')

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

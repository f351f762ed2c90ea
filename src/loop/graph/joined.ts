import { isSharedKey } from '../branch/shared.ts'
import { readFile, type State } from '../branch/workspace.ts'
import type { Bill } from '../budget/spending.ts'
import type { PlannedStep } from './schedule.ts'

/** What a step begins or ends with: the files, the clock and the bill of all steps that it depends on, each counted once. */
export interface Joined {
  state: State
  bill: Bill
  /** Milliseconds since the trial began. */
  clock: number
  /** The step that wrote last, by part of the state. */
  writers: ReadonlyMap<string, PlannedStep>
  /** The parts that are new in this join, since a policy merged them. */
  merged: readonly string[]
}

/** A step that has ended. `start` is what it began with. */
export interface StepEnd {
  planned: PlannedStep
  start: Joined
  end: Joined
  /** The parts that it changed, or that the join before it merged. */
  changed: readonly string[]
  /** What it depends on could not be joined: the steps behind it join that themselves. */
  unjoined: boolean
}

/** Steps that have ended, by their index. */
export type Ends = ReadonlyMap<number, StepEnd>

// A state consists of parts, each with a writer of its own: its files, its answer, its candidate, its
// conversations, and what branches share.

/** Returns the path of a part that is a file. */
export const fileOf = (part: string) => (part.startsWith('file ') ? part.slice(5) : undefined)
const turnsOf = (part: string) => (part.startsWith('turns ') ? part.slice(6) : undefined)

/** Returns the parts of a state that a step changed. */
export function changedParts(before: State, after: State): string[] {
  const parts: string[] = []
  if (before.changed !== after.changed)
    for (const path of changedPaths(before, after))
      if (readFile(before, path) !== readFile(after, path)) parts.push(`file ${path}`)
  if (before.answer !== after.answer) parts.push('answer')
  if (before.candidate !== after.candidate) parts.push('candidate')
  if (before.conversations !== after.conversations)
    for (const [name, turns] of after.conversations ?? [])
      if (before.conversations?.get(name) !== turns) parts.push(`turns ${name}`)
  if (before.shared !== after.shared)
    for (const [key, part] of after.shared) if (before.shared.get(key) !== part) parts.push(key)
  return parts
}

function* changedPaths({ changed: before }: State, { changed: after }: State): Generator<string> {
  for (const [path, content] of after) if (before.get(path) !== content) yield path
  for (const path of before.keys()) if (!after.has(path)) yield path
}

/** Gives a state a part of another one; not a file. */
export function takePart(state: State, part: string, from: State): void {
  const turns = turnsOf(part)
  const shared = isSharedKey(part) ? from.shared.get(part) : undefined
  if (part === 'answer') state.answer = from.answer
  else if (part === 'candidate') state.candidate = from.candidate
  else if (shared) state.shared = new Map(state.shared).set(part, shared)
  else if (turns !== undefined)
    state.conversations = new Map(state.conversations).set(turns, from.conversations?.get(turns) ?? [])
}

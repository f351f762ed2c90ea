import { addDifference, type Bill } from '../budget/spending.ts'
import { applyEdits, forkState, readFile, type State } from '../files/workspace.ts'
import type { Branch } from '../state/branch.ts'
import { mergeTexts } from './merge-texts.ts'
import type { PlannedStep } from './schedule.ts'

/** What happens when two steps of which neither depends on the other changed one file: an error, the later in plan order, or both. */
export type ConflictPolicy = 'fail' | 'last' | 'merge'

/** What a step begins or ends with: the files, the clock and the bill of all steps that it depends on, each counted once. */
export interface Joined {
  state: State
  bill: Bill
  /** Milliseconds since the trial began. */
  clock: number
  /** The step that wrote last, by part of the state. */
  writers: ReadonlyMap<string, PlannedStep>
}

/** A step that has ended. `start` is what it began with. */
export interface StepEnd {
  planned: PlannedStep
  start: Joined
  end: Joined
}

/** Returns the end of a step, whose branch has moved on from `start`. */
export function stepEnd(planned: PlannedStep, start: Joined, { state, bill, clock }: Branch): StepEnd {
  const writers = new Map(start.writers)
  for (const part of changedParts(start.state, state)) writers.set(part, planned)
  return { planned, start, end: { state, bill, clock, writers } }
}

/**
 * Joins steps that have ended, given in plan order, to what others ended with. Throws when two of them changed one file and the
 * policy does not allow that.
 */
export function joinSteps(base: Joined, steps: readonly StepEnd[], policy: ConflictPolicy): Joined {
  if (steps.length === 0) return base
  const state = forkState(base.state)
  const bill = { ...base.bill }
  const writers = new Map(base.writers)
  let { clock } = base
  for (const step of steps) {
    addDifference(bill, step.end.bill, step.start.bill)
    clock = Math.max(clock, step.end.clock)
    for (const part of changedParts(step.start.state, step.end.state)) {
      const path = fileOf(part)
      const kept =
        path === undefined
          ? joinPart(state, writers, step, part)
          : joinFile(state, writers, step, path, policy)
      if (kept) writers.set(part, step.planned)
    }
    state.history = [...state.history, ...step.end.state.history.slice(step.start.state.history.length)]
  }
  return { state, bill, clock, writers }
}

/** Returns the steps of these indexes that have ended, in plan order. */
export const stepsInOrder = (indexes: readonly number[], ends: ReadonlyMap<number, StepEnd>): StepEnd[] =>
  indexes.flatMap((index) => ends.get(index) ?? []).sort((a, b) => a.planned.place - b.planned.place)

const file = (path: string) => `file ${path}`
const fileOf = (part: string) => (part.startsWith('file ') ? part.slice(5) : undefined)
const turnsOf = (part: string) => (part.startsWith('turns ') ? part.slice(6) : undefined)

/** The parts of a state that a step changed: its files, its answer, its candidate, and its conversations. */
function changedParts(before: State, after: State): string[] {
  const parts: string[] = []
  if (before.changed !== after.changed)
    for (const path of new Set([...before.changed.keys(), ...after.changed.keys()]))
      if (readFile(before, path) !== readFile(after, path)) parts.push(file(path))
  if (before.answer !== after.answer) parts.push('answer')
  if (before.candidate !== after.candidate) parts.push('candidate')
  if (before.conversations !== after.conversations)
    for (const [name, turns] of after.conversations ?? [])
      if (before.conversations?.get(name) !== turns) parts.push(`turns ${name}`)
  return parts
}

/** Takes a part that is not a file, unless a later step of the plan has written it. */
function joinPart(
  state: State,
  writers: ReadonlyMap<string, PlannedStep>,
  { planned, end }: StepEnd,
  part: string,
): boolean {
  const writer = writers.get(part)
  if (writer && !planned.closure.has(writer.index) && writer.place > planned.place) return false
  const turns = turnsOf(part)
  if (part === 'answer') state.answer = end.state.answer
  else if (part === 'candidate') state.candidate = end.state.candidate
  else if (turns !== undefined)
    state.conversations = new Map(state.conversations).set(turns, end.state.conversations?.get(turns) ?? [])
  return true
}

function joinFile(
  state: State,
  writers: ReadonlyMap<string, PlannedStep>,
  { planned, start, end }: StepEnd,
  path: string,
  policy: ConflictPolicy,
): boolean {
  const own = readFile(end.state, path)
  const current = readFile(state, path)
  const writer = writers.get(file(path))
  const isOrdered = !writer || planned.closure.has(writer.index)
  if (isOrdered || own === current) return write(state, path, own, planned)
  if (policy === 'merge') {
    const merged = mergeTexts(readFile(start.state, path), current, own)
    if (merged === undefined) throw conflict(path, writer, planned, 'and the changes overlap')
    return write(state, path, merged, planned)
  }
  if (policy === 'fail') throw conflict(path, writer, planned, 'and neither depends on the other')
  return planned.place > writer.place && write(state, path, own, planned)
}

function write(state: State, path: string, content: string | undefined, { step }: PlannedStep): true {
  const { rejected } = applyEdits(state, [{ path, content: content ?? null }], 'reply')
  if (rejected)
    throw new Error(
      `[graph] ${path} of step "${step.id}" is a file where another step made a folder, or the reverse.`,
    )
  return true
}

const conflict = (path: string, one: PlannedStep, other: PlannedStep, why: string) =>
  new Error(
    `[graph] the steps "${one.step.id}" and "${other.step.id}" changed ${path}, ${why}. Let one depend on the other, or set conflict to last or merge.`,
  )

import { diff3Merge } from 'node-diff3'
import type { ConflictPolicy } from '../../graph.ts'
import { ConflictError } from '../../text/errors.ts'
import { clashingOutput, isSharedKey, outputKey, outputPathOf } from '../branch/shared.ts'
import { applyEdits, forkState, readFile } from '../branch/workspace.ts'
import { fileOf, type Joined, type StepEnd, takePart } from './joined.ts'
import { type Closure, hasStep, type PlannedStep } from './schedule.ts'

/** Creates a join on a base. Parts that it merges are the joiner's. */
export function createJoin(base: Joined, policy: ConflictPolicy, joiner: PlannedStep | undefined) {
  const state = forkState(base.state)
  // Applied together at the end, since each application copies the changed files.
  const edits = new Map<string, { content: string | undefined; by: PlannedStep }>()
  let writers: Map<string, PlannedStep> | undefined
  const merged = new Set<string>()

  const take = (part: string, writer: PlannedStep) => {
    writers ??= new Map(base.writers)
    writers.set(part, writer)
  }
  const current = (path: string) => {
    const edit = edits.get(path)
    return edit ? edit.content : readFile(state, path)
  }
  const takeFile = (path: string, content: string | undefined, by: PlannedStep) =>
    edits.set(path, { content, by })

  /** Whether what `one` ended with counts for a file that a step of which it knows nothing has written. */
  const settle = (path: string, part: string, one: StepEnd, first: StepEnd, writers: Pair): boolean => {
    const { theirs, ours } = writers
    const own = readFile(one.end.state, path)
    const now = current(path)
    if (own === now) return ours.place > theirs.place
    if (policy === 'last') return ours.place > theirs.place
    if (policy === 'fail') throw conflictOf(path, theirs, ours, 'unordered')
    const text = mergeTexts(readFile(first.start.state, path), now, own)
    if (text === undefined) throw conflictOf(path, theirs, ours, 'overlap')
    takeFile(path, text, one.planned)
    take(part, joiner ?? one.planned)
    merged.add(part)
    return false
  }

  /** Whether a shared part counts for one that a step of which it knows nothing has written. It is never merged. */
  const settleShared = (part: string, { theirs, ours }: Pair): boolean => {
    if (policy !== 'last') throw conflictOf(part, theirs, ours, 'shared')
    return ours.place > theirs.place
  }

  /** Throws where an output cannot stand beside one of another step. */
  const checkOutput = (part: string, ours: PlannedStep): void => {
    const path = outputPathOf(part)
    const clash = path === undefined ? undefined : clashingOutput(state.shared, path)
    if (clash === undefined) return
    const theirs = (writers ?? base.writers).get(outputKey(clash)) ?? ours
    throw conflictOf(`${part} and ${outputKey(clash)}`, theirs, ours, 'shared')
  }

  return {
    /** Adds the parts that the `fresh` steps changed, as `one` ended with them. `own`: it and all before it; `held`: what is joined so far. */
    add(one: StepEnd, fresh: readonly StepEnd[], own: Closure, held: Closure): void {
      for (const [part, first] of firstWriters(fresh)) {
        const ours = one.end.writers.get(part) ?? first.planned
        const theirs = (writers ?? base.writers).get(part)
        // What is joined so far has settled what this step wrote.
        if (theirs && hasStep(held, ours.index) && theirs !== ours) continue
        const path = fileOf(part)
        const isBehind = !theirs || hasStep(own, theirs.index)
        const counts =
          isBehind ||
          (isSharedKey(part)
            ? settleShared(part, { theirs, ours })
            : path === undefined
              ? ours.place > theirs.place
              : settle(path, part, one, first, { theirs, ours }))
        if (!counts) continue
        checkOutput(part, ours)
        take(part, ours)
        if (path === undefined) takePart(state, part, one.end.state)
        else takeFile(path, readFile(one.end.state, path), ours)
      }
    },
    finish(): Pick<Joined, 'state' | 'writers' | 'merged'> {
      write(state, edits, base, writers)
      return { state, writers: writers ?? base.writers, merged: [...merged] }
    },
  }
}

interface Pair {
  /** Wrote what is joined so far. */
  theirs: PlannedStep
  /** Wrote what is to be joined. */
  ours: PlannedStep
}

/** The first step to change each part: what it began with is the common base of a merge. */
function firstWriters(steps: readonly StepEnd[]): Map<string, StepEnd> {
  const first = new Map<string, StepEnd>()
  for (const step of steps) for (const part of step.changed) if (!first.has(part)) first.set(part, step)
  return first
}

function write(
  state: Joined['state'],
  edits: ReadonlyMap<string, { content: string | undefined; by: PlannedStep }>,
  base: Joined,
  writers: ReadonlyMap<string, PlannedStep> | undefined,
): void {
  if (edits.size === 0) return
  const given = [...edits].map(([path, { content }]) => ({ path, content: content ?? null }))
  // A deletion may make room for a folder.
  const deletions = given.filter(({ content }) => content === null)
  const { rejected } = applyEdits(
    state,
    [...deletions, ...given.filter(({ content }) => content !== null)],
    'reply',
  )
  const [clash] = rejected ?? []
  if (!clash) return
  const by = (edits.get(clash.path) as { by: PlannedStep }).by
  throw conflictOf(clash.path, otherOf(clash.path, by, writers ?? base.writers), by, 'clash')
}

/** The step that made the file or folder in whose place a file would stand. */
function otherOf(path: string, by: PlannedStep, writers: ReadonlyMap<string, PlannedStep>): PlannedStep {
  for (const [part, writer] of writers) {
    const other = fileOf(part)
    if (other === undefined || other === path) continue
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) return writer
  }
  return by
}

/**
 * Merges two changes of one text line by line; undefined stands for a file that does not exist. Returns undefined where the
 * changes overlap, and where one side deleted what the other changed.
 */
function mergeTexts(
  base: string | undefined,
  one: string | undefined,
  other: string | undefined,
): string | undefined {
  if (one === base) return other
  if (other === base) return one
  if (one === undefined || other === undefined) return undefined
  const lines = (text: string) => text.split('\n')
  const regions = diff3Merge(lines(one), lines(base ?? ''), lines(other))
  if (regions.some(({ conflict }) => conflict)) return undefined
  return regions.flatMap(({ ok }) => ok ?? []).join('\n')
}

function conflictOf(
  path: string,
  one: PlannedStep,
  other: PlannedStep,
  why: 'unordered' | 'overlap' | 'clash' | 'shared',
): ConflictError {
  const [first, later] = one.place < other.place ? [one.step.id, other.step.id] : [other.step.id, one.step.id]
  const what = `[graph] the steps "${first}" and "${later}" ${facts[why](path)}`
  return new ConflictError(later, `${what}. Let one depend on the other${remedies[why]}.`)
}

const isConversation = (part: string) => part.startsWith('conversation ')

const facts = {
  unordered: (path: string) => `both changed ${path}, and neither depends on the other`,
  overlap: (path: string) => `both changed ${path}, and their changes overlap`,
  clash: (path: string) => `made a file and a folder of the same name: ${path}`,
  shared: (part: string) =>
    `both ${isConversation(part) ? 'continued' : 'wrote'} the ${part}, and neither depends on the other`,
}
const remedies = {
  unordered: ', or set conflict to last or merge',
  overlap: ', or set conflict to last',
  clash: '',
  shared: ', or set conflict to last',
}

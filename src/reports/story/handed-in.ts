import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import type { Change } from '../../schema/method/change.ts'
import { digest } from '../../text/canonical-json.ts'
import { orderSteps } from './story-order.ts'

/** A file that a trial handed in, and its text in the beginning. Null: there is no file. Undefined: its text is not stored. */
interface HandedFile {
  path: string
  before: string | null | undefined
  after: string | null | undefined
}

/** What a trial handed in. */
export interface HandedIn {
  /** Its answer; null: none. Undefined: the text is not stored. */
  answer: string | null | undefined
  /** Its changed files; undefined: the steps do not tell them. Of a trial with an answer there are none. */
  files: HandedFile[] | undefined
}

/** Returns what a trial handed in. `contentOf` returns a text by its SHA-256; undefined: not stored. */
export function handedIn(
  record: Pick<TrialRecord, 'answer' | 'delivered'>,
  steps: readonly Step[],
  contentOf: (hash: string) => string | undefined,
): HandedIn {
  const { answer } = record
  if (answer !== undefined) {
    const hash = /^blob:([0-9a-f]{64})$/.exec(answer)?.[1]
    return { answer: hash === undefined ? answer : contentOf(hash), files: [] }
  }
  const textOf = (hash: string | null) => (hash === null ? null : contentOf(hash))
  return {
    answer: null,
    files: deliveredFiles(record, steps)?.map(({ path, before, after }) => ({
      ...{ path, before: textOf(before), after: textOf(after) },
    })),
  }
}

/** A file as two trials handed it in; a trial that did not change it has the text of the beginning. */
export interface FilePair {
  path: string
  a: HandedFile['after']
  b: HandedFile['after']
  /** Which of the two changed the file. */
  changedBy: 'a' | 'b' | 'both'
}

/** Returns the files that either of two trials changed, by path; undefined if those of one are unknown. */
export function filePairs(a: HandedIn, b: HandedIn): FilePair[] | undefined {
  if (a.files === undefined || b.files === undefined) return undefined
  const ofA = new Map(a.files.map((file) => [file.path, file]))
  const ofB = new Map(b.files.map((file) => [file.path, file]))
  return [...new Set([...ofA.keys(), ...ofB.keys()])].sort().map((path) => {
    const [x, y] = [ofA.get(path), ofB.get(path)]
    return {
      path,
      a: x ? x.after : y?.before,
      b: y ? y.after : x?.before,
      changedBy: x && y ? 'both' : x ? 'a' : 'b',
    }
  })
}

/** A file that a trial added, changed or deleted, by the SHA-256 of its texts; null: there is no file. */
interface DeliveredFile {
  path: string
  before: string | null
  after: string | null
}

type Changed = ReadonlyMap<string, string | null>

/** More states of a trial than this are not tried; branches can make many. */
const mostStates = 100

/**
 * Rebuilds which files a trial handed in: it follows the changes of its steps, each from every state in which they were possible,
 * until a state has the recorded digest. Undefined if none has, for example because a graph joined the files of its steps.
 */
export function deliveredFiles(
  { delivered }: Pick<TrialRecord, 'delivered'>,
  steps: readonly Step[],
): DeliveredFile[] | undefined {
  if (delivered === null) return []
  const start = new Map<string, string | null>()
  const states: Changed[] = [new Map()]
  for (const { step, voided } of orderSteps(steps)) {
    if (voided) continue
    for (const changes of changesOf(step)) {
      // Nobody changed a path before its first change, so that names the text in the beginning.
      for (const { path, before } of changes) if (!start.has(path)) start.set(path, before)
      const next = states.flatMap((state) => afterChanges(state, changes, start) ?? [])
      const found = next.find((state) => digest(Object.fromEntries(state)) === delivered)
      if (found) return filesOf(found, start)
      states.push(...next)
      states.splice(0, states.length - mostStates)
    }
  }
  return undefined
}

function changesOf(step: Step): (readonly Change[])[] {
  if (step.kind === 'ask' || step.kind === 'tool') return step.changeSet ? [step.changeSet.changes] : []
  if (step.kind !== 'stage') return []
  return (step.log ?? []).flatMap((deed) => ('changes' in deed ? [deed.changes.changes] : []))
}

function afterChanges(state: Changed, changes: readonly Change[], start: Changed): Changed | undefined {
  const after = new Map(state)
  for (const { path, before, after: now } of changes) {
    const text = after.has(path) ? after.get(path) : start.get(path)
    if (text !== before) return undefined
    if (now === start.get(path)) after.delete(path)
    else after.set(path, now)
  }
  return after
}

const filesOf = (state: Changed, start: Changed): DeliveredFile[] =>
  [...state]
    .map(([path, after]) => ({ path, before: start.get(path) ?? null, after }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))

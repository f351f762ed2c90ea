import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalAnswer, ApprovalPolicy } from '../../schema/ledger/approval.ts'
import type { PeopleCounts } from '../../schema/ledger/record.ts'
import type { AnswerLine, GuidanceLine, PeopleLine, Question, WaitsLine } from '../../schema/run/people.ts'
import { runFiles } from '../journal/run-files.ts'
import { withStorageErrors } from '../journal/storage.ts'
import { isInUse } from './lock.ts'
import { appendPeopleLine, peoplePath, readPeopleLines } from './people-file.ts'

/** What people say about a run while it is worked on. `taken` holds the ids of lines that a step has taken. */
export interface People {
  /** Returns the last answer to a question that no step has taken. */
  answerTo(question: Question, taken: ReadonlySet<string>): AnswerLine | undefined
  /** Returns the guidance for a trial that no step has taken, in the order in which it was said. */
  guidanceFor(trial: string, taken: ReadonlySet<string>): GuidanceLine[]
  /** Notes that a trial waits for an answer. */
  wait(line: WaitsLine): void
  /** The questions that trials of this session wait for. */
  waiting: readonly WaitsLine[]
  isPaused(): boolean
}

/** How people took part in a trial. */
export interface TrialPeople {
  counts: PeopleCounts
  /** Number of approvals so far. */
  approvals: number
  /** Ids of lines of people.jsonl that a step has taken, steps that are void by now included. */
  taken: Set<string>
  /** A question that `approve()` was asked and that was answered with abort, which it returned. */
  aborted?: string
}

/**
 * Opens what people say about a run. The file is read again when it has grown. `onError` is called before an error is thrown: a
 * damaged line or a full disk concerns the run, not the trial that meets it.
 */
export function openPeople(
  folder: string,
  { assertWritable, onError }: { assertWritable(): void; onError(error: unknown): void },
): People {
  const path = peoplePath(folder)
  const waiting: WaitsLine[] = []
  let lines: PeopleLine[] = []
  let read = 0
  let isPaused = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const reporting = <Result>(effect: () => Result): Result => {
    try {
      return effect()
    } catch (error) {
      onError(error)
      throw error
    }
  }
  const current = () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size === read) return lines
    lines = reporting(() => readPeopleLines(folder))
    read = size
    return lines
  }
  return {
    answerTo: (question, taken) =>
      current().findLast(
        (line): line is AnswerLine =>
          line.type === 'answer' && isSameQuestion(line, question) && !taken.has(line.id),
      ),
    guidanceFor: (trial, taken) =>
      current().filter(
        (line): line is GuidanceLine =>
          line.type === 'guidance' && line.trial === trial && !taken.has(line.id),
      ),
    wait(line) {
      waiting.push(line)
      const last = current().findLast(({ type, trial }) => type === 'waits' && trial === line.trial)
      if (last?.type === 'waits' && isSameQuestion(last, line)) return
      reporting(() => {
        assertWritable()
        appendPeopleLine(folder, line)
      })
    },
    waiting,
    isPaused() {
      const now = performance.now()
      if (now - lookedAt < pauseLookMs) return isPaused
      lookedAt = now
      isPaused = existsSync(pausePath(folder))
      return isPaused
    },
  }
}

/** Whether two lines are about the same approval. */
export const isSameQuestion = (a: Question, b: Question) =>
  a.trial === b.trial && a.key === b.key && a.hash === b.hash

/** A person does not notice it, and a look costs a tenth of a simulated trial. */
const pauseLookMs = 20

const pausePath = (folder: string) => join(folder, runFiles.pause)

/** Asks the bench that works on a run to stop at the next checkpoints. Returns whether a bench works on it; else does nothing. */
export function requestPause(folder: string): boolean {
  if (!isInUse(folder)) return false
  passPause(folder)
  return true
}

/** Passes a request to pause on to the bench that works on a block of a run, which looks for it. */
export const passPause = (folder: string): void =>
  withStorageErrors(pausePath(folder), () => writeFileSync(pausePath(folder), ''))

/** Whether somebody asked for a pause. */
export const isPauseRequested = (folder: string): boolean => existsSync(pausePath(folder))

/** Takes a request back. */
export function clearPause(folder: string): void {
  withStorageErrors(pausePath(folder), () => rmSync(pausePath(folder), { force: true }))
}

/** Asks a person at the terminal. Returns undefined if nobody answers. Rejects when the signal aborts. */
export type AskPerson = (question: WaitsLine, signal: AbortSignal) => Promise<ApprovalAnswer | undefined>

/** Who answers `approve()` in a session. */
export interface Approvals {
  policy: ApprovalPolicy
  /** Needed by the policy `ask`; without it such a trial waits. */
  askPerson?: AskPerson | undefined
  /** Called when the policy `yes`, which nobody chose, answers. */
  onDefault?: (() => void) | undefined
}

/** The policy of runs in which nobody can be asked. */
export const alwaysYes: Approvals = { policy: { policy: 'yes' } }

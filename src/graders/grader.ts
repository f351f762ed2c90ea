import { findPathConflict, isWorkspacePath } from '../sandbox/folders/paths.ts'
import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { GraderKind, GraderSpec } from '../schema/grader-spec.ts'
import type { JudgeScore, Score } from '../schema/ledger/outcome.ts'
import type { Files, Task } from '../schema/task.ts'
import { editableIn } from '../suites/editable.ts'
import { cutMiddle } from '../text/shorten.ts'

/** The input of a grader. `files` are the final files: those that are not editable are the task's own again. */
export interface GraderContext<Kind extends GraderKind = GraderKind> {
  spec: Extract<GraderSpec, { kind: Kind }>
  task: Task
  files: Files
  /** The method's answer; undefined if it gave none. */
  answer: string | undefined
  /** That nothing was delivered, in plain words; undefined where files were. */
  undelivered?: string | undefined
  /** Draws the order of test files; undefined: by name. */
  shuffle?: string | undefined
  /** What judges said, by the grader's name. Absent outside of a run, where nobody is asked. */
  judged?: Judged | undefined
  /** Runs programs in the sandbox; graders start none otherwise. */
  run: SandboxRun
  signal: AbortSignal
}

/** What the judges of a run said about a delivery, by the name of the grader. */
export type Judged = ReadonlyMap<string, { judges: readonly JudgeScore[]; reason: string }>

/**
 * Grades one aspect. Equal inputs give equal scores: reasons contain no durations, paths or addresses. Throws
 * `InfrastructureError` if it cannot grade (a tool is missing, a process cannot start): the trial ends in error, and is not
 * scored 0.
 */
export type Grader<Kind extends GraderKind = GraderKind> = (
  context: GraderContext<Kind>,
) => Promise<Score> | Score

/** A grader in the registry. */
export interface RegisteredGrader<Kind extends GraderKind = GraderKind> {
  /** It runs delivered code, so its tasks need a sandbox. */
  runsCode: boolean
  grade: Grader<Kind>
  /** Compares two answers as `grade` compares one with the right answer; absent where a kind has no such comparison. */
  equality?: (spec: WithoutAnswer<Kind>, instruction: string) => AnswerEquality | Promise<AnswerEquality>
}

/** A grader's spec without the right answer. */
export type WithoutAnswer<Kind extends GraderKind = GraderKind> = Omit<
  Extract<GraderSpec, { kind: Kind }>,
  'answer'
>

/** Whether two replies give the same answer; undefined if neither gives an answer that can be read. */
export type AnswerEquality = (one: string, other: string) => boolean | undefined

/** Compares replies by what is read of them. A reply of which nothing can be read is like none that can be read. */
export function equalityOf<Read>(
  read: (reply: string) => Read | undefined,
  isSame: (one: Read, other: Read) => boolean,
): AnswerEquality {
  return (...replies) => {
    const [one, other] = replies.map(read)
    if (one === undefined && other === undefined) return undefined
    return one !== undefined && other !== undefined && isSame(one, other)
  }
}

/** Returns a score of 1 or 0 with its reason. */
export function binaryScore(name: string, right: boolean, reason: string): Score {
  return { name, value: right ? 1 : 0, reason: cutMiddle(reason) }
}

/** Returns the score of a trial without an answer. */
export function emptyAnswerScore(name: string): Score {
  return binaryScore(name, false, 'the reply gives no answer')
}

/**
 * Returns the files to grade: editable files as the method left them, all others as in the task. Other new files and invalid
 * paths are dropped.
 */
export function finalFiles(task: Task, left: Files): Files {
  if (left === task.files) return left
  const isEditable = editableIn(task.spec)
  const files: Record<string, string> = {}
  for (const [path, text] of Object.entries(task.files)) {
    if (!isEditable(path)) files[path] = text
  }
  for (const [path, text] of Object.entries(left)) {
    if (isEditable(path) && isWorkspacePath(path)) files[path] = text
  }
  for (let clash = findPathConflict(Object.keys(files)); clash !== undefined; ) {
    // A file where another path needs a folder: the task's own file stays.
    for (const path of Object.keys(files)) {
      if (isEditable(clash) ? path === clash : path.startsWith(`${clash}/`)) delete files[path]
    }
    clash = findPathConflict(Object.keys(files))
  }
  return files
}

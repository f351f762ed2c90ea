import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { Score } from '../schema/ledger/outcome.ts'
import type { Files, GraderKind, GraderSpec, Task } from '../schema/task.ts'
import { shorten } from '../text/shorten.ts'

/** What a grader gets. `files` are the final ones, with all that was not editable put back. */
export interface GraderContext<Kind extends GraderKind = GraderKind> {
  spec: Extract<GraderSpec, { kind: Kind }>
  task: Task
  files: Files
  /** What the method gave as its answer; undefined when it gave none. */
  answer: string | undefined
  /** The one door to child processes. */
  run: SandboxRun
  signal: AbortSignal
}

/**
 * Judges one aspect. Equal inputs give equal scores: reasons hold no durations, paths or addresses. Throws
 * `InfrastructureError` when it could not judge (the tool is missing, a process cannot start): that is an error of
 * the trial, never a 0.
 */
export type Grader<Kind extends GraderKind = GraderKind> = (
  context: GraderContext<Kind>,
) => Promise<Score> | Score

/** A grader as it stands in the registry. */
export interface RegisteredGrader<Kind extends GraderKind = GraderKind> {
  /** It starts programs on what was delivered, so that a run with such tasks needs a sandbox. */
  runsCode: boolean
  grade: Grader<Kind>
}

/** A score of 1 or 0 with its reason. */
export function verdict(name: string, right: boolean, reason: string): Score {
  return { name, value: right ? 1 : 0, reason: shorten(reason) }
}

/** What a grader says when the trial left no answer. */
export function nothingLeft(name: string): Score {
  return verdict(name, false, 'nothing was left to grade')
}

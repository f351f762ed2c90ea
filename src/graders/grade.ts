import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { Score } from '../schema/ledger/outcome.ts'
import type { Files, GraderSpec, Rule, Task } from '../schema/task.ts'
import { InfrastructureError } from '../text/errors.ts'
import { knownAnswer } from './expected.ts'
import { finalFiles } from './final-files.ts'
import type { Grader } from './grader.ts'
import { graders } from './registry.ts'

/** What a trial left behind, and the means to judge it. */
export interface Delivery {
  files: Files
  answer: string | undefined
  /** The one door to child processes. */
  run: SandboxRun
  signal: AbortSignal
}

/** What the graders said, and whether the task's rule over it holds. */
export interface Graded {
  scores: Score[]
  passed: boolean
}

/**
 * Puts back what was not editable, runs all graders of a task one after the other, and applies its rule. Throws
 * `InfrastructureError` when a grader could not judge, and the signal's reason when aborted.
 */
export async function grade(task: Task, { files, answer, run, signal }: Delivery): Promise<Graded> {
  const final = finalFiles(task, files)
  const scores: Score[] = []
  for (const spec of task.spec.graders) {
    if (!canJudge(spec, task)) {
      throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has nothing to compare with`)
    }
    const grader = graders[spec.kind].grade as Grader
    scores.push(await grader({ spec, task, files: final, answer, run, signal }))
  }
  return { scores, passed: holds(task.spec.rule, scores) }
}

/** Whether a task has graders, and each of them something to compare with: its tests, patterns or answer. */
export function isGradable(task: Task): boolean {
  return task.spec.graders.length > 0 && task.spec.graders.every((spec) => canJudge(spec, task))
}

function canJudge(spec: GraderSpec, task: Task): boolean {
  if (spec.kind === 'pattern') return true
  if (spec.kind !== 'tests') return knownAnswer(spec, task) !== undefined
  return spec.runner === 'command' || Object.keys(task.hidden.tests).length > 0
}

/** Whether a task's rule over its scores holds. */
export function holds(rule: Rule, scores: readonly Score[]): boolean {
  if (rule === 'all') return scores.every(isFull)
  if (rule === 'any') return scores.some(isFull)
  const mean = scores.reduce((sum, { value }) => sum + value, 0) / scores.length
  // Means of thirds are not exact in binary.
  return mean >= rule.mean - 1e-12
}

const isFull = ({ value }: Score) => value === 1

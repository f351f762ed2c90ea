import { InfrastructureError } from '../errors.ts'
import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { Score } from '../schema/score.ts'
import type { Files, GraderSpec, Rule, Task } from '../schema/task.ts'
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

/**
 * Puts back what was not editable, runs all graders of a task and applies its rule. Throws `InfrastructureError` when
 * a grader could not judge, and the signal's reason when aborted.
 */
export async function grade(task: Task, delivery: Delivery): Promise<{ scores: Score[]; passed: boolean }> {
  const files = finalFiles(task, delivery.files)
  const { answer, run, signal } = delivery
  const scores: Score[] = []
  for (const spec of task.spec.graders) {
    if (!canJudge(spec, task)) {
      throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has nothing to compare with`)
    }
    const grader = graders[spec.kind] as Grader
    const score = grader({ spec, task, files, answer, run, signal })
    scores.push(score instanceof Promise ? await score : score)
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
  if (rule === 'all') return scores.every(({ value }) => value === 1)
  if (rule === 'any') return scores.some(({ value }) => value === 1)
  const mean = scores.reduce((sum, { value }) => sum + value, 0) / scores.length
  // Means of thirds are not exact in binary.
  return mean >= rule.mean - 1e-12
}

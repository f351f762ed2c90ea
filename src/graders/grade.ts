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

/** What the graders said, and whether the task's rule over it holds. */
export interface Graded {
  scores: Score[]
  passed: boolean
}

/**
 * Puts back what was not editable, runs all graders of a task and applies its rule; at once where no grader has anything
 * to wait for. Throws, or rejects with, `InfrastructureError` when a grader could not judge, and the signal's reason when
 * aborted.
 */
export function grade(task: Task, delivery: Delivery): Graded | Promise<Graded> {
  const scores = judged(task, finalFiles(task, delivery.files), delivery, [])
  return scores instanceof Promise ? scores.then((late) => graded(task, late)) : graded(task, scores)
}

const graded = (task: Task, scores: Score[]): Graded => ({ scores, passed: holds(task.spec.rule, scores) })

/** One grader after the other, from where `scores` ends; at once where no grader has anything to wait for. */
function judged(task: Task, files: Files, delivery: Delivery, scores: Score[]): Score[] | Promise<Score[]> {
  const { answer, run, signal } = delivery
  const specs = task.spec.graders
  while (scores.length < specs.length) {
    const spec = specs[scores.length] as GraderSpec
    if (!canJudge(spec, task)) {
      throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has nothing to compare with`)
    }
    const grader = graders[spec.kind].grade as Grader
    const score = grader({ spec, task, files, answer, run, signal })
    if (score instanceof Promise)
      return score.then((late) => judged(task, files, delivery, [...scores, late]))
    scores.push(score)
  }
  return scores
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

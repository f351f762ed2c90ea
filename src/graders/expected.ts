import type { GraderSpec } from '../schema/grader-spec.ts'
import type { Task } from '../schema/task.ts'
import { InfrastructureError } from '../text/errors.ts'
import { hideVolatileParts } from '../text/volatile-parts.ts'

type AnswerSpec = Extract<GraderSpec, { answer?: string | number | undefined }>

/** Returns the expected answer: the grader's, else the reference solution's; undefined if there is none. */
export function findExpectedAnswer(spec: AnswerSpec, task: Task): string | undefined {
  return spec.answer === undefined ? task.hidden.solution?.answer : String(spec.answer)
}

/** Like `findExpectedAnswer`, but throws `InfrastructureError` if there is none. */
export function requireExpectedAnswer(spec: AnswerSpec, task: Task): string {
  const answer = findExpectedAnswer(spec, task)
  if (answer === undefined) {
    throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has no answer to compare with`)
  }
  return answer
}

/**
 * Removes from a test's message what differs between equal runs: measured durations, addresses, process ids and the private
 * folder. Whole numbers of milliseconds stay, since a test may be about them.
 */
export function normalise(message: string): string {
  return hideVolatileParts(message.replace(/(?:file:\/\/)?\/workspace\//g, ''))
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

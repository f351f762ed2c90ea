import { InfrastructureError } from '../errors.ts'
import type { GraderSpec, Task } from '../schema/task.ts'

type AnswerSpec = Extract<GraderSpec, { answer?: string | number | undefined }>

/** What the answer is compared with: the grader's own answer, else the reference solution's; undefined where neither is. */
export function knownAnswer(spec: AnswerSpec, task: Task): string | undefined {
  return spec.answer === undefined ? task.hidden.solution?.answer : String(spec.answer)
}

/** Like `knownAnswer`; throws `InfrastructureError` where there is nothing to compare with. */
export function expectedAnswer(spec: AnswerSpec, task: Task): string {
  const answer = knownAnswer(spec, task)
  if (answer === undefined) {
    throw new InfrastructureError(`${task.ref}: the grader ${spec.name} has no answer to compare with`)
  }
  return answer
}

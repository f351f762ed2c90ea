import type { GraderSpec } from '../schema/grader-spec.ts'
import type { Task } from '../schema/task.ts'
import { answerForm, type SameAnswer } from '../workflows/vote.ts'
import type { AnswerEquality, RegisteredGrader } from './grader.ts'
import { graders } from './registry.ts'

/**
 * Returns how replies to a task are compared with each other: each grader compares as it does with the right answer, which is not consulted.
 * Where a grader knows no comparison, or can read neither reply, the texts of the answers are compared.
 */
export async function sameAnswerOf({
  spec,
  instruction,
}: Pick<Task, 'spec' | 'instruction'>): Promise<SameAnswer> {
  const equalities = await Promise.all(spec.graders.map((grader) => equalityFor(grader, instruction)))
  return (one, other) => {
    const isSameText = answerForm(one) === answerForm(other)
    return equalities.length === 0
      ? isSameText
      : equalities.every((equality) => equality?.(one, other) ?? isSameText)
  }
}

async function equalityFor(spec: GraderSpec, instruction: string): Promise<AnswerEquality | undefined> {
  const { equality } = graders[spec.kind]
  const hidden = { ...spec, answer: undefined }
  // The registry is keyed by kind: an entry and its spec belong together.
  return (equality as RegisteredGrader['equality'])?.(hidden, instruction)
}

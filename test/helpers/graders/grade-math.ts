import { math } from '../../../src/graders/mathematics/math.ts'
import type { Score } from '../../../src/schema/ledger/outcome.ts'
import { answerTask } from '../machine/answers.ts'

/** Grades a reply by the grader `math`. */
export async function gradeMath(expected: string, reply: string): Promise<Score> {
  const task = answerTask({ kind: 'math', answer: expected })
  const [spec] = task.spec.graders
  return math({ spec, task, answer: reply } as Parameters<typeof math>[0])
}

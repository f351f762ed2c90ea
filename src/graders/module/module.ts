import { extractAnswer } from '../../replies/answers/extract-answer.ts'
import type { Score } from '../../schema/ledger/outcome.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { normalise } from '../expected.ts'
import { emptyAnswerScore, type Grader, type GraderContext } from '../grader.ts'
import { readReturned } from './returned-score.ts'
import { runModule } from './run-module.ts'

/**
 * Grades with a function of the task's own, which gets what was handed in as data. A function that throws, returns no score from 0 to 1,
 * or ends its process is the task's fault: it throws `InfrastructureError`, and the method gets no 0 for it.
 */
export const module: Grader<'module'> = async (context) => {
  const { spec, task, undelivered } = context
  const answer = answerOf(context)
  if (task.spec.output === 'answer' && !answer?.trim()) return emptyAnswerScore(spec.name)
  const end = await runModule(context, answer)
  if (!('returned' in end)) throw fault(context, end.problem)
  const read = readReturned(end.returned)
  if ('problem' in read) throw fault(context, read.problem)
  const reason = [undelivered, normalise(read.reason)].filter(Boolean).join('; ')
  return { name: spec.name, value: read.value, reason: shorten(reason) } satisfies Score
}

function answerOf({ spec, task, answer }: GraderContext<'module'>): string | undefined {
  if (task.spec.output !== 'answer' || spec.reads === 'reply') return answer
  return extractAnswer(answer, undefined)
}

const fault = ({ spec, task }: GraderContext<'module'>, problem: string) =>
  new InfrastructureError(
    `${task.ref}: the grader ${spec.name} (tests/${spec.file}) ${shorten(normalise(problem))}`,
  )

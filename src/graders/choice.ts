import { extractAnswer } from '../replies/answers/extract-answer.ts'
import { matchOption, optionLetter } from '../replies/answers/match-option.ts'
import { InfrastructureError } from '../text/errors.ts'
import { requireExpectedAnswer } from './expected.ts'
import type { Grader } from './grader.ts'
import { binaryScore, emptyAnswerScore } from './grader.ts'

/** Passes if the final answer names the right option, by its letter or its text, and no other. */
export const choice: Grader<'choice'> = ({ spec, task, answer }) => {
  const source = requireExpectedAnswer(spec, task)
  const expected = matchOption(source, spec.options)
  if (expected === undefined) {
    throw new InfrastructureError(
      `${task.ref}: the answer ${JSON.stringify(source)} is not one of the options of the grader ${spec.name}`,
    )
  }
  const found = extractAnswer(answer, spec.extract)
  if (!found) return emptyAnswerScore(spec.name)
  const chosen = matchOption(found, spec.options)
  if (chosen === undefined)
    return binaryScore(spec.name, false, `${JSON.stringify(found)} names no single option`)
  const named = `(${optionLetter(chosen)}) ${spec.options[chosen]}`
  return binaryScore(
    spec.name,
    chosen === expected,
    `${named} is ${chosen === expected ? 'right' : 'not the answer'}`,
  )
}

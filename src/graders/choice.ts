import { matchOption } from '../replies/answers/options/match-option.ts'
import { optionLetter } from '../replies/answers/options/option-text.ts'
import { readChoice } from '../replies/answers/options/read-choice.ts'
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
  const found = readChoice(answer, spec.options, spec.extract)
  if (!found) return emptyAnswerScore(spec.name)
  const chosen = found.index
  if (chosen === undefined)
    return binaryScore(spec.name, false, `${JSON.stringify(found.text)} names no single option`)
  const named = `(${optionLetter(chosen)}) ${spec.options[chosen]}`
  return binaryScore(
    spec.name,
    chosen === expected,
    `${named} is ${chosen === expected ? 'right' : 'not the answer'}`,
  )
}

import { matchOption, optionLetter } from '../answers/match-option.ts'
import { InfrastructureError } from '../text/errors.ts'
import { expectedAnswer } from './expected.ts'
import { extractAnswer } from './extract.ts'
import type { Grader } from './grader.ts'
import { nothingLeft, verdict } from './grader.ts'

/** The final answer names the right option, by its letter or by its text, and no other. */
export const choice: Grader<'choice'> = ({ spec, task, answer }) => {
  const source = expectedAnswer(spec, task)
  const expected = matchOption(source, spec.options)
  if (expected === undefined) {
    throw new InfrastructureError(
      `${task.ref}: ${JSON.stringify(source)} is none of the options of ${spec.name}`,
    )
  }
  const found = extractAnswer(answer, spec.extract)
  if (!found) return nothingLeft(spec.name)
  const chosen = matchOption(found, spec.options)
  if (chosen === undefined)
    return verdict(spec.name, false, `${JSON.stringify(found)} names no single option`)
  const named = `(${optionLetter(chosen)}) ${spec.options[chosen]}`
  return verdict(
    spec.name,
    chosen === expected,
    `${named} is ${chosen === expected ? 'right' : 'not the answer'}`,
  )
}

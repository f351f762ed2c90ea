import { extractAnswer } from '../replies/answers/extract-answer.ts'
import { stripMarkup } from '../replies/answers/markup.ts'
import { requireExpectedAnswer } from './expected.ts'
import type { Grader } from './grader.ts'
import { binaryScore, emptyAnswerScore } from './grader.ts'

/** Passes if the final answer equals the expected text, except for white space, a final period and (by default) case. */
export const exact: Grader<'exact'> = ({ spec, task, answer }) => {
  const expected = requireExpectedAnswer(spec, task)
  const found = extractAnswer(answer, spec.extract)
  if (!found) return emptyAnswerScore(spec.name)
  const right = isRight(found, expected, spec.ignoreCase)
  return binaryScore(spec.name, right, `${quote(found)} is ${right ? 'right' : 'not the answer'}`)
}

function isRight(found: string, expected: string, ignoreCase: boolean): boolean {
  if (found === expected) return true
  // An answer such as `__init__` looks like markup.
  const wanted = [...forms(expected, ignoreCase), ...forms(stripMarkup(expected), ignoreCase)]
  return forms(found, ignoreCase).some((form) => wanted.includes(form))
}

/** Returns the normalised forms of a text, with and without its final period. */
function forms(text: string, ignoreCase: boolean): string[] {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  const cased = ignoreCase ? plain.toLowerCase() : plain
  return [cased, cased.replace(/\.$/, '').trim()].filter((form) => form !== '')
}

const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)

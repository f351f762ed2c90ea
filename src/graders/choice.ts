import { InfrastructureError } from '../errors.ts'
import { expectedAnswer } from './expected.ts'
import { extractAnswer } from './extract.ts'
import type { Grader } from './grader.ts'
import { nothingLeft, verdict } from './scores.ts'

/** The final answer names the right option, by its letter or by its text, and no other. */
export const choice: Grader<'choice'> = ({ spec, task, answer }) => {
  const source = expectedAnswer(spec, task)
  const expected = chosenOption(source, spec.options)
  if (expected === undefined) {
    throw new InfrastructureError(
      `${task.ref}: ${JSON.stringify(source)} is none of the options of ${spec.name}`,
    )
  }
  const found = extractAnswer(answer, spec.extract)
  if (!found) return nothingLeft(spec.name)
  const chosen = chosenOption(found, spec.options)
  if (chosen === undefined)
    return verdict(spec.name, false, `${JSON.stringify(found)} names no single option`)
  const named = `(${letter(chosen)}) ${spec.options[chosen]}`
  return verdict(
    spec.name,
    chosen === expected,
    `${named} is ${chosen === expected ? 'right' : 'not the answer'}`,
  )
}

/**
 * Index of the option that a text names: the option's text, its letter (`A`, `(A)`, `a)`, `A.`), or its letter with
 * its text or a remark. Undefined for none, and for a letter beside another option.
 */
function chosenOption(text: string, options: readonly string[]): number | undefined {
  const plain = normal(text.slice(0, longestAnswer))
  const whole = optionByText(plain, options)
  if (whole !== undefined) return whole
  const { index, rest } = leadingLetter(plain)
  if (index === undefined || index >= options.length) return undefined
  const other = optionByText(normal(rest), options) ?? leadingLetter(rest).index
  return other === undefined || other === index ? index : undefined
}

const longestAnswer = 2000

function optionByText(plain: string, options: readonly string[]): number | undefined {
  const index = options.findIndex((option) => normal(option.slice(0, longestAnswer)) === plain)
  return index === -1 ? undefined : index
}

/** The letter that a text begins with, as the index of an option, and what stands behind it. */
function leadingLetter(plain: string): { index?: number; rest: string } {
  const match = /^(?:option )?(?:\(([a-z])\)|([a-z])(?=$|[).:,]))[).:,]?(.*)$/su.exec(plain)
  if (!match) return { rest: '' }
  return {
    index: letters.indexOf((match[1] ?? match[2]) as string),
    rest: (match[3] as string).replace(/^[\s\-–—:]+/, ''),
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const letter = (index: number) => (letters[index] ?? String(index + 1)).toUpperCase()

function normal(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[*_`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]$/, '')
}

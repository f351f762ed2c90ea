import { readAmount } from './amount.ts'
import { completeNumber, type FoundNumber } from './complete-number.ts'
import type { Token } from './tokens.ts'

/** Returns all numbers of a text that are written with digits, in order. Takes time linear in the text. */
export function findNumbers(tokens: readonly Token[]): FoundNumber[] {
  const found: FoundNumber[] = []
  for (let at = 0; at < tokens.length; ) {
    const digits = tokens[at]?.kind === 'number'
    const number = digits ? completeNumber(tokens, at, readAmount(tokens, at)) : undefined
    if (number !== undefined) found.push(number)
    at = number?.to ?? at + 1
  }
  return found
}

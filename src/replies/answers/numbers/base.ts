import { isNumberWord } from './number-words.ts'

const names = '(?:binary|ternary|octal|hexadecimal|hex)'
const before = new RegExp(
  `\\b(?:in|to) ${names} (?:is|equals|gives)$|\\b${names}(?: (?:number|form|notation|representation|value|code|string))?(?: (?:is|equals))?$`,
)
const behind = new RegExp(`^(?:in |as )?${names}(?: (?:number|form|notation|representation|code))?$`)

/** Returns which of the words before a number, in order, say that its digits are not decimal: `binary number`; undefined for none. */
export const baseBefore = (words: readonly string[]): string | undefined =>
  before.exec(words.join(' '))?.[0].trim()

/**
 * Whether the words behind a number, or in a remark on it, say that its digits are in a base: `in binary`, `base 2`. A number among
 * the words is ''.
 */
export function namesBaseBehind(words: readonly string[]): boolean {
  const [first = '', second] = words[0] === 'in' ? words.slice(1) : words
  const base = first === 'base' && second !== undefined && (second === '' || isNumberWord(second))
  return base || behind.test(words.join(' '))
}

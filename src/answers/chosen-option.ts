/**
 * Index of the option that a text names: the option's text, its letter (`A`, `(A)`, `a)`, `A.`), or its letter with
 * its text or a remark. Undefined for none, and for a letter beside another option.
 */
export function chosenOption(text: string, options: readonly string[]): number | undefined {
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

/** What an option is called: A for the first. */
export const optionLetter = (index: number): string => (letters[index] ?? String(index + 1)).toUpperCase()

/** The place of the first option that reads like this one, which stands before it; undefined where none does. */
export function sameOption(index: number, options: readonly string[]): number | undefined {
  const first = optionByText(normal((options[index] ?? '').slice(0, longestAnswer)), options)
  return first === index ? undefined : first
}

function normal(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[*_`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]$/, '')
}

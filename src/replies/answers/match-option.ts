/**
 * Returns the index of the option that a text names: by the option's text, its letter (`A`, `(A)`, `a)`, `A.`), or its letter
 * with its text or a remark. Case and marks count only if options differ by nothing else (`true`, `True`). Undefined for no
 * option, for a letter with the text of another option, and for an ambiguous text.
 */
export function matchOption(text: string, options: readonly string[]): number | undefined {
  const written = text.slice(0, longestAnswer).trim()
  const same = options.findIndex((option) => option.trim() === written)
  if (same !== -1) return same
  const plain = normalizeAnswer(written)
  const whole = optionByText(plain, options)
  if (whole !== undefined) return whole
  const { index, rest } = leadingLetter(plain)
  if (index === undefined || index >= options.length) return undefined
  const other = optionByText(normalizeAnswer(rest), options) ?? leadingLetter(rest).index
  return other === undefined || other === index ? index : undefined
}

const longestAnswer = 2000

function optionByText(plain: string, options: readonly string[]): number | undefined {
  const [index, ...others] = options.flatMap((option, i) => (normalizeOption(option) === plain ? [i] : []))
  return others.length === 0 ? index : undefined
}

/** Returns the leading letter of a text as the index of an option, and the rest of the text. */
function leadingLetter(plain: string): { index?: number; rest: string } {
  const match = /^(?:option )?(?:\(([a-z])\)|([a-z])(?=$|[).:,]))[).:,]?(.*)$/su.exec(plain)
  if (!match) return { rest: '' }
  return {
    index: letters.indexOf((match[1] ?? match[2]) as string),
    rest: (match[3] as string).replace(/^[\s\-–—:]+/, ''),
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Returns the letter of an option: A for the first. */
export const optionLetter = (index: number): string => (letters[index] ?? String(index + 1)).toUpperCase()

const normalizeOption = (option: string) => normalizeAnswer(option.slice(0, longestAnswer))

function normalizeAnswer(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[*_`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]$/, '')
}

import { problemAt, UserError } from '../../text/errors.ts'

/** Splits a command into words; quotes hold words together. Throws `UserError` for a quote without an end. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  const pattern = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g
  for (const [word] of text.matchAll(pattern))
    words.push(
      word.replace(
        /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
        (_, char?: string, double?: string, single?: string) =>
          char ?? single ?? (double ?? '').replace(/\\(.)/g, '$1'),
      ),
    )
  if (/["']/.test(text.replaceAll(pattern, '')))
    throw new UserError(problemAt(`--tests ${text}`, 'has a quote without an end', 'Close the quote.'))
  return words
}

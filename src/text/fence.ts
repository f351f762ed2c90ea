/** Returns a line of backticks that no text can close: longer than any run of backticks in the texts. At least three. */
export function fenceFor(texts: Iterable<string>): string {
  let longest = 2
  for (const text of texts)
    for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

/** Puts a text between two lines. */
export const fenced = (text: string, fence: string): string =>
  `${fence}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`

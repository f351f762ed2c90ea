/** Begins each line of what a memory recalls. */
export const quoteMark = '> '

/** Whether the result of a recall quotes something that was found. */
export const quotesContent = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith(quoteMark))

/** The first line of the result of a check. */
export const checkCount = ({ passed, total }: { passed: number; total: number }): string =>
  `${passed} of ${total} checks passed.`

/** Whether the result of a check says how many passed: a task may have none. */
export const countsChecks = (text: string): boolean => /^\d+ of \d+ checks passed\./.test(text)

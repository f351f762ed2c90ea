import { endOfBrackets, type PythonExample } from '../python-examples.ts'

/**
 * Returns a Python assert as an example of a docstring: a call and the value that it must give, if the assert compares the two. Else
 * the example is the assert itself.
 */
export function assertExample(assert: string): PythonExample {
  const text = assert.trim()
  const condition = /^assert\b[ \t]*(.+)$/.exec(text)?.[1] ?? ''
  const end = endOfBrackets(condition) ?? 0
  const want = /^\s*==\s*(.+)$/.exec(condition.slice(end))?.[1]?.trim() ?? ''
  return end > 0 && isLiteral(want) ? { source: condition.slice(0, end), want } : { source: text, want: '' }
}

/** Returns lines of Python as one example, which must run without an error. */
export const runningExample = (lines: string): PythonExample => ({ source: lines.trim(), want: '' })

/** Whether a text is one value without names. A whole `True` or `False` does not count: to an assert 1 equals True. */
function isLiteral(text: string): boolean {
  const bare = text.replace(/[rbuf]{0,2}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/gi, '0')
  if (!/^(?:[\d\s.,+\-()[\]{}:]|\de[-+]?\d|\b(?:True|False|None)\b)+$/.test(bare)) return false
  if (/^(?:True|False)$/.test(bare)) return false
  return /^[([{]/.test(bare) ? endOfBrackets(bare) === bare.length : !bare.includes(',')
}

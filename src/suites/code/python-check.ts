import { boundNames, innerNames } from '../../replies/code/python/python-facts.ts'
import { pythonStatements, type Statement } from '../../replies/code/python/statements.ts'
import { endOfBrackets, type PythonExample } from '../python-examples.ts'

/**
 * Returns a test file for `python-check` that runs Python statements. The parameter has the name of the tested function, so that they
 * call it by its name, even if it is `check`.
 */
export function checkFile(name: string, preamble: readonly string[], statements: string): string {
  const before = preamble.map((text) => text.trimEnd()).filter((text) => text !== '')
  return `${[...before, `def check(${name}):\n${indented(statements)}`].join('\n\n')}\n`
}

/** Returns test files by name, numbered in their order. */
export function numberedFiles(texts: readonly string[]): Record<string, string> {
  const width = String(texts.length).length
  return Object.fromEntries(texts.map((text, i) => [`check-${String(i + 1).padStart(width, '0')}.py`, text]))
}

/** Indents the first line of each statement. The others go on in brackets or strings, where a space could change a text. */
function indented(text: string): string {
  const begins = new Set(pythonStatements(text).map(({ begin }) => begin))
  return text
    .split('\n')
    .map((line, i) => (begins.has(i) ? `    ${line}` : line))
    .join('\n')
}

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

/** What a top-level statement of Python code binds a name to. */
export interface Binding {
  kind: 'function' | 'class' | 'import' | 'variable'
  /** The statement, with the contents of strings left out. */
  text: string
}

/** Returns the names that Python code binds at its top level. */
export function topLevelNames(code: string): Map<string, Binding> {
  const names = new Map<string, Binding>()
  for (const { text, indent } of pythonStatements(code)) {
    if (indent > 0) continue
    for (const name of boundNames(text)) names.set(name, { kind: kindOf(text), text })
  }
  return names
}

function kindOf(text: string): Binding['kind'] {
  if (/^(?:async\s+)?def\b/.test(text)) return 'function'
  if (/^class\b/.test(text)) return 'class'
  return /^(?:from|import)\b/.test(text) ? 'import' : 'variable'
}

/** Returns the names that statements read and do not bind themselves: no attributes, no keywords of calls. */
export function namesUsed(statements: readonly Statement[]): Set<string> {
  const texts = statements.map(({ text }) => text)
  const bound = new Set(texts.flatMap(innerNames))
  const read = texts.flatMap((text) => text.match(/(?<![\w.])[A-Za-z_]\w*\b(?!\s*=(?!=))/g) ?? [])
  return new Set(read.filter((name) => !bound.has(name)))
}

/** Returns the names that statements call, in their order. */
export function namesCalled(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ text }) => text.match(/(?<![\w.])[A-Za-z_]\w*(?=\s*\()/g) ?? [])
}

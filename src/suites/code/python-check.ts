import { namesOf, parsePython, treeOf } from '../../replies/code/python/parse-python.ts'
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

/** Indents each line that does not begin within a string, where a space would change a text. */
function indented(text: string): string {
  const inTexts = linesInTexts(text)
  return text
    .split('\n')
    .map((line, i) => (inTexts.has(i) ? line : `    ${line}`))
    .join('\n')
}

/** Returns the lines, from 0, that begin within a string. */
function linesInTexts(code: string): Set<number> {
  const lines = new Set<number>()
  let line = 0
  let at = 0
  treeOf(code).iterate({
    enter({ name, from, to }) {
      if (!/^(?:Format)?String$/.test(name)) return true
      for (; at < from; at++) if (code[at] === '\n') line++
      for (; at < to; at++) if (code[at] === '\n') lines.add(++line)
      return false
    },
  })
  return lines
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
  /** The statement as it stands. */
  text: string
}

/** Returns the names that Python code binds at its top level. */
export function topLevelNames(code: string): Map<string, Binding> {
  const names = new Map<string, Binding>()
  for (const statement of parsePython(code)) {
    const { kind, depth, from, to } = statement
    if (depth > 0) continue
    for (const name of namesOf([statement], 'binds'))
      names.set(name, { kind: kinds[kind] ?? 'variable', text: code.slice(from, to) })
  }
  return names
}

const kinds: Readonly<Record<string, Binding['kind']>> = {
  FunctionDefinition: 'function',
  ClassDefinition: 'class',
  ImportStatement: 'import',
}

/** Returns the names that Python code reads and does not bind itself: no attributes, no keywords of calls. */
export function namesUsed(code: string): Set<string> {
  const statements = parsePython(code)
  const bound = new Set(namesOf(statements, 'binds', 'inner'))
  return new Set(namesOf(statements, 'reads').filter((name) => !bound.has(name)))
}

/** Returns the names that Python code calls, in their order. */
export const namesCalled = (code: string): string[] =>
  parsePython(code).flatMap(({ names }) =>
    names.flatMap(({ name, path, isCalled }) => (isCalled && name === path ? [name] : [])),
  )

import { pythonStatements } from '../../replies/code/python/statements.ts'

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

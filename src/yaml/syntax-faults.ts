import type { ErrorCode, YAMLParseError } from 'yaml'
import type { Fault } from './yaml-nodes.ts'

/** What the parser says of the lines after a mistake, which are often right. */
const consequences: readonly ErrorCode[] = ['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY']

const inQuotes = 'Put a text that contains `: `, or begins with a mark such as { [ @ or `, in quotes.'

const fixes: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Indent it as the lines before it, and close each bracket.',
  BLOCK_AS_IMPLICIT_KEY: inQuotes,
  BLOCK_IN_FLOW: inQuotes,
  UNEXPECTED_TOKEN: inQuotes,
  BAD_SCALAR_START: inQuotes,
}

/** Returns the mistakes of a text that is no YAML, one a line, without those that only follow from the first. */
export function syntaxFaults(errors: readonly YAMLParseError[], lineOf: (at: number) => string): Fault[] {
  const told = new Set<string>()
  return errors.flatMap(({ code, pos, message }): Fault[] => {
    const at = Math.max(pos[0], 0)
    const line = lineOf(at)
    if (told.has(line) || (code !== errors[0]?.code && consequences.includes(code))) return []
    told.add(line)
    const fix = fixes[code]
    // A message may quote a long text.
    const short = message.length > 300 ? `${message.slice(0, 300)}…` : message
    return [{ at, what: `is not valid YAML: ${short}`, ...(fix !== undefined && { fix }) }]
  })
}

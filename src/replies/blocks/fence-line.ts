import { readInfo } from './block-info.ts'

/** A line that holds a fence. */
export interface FenceLine {
  /** The number of `>` marks of block quotes before the fence. */
  quotes: number
  /** The columns before the fence, with a list marker and without the marks of quotes. */
  indent: number
  /** The list marker before the fence, without spaces. Such a fence closes no block. */
  marker: string
  sign: '`' | '~'
  length: number
  /** What stands behind the fence, trimmed. */
  info: string
}

// The length of a fence is limited. Longer rows of signs are drawings.
const fence = /^([ \t]*)((?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?)(`{3,64}|~{3,64})(?![`~])([^\n]*)$/
const gluedFence = /(?<![`~])(`{3,64})([\w+#.-]*)[ \t]*$/
const quoteMarks = /^[ \t]{0,3}(?:>[ \t]?)+/

/** Reads a fence that begins a line, behind the marks of lists and quotes; undefined if there is none. */
export function readFenceLine(line: string): FenceLine | undefined {
  const marks = quoteMarks.exec(line)?.[0] ?? ''
  const match = fence.exec(line.slice(marks.length))
  if (!match) return undefined
  const [, spaces = '', marker = '', signs = '', rest = ''] = match
  const sign = signs[0] as '`' | '~'
  // A backtick behind the fence makes it code within a sentence.
  if (sign === '`' && rest.includes('`')) return undefined
  return {
    quotes: countQuotes(marks),
    indent: columnsOf(spaces + ' '.repeat(marker.length)),
    marker: marker.trim(),
    sign,
    length: signs.length,
    info: rest.trim(),
  }
}

/** Reads an opening fence that stands at the end of a line of prose, such as `Here it is: ```python`. */
export function readGluedFence(line: string): FenceLine | undefined {
  if (!line.includes('```')) return undefined
  const end = line.trimEnd()
  const match = gluedFence.exec(end.slice(-100))
  if (!match) return undefined
  const [whole, signs = '', info = ''] = match
  const before = end.slice(0, end.length - whole.length).trimEnd()
  if (before === '' || before.includes('```')) return undefined
  const opens = info === '' ? before.endsWith(':') : readInfo(info).isKnown
  return opens ? { quotes: 0, indent: 0, marker: '', sign: '`', length: signs.length, info } : undefined
}

/** Whether a line within a block ends in the fence that closes it, such as `return x```​`. */
export function endsInFence(line: string, { sign, length }: FenceLine): boolean {
  const end = line.trimEnd()
  const signs = sign.repeat(length)
  return end.endsWith(signs) && end.indexOf(signs) === end.length - length && end.trim().length > length
}

/** Whether a stop stands behind a fence, such as in ` ```. `. Such a line opens no block. */
export const hasStop = ({ info }: FenceLine) => /^[.,;:!]$/.test(info)

/** Returns a line without the marks of as many quotes; undefined if it has fewer. */
export function withoutQuotes(line: string, quotes: number): string | undefined {
  let rest = line
  for (let i = 0; i < quotes; i++) {
    const match = /^[ \t]{0,3}> ?/.exec(rest)
    if (!match) return undefined
    rest = rest.slice(match[0].length)
  }
  return rest
}

/** Returns a line without its first columns of white space, at most as many as given. A tab reaches to the next fourth column. */
export function withoutIndent(line: string, columns: number): string {
  let column = 0
  let at = 0
  while (column < columns && (line[at] === ' ' || line[at] === '\t')) {
    column = line[at] === '\t' ? column + 4 - (column % 4) : column + 1
    at++
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at)
}

/** Returns the columns of a line's white space at its begin. */
export function columnsOf(line: string): number {
  let column = 0
  for (const sign of line) {
    if (sign === ' ') column++
    else if (sign === '\t') column += 4 - (column % 4)
    else break
  }
  return column
}

const countQuotes = (marks: string) => marks.split('>').length - 1

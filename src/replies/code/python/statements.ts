/** A statement of Python, or the head of a compound one. */
export interface Statement {
  /** The text with the contents of strings and comments left out. */
  text: string
  /** The first line, and the line behind the last; from 0. */
  begin: number
  end: number
  indent: number
}

const token = /"""|'''|["']|#[^\n]*|\\\n|[()[\]{}]|\n|[^"'#\\()[\]{}\n]+|\\/y
// A bracket that is never closed must not take the rest of the code.
const surelyNew = /^(?:@\w|(?:async[ \t]+)?def[ \t]|class[ \t]|import[ \t]\w|from[ \t][\w.]+[ \t]import\b)/

/** Divides Python code into statements, in one pass. Code with errors is divided as far as its lines allow. */
export function pythonStatements(source: string): Statement[] {
  const statements: Statement[] = []
  let text = ''
  let line = 0
  let begin = 0
  let depth = 0
  const finish = () => {
    if (text.trim() !== '')
      statements.push({
        text: text.trim(),
        begin,
        end: line + 1,
        indent: text.length - text.trimStart().length,
      })
    text = ''
  }
  for (let at = 0; at < source.length; ) {
    token.lastIndex = at
    const found = token.exec(source)?.[0] ?? source[at] ?? ''
    at += found.length
    if (found === '\n') {
      if (depth > 0 && surelyNew.test(source.slice(at, at + 40))) depth = 0
      if (depth === 0) finish()
      else text += ' '
      line++
      if (depth === 0) begin = line
    } else if (found === '\\\n') {
      text += ' '
      line++
    } else if (/^["']/.test(found)) {
      const end = endOfString(source, at, found)
      for (let i = at; i < end; i++) if (source[i] === '\n') line++
      at = end
      text += '""'
    } else if (!found.startsWith('#')) {
      if ('([{'.includes(found)) depth++
      else if (')]}'.includes(found)) depth = Math.max(0, depth - 1)
      text += found
    }
  }
  finish()
  return statements
}

const ends: Readonly<Record<string, RegExp>> = {
  '"': /\\[\s\S]|"|\n/g,
  "'": /\\[\s\S]|'|\n/g,
  '"""': /\\[\s\S]|"""/g,
  "'''": /\\[\s\S]|'''/g,
}

/** Returns the index behind a string; a short string that is never closed ends with its line, a long one with the code. */
function endOfString(source: string, from: number, quotes: string): number {
  const end = ends[quotes] as RegExp
  end.lastIndex = from
  for (let match = end.exec(source); match; match = end.exec(source)) {
    if (match[0] === '\n') return match.index
    if (match[0] === quotes) return match.index + quotes.length
  }
  return source.length
}

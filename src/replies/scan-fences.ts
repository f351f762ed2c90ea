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
  if (!line.includes('```') && !line.includes('~~~')) return undefined
  const marks = quoteMarks.exec(line)?.[0] ?? ''
  const match = fence.exec(line.slice(marks.length))
  if (!match) return undefined
  const [, spaces = '', marker = '', signs = '', rest = ''] = match
  const sign = signs[0] as '`' | '~'
  // A backtick behind the fence makes it code within a sentence.
  if (sign === '`' && rest.includes('`')) return undefined
  const indent = columnsOf(spaces + ' '.repeat(marker.length))
  const quotes = marks.split('>').length - 1
  return { quotes, indent, marker: marker.trim(), sign, length: signs.length, info: rest.trim() }
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

/** What a block holds, as its info string says. `none`: it has no info string. */
export type BlockLanguage = 'python' | 'javascript' | 'typescript' | 'markdown' | 'output' | 'other' | 'none'

const names: Record<Exclude<BlockLanguage, 'none'>, string> = {
  python: 'python py python2 python3 py2 py3 ipython sage starlark',
  javascript: 'javascript js node nodejs mjs cjs jsx ecmascript es6 javascriptreact',
  typescript: 'typescript ts tsx mts cts typescriptreact',
  markdown: 'markdown md mdx',
  output:
    'bash sh shell zsh fish console terminal powershell ps1 cmd bat batch shell-session sh-session shellsession doscon pycon output out stdout stderr result results text txt plain plaintext log none diff patch json json5 jsonl yaml yml toml ini csv xml html css sql mermaid latex tex math http dockerfile makefile',
  other:
    'c cpp c++ cc h hpp csharp c# cs java kotlin kt scala go golang rust rs ruby rb php perl pl lua r swift dart elixir haskell hs clojure julia jl matlab octave fortran pascal objective-c objc groovy vb fsharp f# ocaml erlang zig nim solidity assembly asm code vue svelte cython',
}

const languages = new Map(
  Object.entries(names).flatMap(([language, list]) =>
    list.split(' ').map((name) => [name, language as BlockLanguage] as const),
  ),
)

/** An info string, read. */
interface BlockInfo {
  language: BlockLanguage
  /** Whether the first word is the known name of a language or of a kind of text. */
  isKnown: boolean
  /** Code that stands on the line of the opening fence, such as in ` ```def f(x):`. */
  code: string
}

const codeStart =
  /^(?:async\s+)?(?:def|function)\s+[\w$]+\s*\(|^class\s+\w+.*[:{]$|^(?:import|from)\s+[\w.]+(?:\s+import\b.*)?$|^(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*=|^export\s+(?:async\s+)?(?:default\s+)?function\b|^return\s+\S/

/** Reads an info string of any kind: `python`, `Python 3`, `{.python .numbered}`, `python title="a.py"`, `language-python`. */
export function readInfo(info: string): BlockInfo {
  if (info === '') return { language: 'none', isKnown: false, code: '' }
  const match = /^\{?[ \t]*\.?(?:(?:language|lang)-)?([\w+#-]+)/.exec(info)
  const name = match?.[1]?.toLowerCase() ?? ''
  const language = languages.get(name) ?? languages.get(name.replace(/\d+$/, ''))
  const rest = language === undefined ? info : info.slice(match?.[0].length ?? 0).trim()
  const code = codeStart.test(rest) ? rest : ''
  return { language: language ?? (code === '' ? 'other' : 'none'), isKnown: language !== undefined, code }
}

/** Whether what stands behind a fence can be an info string, and not a stop token or prose behind a closing fence. */
export const canBeInfo = (info: string): boolean =>
  info !== '' && (readInfo(info).isKnown || /^\{.*\}$|^[a-z][\w+#.:/-]*$/.test(info))

/** A line that names a file: `FILE: path` or `DELETE: path`. */
export interface FileHeading {
  verb: 'FILE' | 'DELETE'
  /** The path as it was written, without marks of Markdown, quotes, a final colon, a number and a remark. */
  written: string
}

const heading =
  /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?(?:#{1,6}[ \t]+)?([*_`"']{0,6})(FILE|DELETE)([*_`"']{0,4}):(.*)$/

/** Reads a heading, behind the marks of lists, quotes and headings; undefined for any other line. */
export function readHeading(line: string): FileHeading | undefined {
  if (!line.includes('FILE') && !line.includes('DELETE')) return undefined
  const [, before = '', verb, , rest = ''] = heading.exec(line) ?? []
  if (verb === undefined) return undefined
  const written = withoutMarks(before.startsWith('_') ? rest.trim().replace(/_+$/, '') : rest)
  return written === '' ? undefined : { verb: verb as FileHeading['verb'], written }
}

const pairs: Readonly<Record<string, string>> = { '`': '`', '"': '"', "'": "'", '“': '”', '‘': '’', '<': '>' }

/** Takes off emphasis, code ticks, quotes, a final colon and a remark, one after another until none is left. */
function withoutMarks(rest: string): string {
  let path = rest.trim()
  // Each round takes something off, and no path has more marks around it.
  for (let round = 0; round < 12; round++) {
    const before = path
    path = path.replace(/^(?:\*{1,3}|_{2,3}(?!.*__))/, '').trim()
    path = withoutRemark(path.replace(/(?:\*{1,3}|(?<![\w_])_{2,3}|:)$/, '').trim())
    const close = pairs[path[0] ?? '']
    if (close !== undefined && path.length > 1 && path.endsWith(close)) path = path.slice(1, -1).trim()
    else path = withoutLoneMark(path)
    if (path === before) return path
  }
  return path
}

/** Takes off a code tick or a quote on one side of a path, whose partner was left out. */
function withoutLoneMark(path: string): string {
  for (const mark of ['`', '"']) {
    if (path.startsWith(mark) && path.lastIndexOf(mark) === 0) return path.slice(1).trim()
    if (path.endsWith(mark) && path.indexOf(mark) === path.length - 1) return path.slice(0, -1).trim()
  }
  return path
}

// A longer text is no path with a remark.
const longestHeading = 400
const change = '(?:new|added|created|updated|modified|changed|edited|rewritten)'
/** What may stand before or behind a path. */
const remarks = [
  /^(?:path|file|filename|name)[ \t]*:[ \t]+(?=\S)/i,
  /^(?:\d{1,3}[.)]|\(\d{1,3}\)|#\d{1,3}:?)[ \t]+(?=\S+$)/,
  new RegExp(`[ \\t]+\\((?:${change}(?: file)?|unchanged)\\)$`, 'i'),
  /(?<=^\S+)[ \t]+(?:#|\/\/)[ \t].*$/,
  new RegExp(`(?<=^\\S+)[ \\t]+[-–—][ \\t](?:a )?${change}(?: file)?$`, 'i'),
]
const link = /^\[([^\]]+)\]\((?:\.\/)?([^)]+)\)$/
const dashed = /(?<=^(?:\S*\.\w{1,10}[`"*]{0,3}|\S+[`"*]))[ \t]+[-–—→][ \t].*$/

/** Takes off `path:`, a number, a link to the path itself, and a remark behind the path: `(new)`, `# text`, `- text`. */
function withoutRemark(path: string): string {
  if (path.length > longestHeading) return path
  const [, text, target] = link.exec(path) ?? []
  if (text !== undefined && text.replaceAll('`', '') === target) return target
  const plain = remarks.reduce((rest, remark) => rest.replace(remark, ''), path)
  // A name such as `a.b - c.txt` may hold a dash.
  return /[ \t][-–—→][ \t]+\S*\.\w{1,10}[`"*]*$/.test(plain) ? plain : plain.replace(dashed, '')
}

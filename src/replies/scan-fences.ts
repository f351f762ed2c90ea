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

/** Whether a fence closes the block that another one opens. */
export const closes = ({ sign, length, info }: FenceLine, open: FenceLine): boolean =>
  info === '' && sign === open.sign && length >= open.length

/** Returns a text without the fence around it, if that has one of these info strings; else the text as it is. */
export function withoutFence(text: string, infos: readonly string[]): string {
  const inner = text.trim()
  const [open, close] = [inner.indexOf('\n'), inner.lastIndexOf('\n')]
  const first = open < 0 ? undefined : readFenceLine(inner.slice(0, open))
  if (!first || !infos.includes(first.info)) return text
  const last = readFenceLine(inner.slice(close + 1))
  return last && closes(last, first) ? inner.slice(open + 1, Math.max(open + 1, close)) : text
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

const runNames =
  'bash sh shell zsh fish console terminal powershell ps1 cmd bat batch shell-session sh-session shellsession doscon pycon output out stdout stderr result results text txt plain plaintext log'

const names: Record<Exclude<BlockLanguage, 'none'>, string> = {
  python: 'python py python2 python3 py2 py3 ipython sage starlark',
  javascript: 'javascript js node nodejs mjs cjs jsx ecmascript es6 javascriptreact',
  typescript: 'typescript ts tsx mts cts typescriptreact',
  markdown: 'markdown md mdx',
  output: `${runNames} none diff patch json json5 jsonl yaml yml toml ini csv xml html css sql mermaid latex tex math http dockerfile makefile`,
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

const runTexts = new Set(runNames.split(' '))

/** Whether an info string or the ending of a name is that of commands and their output. */
export const isRunText = (name: string): boolean =>
  runTexts.has(/^[\w-]*/.exec(name.toLowerCase())?.[0] ?? '')

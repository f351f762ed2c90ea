/** What a block holds, as its info string says. `none`: it has no info string. */
export type BlockLanguage = 'python' | 'javascript' | 'typescript' | 'markdown' | 'output' | 'other' | 'none'

const names: Record<Exclude<BlockLanguage, 'other' | 'none'>, string> = {
  python: 'python py python2 python3 py2 py3 ipython sage starlark',
  javascript: 'javascript js node nodejs mjs cjs jsx ecmascript es6 javascriptreact',
  typescript: 'typescript ts tsx mts cts typescriptreact',
  markdown: 'markdown md mdx',
  output:
    'bash sh shell zsh fish console terminal powershell ps1 cmd bat batch shell-session sh-session shellsession doscon pycon output out stdout stderr result results text txt plain plaintext log none diff patch json json5 jsonl yaml yml toml ini csv xml html css sql mermaid latex tex math http dockerfile makefile',
}
const others =
  'c cpp c++ cc h hpp csharp c# cs java kotlin kt scala go golang rust rs ruby rb php perl pl lua r swift dart elixir haskell hs clojure julia jl matlab octave fortran pascal objective-c objc groovy vb fsharp f# ocaml erlang zig nim solidity assembly asm code vue svelte cython'

const languages = new Map<string, BlockLanguage>([
  ...Object.entries(names).flatMap(([language, list]) =>
    list.split(' ').map((name) => [name, language as BlockLanguage] as const),
  ),
  ...others.split(' ').map((name) => [name, 'other'] as const),
])

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
export function canBeInfo(info: string): boolean {
  if (readInfo(info).isKnown) return true
  return /^\{.*\}$|^[a-z][\w+#.:/-]*$/.test(info)
}

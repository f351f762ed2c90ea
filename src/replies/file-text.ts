import { pythonLines, scriptLines } from './code/code-lines.ts'
import type { LineRules } from './code/code-runs.ts'
import type { FileHeading } from './scan-headings.ts'

/** What a remark behind a path calls a block that is no whole file. */
const partial =
  /^:\d|\b(?:lines?[ \t]+\d|partial|truncated|shortened|excerpt|snippet|part of|diff|patch|only the)\b/i
const removed = /\b(?:deleted?|removed?)\b/i
/** A remark that says that the text is not the one to take. */
const discarded = /\b(?:old|original|previous|before|do not use|don['’]t use|wrong|broken|buggy)\b/i

/** Returns why a block cannot be the whole text of a file: it is said to be a part, or it only says what changes. */
export function contentProblem(
  { written, remarked = written }: FileHeading,
  content: string | null,
  info = '',
): string | undefined {
  if (content === null) return undefined
  const remark = remarked.replace(written, '')
  if (partial.test(remark)) return `is called ${JSON.stringify(remark.trim())}: a block holds the whole file`
  if (removed.test(remark))
    return `is called ${JSON.stringify(remark.trim())}, but has a block: write DELETE: and the path`
  if (discarded.test(remark))
    return `is called ${JSON.stringify(remark.trim())}: a block holds the new text of a file`
  const kind = /\.(?:diff|patch)$/i.test(written) ? undefined : changesIn(content, info, written)
  return kind && `is given as ${kind}, not as a whole file: write its whole new text`
}

const textFile = /\.(?:md|mdx|markdown|txt|rst)$/i

/** Returns what a text is that says how a file changes: a diff, a patch, edits by search and replace; undefined for any other. */
export function changesIn(content: string, info: string, path = ''): string | undefined {
  const text = content.slice(0, 100_000).trimStart()
  if (/^\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File:)/.test(text)) return 'a patch'
  if (/^(?:diff --git |Index: \S.*\n=+\n|@@ |@@\n)|^--- [^\n]*\n\+\+\+ /.test(text)) return 'a diff'
  if (/^(?:diff|patch|udiff)\b/i.test(info) && /^[-+]/m.test(text)) return 'a diff'
  const search = /^<{5,9} ?SEARCH\b/m.exec(text)
  const isSearch = search?.index === 0 || (search && /^={5,9}\s*$/m.test(text) && !textFile.test(path))
  return isSearch ? 'edits by search and replace' : undefined
}

const rulesOf: readonly (readonly [RegExp, LineRules])[] = [
  [/\.pyi?$/, pythonLines],
  [/\.[cm]?[jt]sx?$/, scriptLines],
]
// In other files a sentence may be a part of the text.
const otherCode = /\.(?:java|kt|go|rs|rb|php|cs|c|cc|cpp|h|hpp|css|json)$/
const mark = '(?:#{2,6} |[-*+•] |\\d{1,2}[.)] |> )?'
const sentence = new RegExp(
  `^${mark}[*_\`"(]{0,3}[A-Z](?=(?:[^\\n]*?\\b[a-z]{2,}\\b[ ,]){2})[^\\n]*[.:!?][*_\`"')]{0,3}$`,
)
const besides = /^(?:#{2,6} \S|\s*[-*+•] \S|\s*\d{1,2}[.)] \S|\*\*)/
const codeEnd = /[;{}\])>,]$|^\s*(?:\/\/|\/\*|\*|#include|@)/

/**
 * Returns the text of a file's block that nothing closes without the prose behind its code: paragraphs up to the end, of which each line
 * is a sentence, a list or a heading and none reads as code, in no open string or comment.
 */
export function withoutProse(content: string, path: string): string {
  const rules = rulesOf.find(([files]) => files.test(path))?.[1]
  if (!rules && !otherCode.test(path)) return content
  const lines = content.split('\n')
  const isCode = (line: string) => (rules ? rules.isStatement(line.trim(), '') : codeEnd.test(line))
  let begin: number | undefined
  let hasProse = false
  for (let at = lines.length - 1; at > 0; at--) {
    const line = lines[at] as string
    if (line.trim() === '') continue
    const isProse = sentence.test(line.slice(0, 2_000)) && !isCode(line)
    if (!isProse && !(besides.test(line) && !isCode(line))) break
    hasProse ||= isProse
    if (hasProse && lines[at - 1]?.trim() === '') begin = at
  }
  if (begin === undefined) return content
  const code = lines.slice(0, begin).join('\n').trimEnd()
  return code === '' || isOpen(code) ? content : `${code}\n`
}

/** Whether a string of several lines or a comment is open at the end of code. */
const isOpen = (code: string): boolean =>
  ['"""', "'''", '`'].some((quotes) => code.split(quotes).length % 2 === 0) ||
  code.lastIndexOf('/*') > code.lastIndexOf('*/')

import { readFenceLine } from '../scan-fences.ts'

/** Whether a line holds a fence, with one word behind it at most. */
function isFence(line: string): boolean {
  const fence = readFenceLine(line.slice(0, 80))
  return fence !== undefined && fence.quotes === 0 && fence.marker === '' && /^[\w+-]*$/.test(fence.info)
}

/** Whether a line holds only marks: a code fence, the begin or end of display math, a rule, a closing tag. */
export function isBareMarks(line: string): boolean {
  const text = line.trim()
  return text.length <= longestMarks && (/^\*{0,3}$/.test(text) || bareMarks.test(text) || isFence(text))
}

const longestMarks = 60
const stopTokens = /(?:<\|[^|<>]{1,30}\|>|<\/s>|<(?:EOS_TOKEN|eos|end_of_turn)>)$/i
const bareMarks =
  /^(?:\\[[\]()]|\${1,2}|[-*_]{3,}|<\/\w+>|<\|[^|<>]+\|>|\\(?:begin|end)\{[\w*]+\}|[{}_"`“”]{1,3})$/

/**
 * Removes what stands around a text without being part of it: Markdown emphasis, code ticks, quotes, math signs, a LaTeX command
 * such as `\text{…}`, a pair of HTML tags, and brackets of LaTeX that have no partner.
 */
export function stripMarkup(answer: string): string {
  let text = answer.trim()
  for (let i = 0; i < deepestNesting; i++) {
    const bare = layers.reduce((inner, strip) => strip(inner), text)
    if (bare === text) break
    text = bare
  }
  return text
}

const deepestNesting = 12

const layers = [
  cutStopToken,
  trimMarks,
  cutDollars,
  (text: string) => cutPair(text, '\\(', '\\)'),
  (text: string) => cutPair(text, '\\[', '\\]'),
  cutBraces,
  unwrapCommand,
  unwrapQuotes,
  unwrapTags,
]

function cutStopToken(text: string): string {
  return text.endsWith('>') ? text.replace(stopTokens, '').trimEnd() : text
}

const wrapping = new Set([...'*_`"“”„ \t\n'])

// Not by a regular expression: one that trims both ends takes quadratic time on some replies.
function trimMarks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && wrapping.has(text[from] as string)) from++
  while (to > from && wrapping.has(text[to - 1] as string)) to--
  // The period of a sentence may stand outside of the marks, as in `**x**.`
  if (text[to - 1] === '.' && wrapping.has(text[to - 2] ?? '')) to--
  return text.slice(from, to)
}

/** Cuts the dollars of math. A dollar before a number stays, because it is a currency. */
function cutDollars(text: string): string {
  if (/^\$[^$]+\$\.?$/.test(text)) return text.replace(/^\$|\$(?=\.?$)/g, '').trim()
  if (text.startsWith('$$')) return text.replace(/^\$\$|\$\$(?=\.?$)/g, '').trim()
  const isOdd = text.split('$').length % 2 === 0
  return isOdd && /\$\.?$/.test(text) ? text.replace(/\$(?=\.?$)/, '').trim() : text
}

/** Cuts an opening and a closing mark around a text, and one without its partner. */
function cutPair(text: string, open: string, close: string): string {
  if (text.startsWith(open)) {
    const at = text.indexOf(close)
    const behind = at < 0 ? '' : text.slice(at + close.length)
    if (at < 0) return text.slice(open.length).trim()
    return /^\s{0,9}[.,;:!]?$/.test(behind) ? `${text.slice(open.length, at).trim()}${behind.trim()}` : text
  }
  const body = /[.,;:!]$/.test(text) ? text.slice(0, -1) : text
  return body.endsWith(close) && !body.includes(open) ? body.slice(0, -close.length).trim() : text
}

/** Cuts a brace without its partner. A text of brackets alone stays as it is. */
function cutBraces(text: string): string {
  if (!/^[{}]|\}\.?$/.test(text) || !/[\p{L}\p{N}]/u.test(text)) return text
  const opened = text.split('{').length
  const closed = text.split('}').length
  if (text.startsWith('}')) return text.slice(1).trim()
  if (closed > opened && /[^\\]\}\.?$/.test(text)) return text.replace(/\}(?=\.?$)/, '').trim()
  return opened > closed && text.startsWith('{') ? text.slice(1).trim() : text
}

const commands =
  /^\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|mbox|operatorname|[fc]?boxed|fbox|emph)\s?\{/

/** Unwraps a LaTeX command that holds the whole text, and cuts one that is not closed. */
function unwrapCommand(text: string): string {
  const open = commands.exec(text)?.[0]
  if (open === undefined) return text
  const end = closingBrace(text, open.length)
  if (end === undefined) return text.slice(open.length).trim()
  return /^\.?$/.test(text.slice(end + 1)) ? text.slice(open.length, end).trim() : text
}

/** Returns the index of the brace that closes the one before `from`. Escaped braces do not count. */
export function closingBrace(text: string, from: number): number | undefined {
  let depth = 1
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i
  }
  return undefined
}

const quotes = ["''", '‘’', '«»', '‹›', '「」', '『』']

function unwrapQuotes(text: string): string {
  const pair = quotes.find((marks) => text.length > 2 && text.startsWith(marks[0] as string))
  const inner = text.slice(1, -1)
  // `'Answer: J'` leaves a quote without its partner.
  if (pair === undefined && /^[^'’]+['’]$/.test(text)) return text.slice(0, -1)
  const wraps = pair !== undefined && text.endsWith(pair[1] as string) && !inner.includes(pair[1] as string)
  return wraps ? inner.trim() : text
}

function unwrapTags(text: string): string {
  const [open, name] = /^<([a-z]\w{0,20})>/i.exec(text) ?? []
  if (open === undefined || !text.endsWith(`</${name}>`)) return text
  return text.slice(open.length, -open.length - 1).trim()
}

const longestLine = 65_536

/** Returns a reply of which each line ends as it did, but a very long one has lost its begin: no answer is that long. */
export const cutLongLines = (reply: string): string =>
  reply.length <= longestLine
    ? reply
    : reply
        .split('\n')
        .map((line) => line.slice(-longestLine))
        .join('\n')

/** A longer text is cut. */
export const longestText = 2000
const longestBlock = 20
const isOpener = (line: string) => /^\s*(?:\\\[|\$\$)\s*$/.test(line.slice(0, 80)) || isFence(line)
const anyItem = /^\s{0,9}(?:[-*•+‣]|\d{1,2}[.)]|\(?[A-Za-z][.)])\s/

/**
 * Returns the text under an announcement, and the index of its last line: the next line that holds more than marks. A code block or
 * display math, and a list, are one text, because each of their lines may name an answer.
 */
export function textBelow(
  lines: readonly string[],
  at: number,
  opened: string,
): { text: string; end: number } | undefined {
  let first = at + 1
  let opener = isOpener(opened) ? opened : ''
  for (; first < lines.length && isBareMarks(lines[first] as string); first++)
    if (isOpener(lines[first] as string)) opener = lines[first] as string
  if (first >= lines.length) return undefined
  const until = opener === '' ? endOfList(lines, first) : endOfBlock(lines, first, opener.trim())
  const shown = lines.slice(first, until).map((line) => line.slice(0, longestText))
  return { text: (opener === '' ? shown.map(cutPrefix) : shown).join('\n'), end: until - 1 }
}

function endOfBlock(lines: readonly string[], first: number, opener: string): number {
  const closer = opener === '\\[' ? '\\]' : opener.slice(0, opener.includes('$') ? 2 : 3)
  const end = lines.findIndex((line, i) => i > first && line.trim().startsWith(closer))
  return end < 0 || end - first > longestBlock ? first + 1 : end
}

function endOfList(lines: readonly string[], first: number): number {
  let end = first + 1
  if (!anyItem.test(lines[first] as string)) return end
  while (end < lines.length && end - first < longestBlock && anyItem.test(lines[end] as string)) end++
  return end
}

/** Cuts what makes a line a list item, a heading or a quotation. A number stays: it may be the answer, but for a leading `1.` */
const cutPrefix = (line: string) =>
  line.replace(/^\s{0,9}(?:>\s?)*(?:#{1,6}\s+)?(?:[-*•+‣]\s+|1[.)]\s+(?=[^\d\s]))?/, '')

/** Returns the index of the last line before another that holds more than marks; -1 without one. */
export function lineBefore(lines: readonly string[], before: number): number {
  let at = before - 1
  while (at >= 0 && (isBareMarks(lines[at] as string) || stripMarkup(lines[at] as string) === '')) at--
  return at
}

/** Whether a line holds only marks: a code fence, the begin or end of display math, a rule, a closing tag. */
export function isBareMarks(line: string): boolean {
  const text = line.trim()
  return text.length <= longestMarks && (/^\*{0,3}$/.test(text) || bareMarks.test(text))
}

const longestMarks = 60
const stopTokens = /(?:<\|[^|<>]{1,30}\|>|<\/s>|<(?:EOS_TOKEN|eos|end_of_turn)>)$/i
const bareMarks =
  /^(?:\\[[\]()]|\${1,2}|[`~]{3,}[\w+-]*|[-*_]{3,}|<\/\w+>|<\|[^|<>]+\|>|\\(?:begin|end)\{[\w*]+\}|[{}_"`“”]{1,3})$/

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

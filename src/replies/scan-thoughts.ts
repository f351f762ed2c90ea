import { escapeRegExp } from '../text/escape-reg-exp.ts'
import type { Span } from './scan-regions.ts'

/** A mark that begins or ends thoughts. */
export interface ThoughtMark {
  /** Marks of one name belong together. */
  name: string
  opens: boolean
  start: number
  end: number
  /** Nothing but white space or a fence is before it, or behind it, on its line. */
  beginsLine: boolean
  endsLine: boolean
  /** A fence is right before or right behind it. */
  touchesFence: boolean
  /** It stands where a mark is used, and not within a sentence that speaks of it. */
  stands: boolean
  /** Where the thoughts end that it opens: the next mark that closes of its name, else of any. */
  closing: ThoughtMark | undefined
}

/** Names of tags whose content is thoughts. */
const tagNames = 'think|thinking|thoughts?|reasoning|reflection|scratchpad|seed:think'

/** Marks that models write besides tags, by name: the opening and the closing one. */
const ownMarks: Readonly<Record<string, readonly [open: string, close: string]>> = {
  magistral: ['[THINK]', '[/THINK]'],
  kimi: ['◁think▷', '◁/think▷'],
  cohere: ['<|START_THINKING|>', '<|END_THINKING|>'],
  openthinker: ['<|begin_of_thought|>', '<|end_of_thought|>'],
  medgemma: ['<unused94>thought', '<unused95>'],
  gemma: ['<|channel>thought', '<channel|>'],
}
const knownMarks = new Map(
  Object.entries(ownMarks).flatMap(([name, marks]) =>
    marks.map((mark, i) => [mark.toLowerCase(), { name, opens: i === 0 }] as const),
  ),
)
const anyMark = new RegExp(
  `<(/?)(${tagNames})(?:\\s[^<>\\n]{0,200})?>|${[...knownMarks.keys()].map(escapeRegExp).join('|')}`,
  'gi',
)

/** Finds the marks of thoughts in a text, in order. Those in quotes or in a span of code are left out. */
export function findThoughtMarks(text: string): ThoughtMark[] {
  const marks: ThoughtMark[] = []
  for (const { 0: written, 1: slash, 2: tag = '', index: start } of text.matchAll(anyMark)) {
    const own = knownMarks.get(written.toLowerCase())
    if (own === undefined && written.endsWith('/>')) continue
    const { name, opens } = own ?? { name: tag.toLowerCase(), opens: slash === '' }
    const end = start + written.length
    const place = placeOf(text, start, end, opens)
    if (place) marks.push({ name, opens, start, end, ...place, closing: undefined })
  }
  const next = new Map<string, ThoughtMark>()
  let nearest: ThoughtMark | undefined
  for (const mark of marks.toReversed())
    if (mark.opens) mark.closing = next.get(mark.name) ?? nearest
    else {
      next.set(mark.name, mark)
      nearest = mark
    }
  return marks
}

/** How far a line is looked at on each side of a mark. */
const longestLook = 500

/** Returns how a mark stands on its line; undefined in quotes and in a span of code, as in `text.split('</think>')`. */
function placeOf(text: string, start: number, end: number, opens: boolean) {
  const lead = text
    .slice(Math.max(0, start - longestLook), start)
    .split('\n')
    .at(-1) as string
  const rest = text.slice(end, end + longestLook).split('\n', 1)[0] as string
  const before = lead.replace(/(?:`{3,}|~{3,})[ \t]*$/, '')
  const after = rest.replace(/^[ \t]*(?:`{3,}[^`]*|~{3,}.*)$/, '')
  // A span of code may have three ticks on both sides, too: Use ```<think>``` here.
  if (before.trim() !== '' && before !== lead && /^[ \t]*`{3}/.test(rest)) return undefined
  if (isQuoted(before, after) || (isOpen('`', before) && after.includes('`'))) return undefined
  const [beginsLine, endsLine] = [before.trim() === '', after.trim() === '']
  const touchesFence = before !== lead || after !== rest
  // Some models write no line end: `… is 41.</think>The answer is 42`.
  const isBetween =
    /[.!?…:;)\]}*]\s*$/u.test(before) || (!opens && /^(?:[\p{L}\p{N}\\$*#]|\s?[{[]|\()/u.test(after))
  return { beginsLine, endsLine, touchesFence, stands: beginsLine || endsLine || touchesFence || isBetween }
}

/** Whether a quotation is open before a mark and ends right behind it, or begins right before it. One that ends before it is another. */
function isQuoted(before: string, after: string): boolean {
  const [left = '', right = ''] = [before.at(-1), after.at(0)]
  if (/[“‘]/.test(left) || /[”’]/.test(right)) return true
  const quotes = [left, right].filter((sign) => /[`'"]/.test(sign))
  return quotes.length === 2 || quotes.some((sign) => isOpen(sign, before))
}

const isOpen = (quote: string, before: string) => before.split(quote).length % 2 === 0

/** Says whether a mark belongs to data or to code without a fence of an answer that begins at `from`: then it is text. In order. */
export function createQuoteReader(
  text: string,
  marks: readonly ThoughtMark[],
): (mark: ThoughtMark, from: number) => boolean {
  const values = marks.length === 0 ? [] : findValues(text)
  const isInCode = createCodeReader(text)
  let next = 0
  return (mark, from) => {
    while ((values[next]?.end ?? Number.POSITIVE_INFINITY) <= mark.start) next++
    const value = values[next]
    return isInCode(mark, from) || (value !== undefined && value.start >= from && value.start < mark.start)
  }
}

const valueStart = /[{[](?=\s{0,50}["'{[])/g
const token = /"(?:[^"\\]|\\[\s\S])*"(?=\s{0,200}[,:}\]])|[{}[\]"]/g
/** How many beginnings without an end are looked at. */
const mostVain = 20

/** Finds the values of JSON in a text, whose strings may hold line ends. */
function findValues(text: string): Span[] {
  const values: Span[] = []
  valueStart.lastIndex = 0
  for (let vain = 0; vain < mostVain; ) {
    const start = valueStart.exec(text)?.index
    if (start === undefined) break
    let depth = 0
    let end: number | undefined
    token.lastIndex = start
    for (let found = token.exec(text); found && end === undefined; found = token.exec(text)) {
      if (found[0] === '"') break
      else if (found[0] === '{' || found[0] === '[') depth++
      else if (!found[0].startsWith('"') && --depth === 0) end = token.lastIndex
    }
    if (end === undefined) vain++
    else {
      values.push({ start, end })
      valueStart.lastIndex = end
    }
  }
  return values
}

/** First words of a line of code, with which prose hardly begins. */
const codeLine =
  /\s*(?:(?:def|async def|class|import|function|async function|const|export) [\w$*{]|"""|'''|#!|\/\/|\/\*|@\w)/y
const comment = /^[ \t]*(?:#|\/\/|\/?\*)/
/** What begins and ends a string of several lines; a fence is none. */
const longQuote = /"""|'''|(?<!`)`(?!`)/g

/** Returns what says whether a mark is in a comment or a long string of code without a fence. */
function createCodeReader(text: string) {
  let begin = -1
  let at = 0
  let isCode = false
  let open: string | undefined
  return ({ start }: ThoughtMark, from: number): boolean => {
    if (from !== begin) {
      begin = from
      at = from
      open = undefined
      codeLine.lastIndex = from
      isCode = codeLine.test(text)
    }
    if (!isCode) return false
    for (const [quote] of text.slice(at, start).matchAll(longQuote))
      if (open === undefined) open = quote
      else if (open === quote) open = undefined
    at = start
    const line = text
      .slice(Math.max(from, start - longestLook), start)
      .split('\n')
      .at(-1) as string
    return open !== undefined || comment.test(line)
  }
}

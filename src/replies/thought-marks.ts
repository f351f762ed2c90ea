import { escapeRegExp } from '../text/escape-reg-exp.ts'

/** A mark that begins or ends thoughts. */
export interface ThoughtMark {
  /** Marks of one name belong together. */
  name: string
  opens: boolean
  start: number
  end: number
  /** Nothing but white space or a fence is before it on its line. */
  beginsLine: boolean
  /** Nothing but white space or a fence is behind it on its line. */
  endsLine: boolean
  /** A fence is right before or right behind it. */
  touchesFence: boolean
  /** It stands where a mark is used, and not within a sentence that speaks of it. */
  stands: boolean
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

const knownMarks = new Map<string, Pick<ThoughtMark, 'name' | 'opens'>>()
for (const [name, [open, close]] of Object.entries(ownMarks)) {
  knownMarks.set(open.toLowerCase(), { name, opens: true })
  knownMarks.set(close.toLowerCase(), { name, opens: false })
}

const anyMark = new RegExp(
  `<(/?)(${tagNames})(?:\\s[^<>\\n]{0,200})?>|${[...knownMarks.keys()].map(escapeRegExp).join('|')}`,
  'gi',
)

/** Finds the marks of thoughts in a text, in order. Those in quotes or in a span of code are left out. */
export function findThoughtMarks(text: string): ThoughtMark[] {
  const marks: ThoughtMark[] = []
  for (const match of text.matchAll(anyMark)) {
    const [written, slash, tag] = match
    const own = knownMarks.get(written.toLowerCase())
    if (own === undefined && written.endsWith('/>')) continue
    const { name, opens } = own ?? { name: (tag as string).toLowerCase(), opens: slash === '' }
    const start = match.index
    const end = start + written.length
    const place = placeOf(text, start, end, opens)
    if (place) marks.push({ name, opens, start, end, ...place })
  }
  return marks
}

/** How far a line is looked at on each side of a mark. */
const longestLook = 500
const fenceBefore = /(?:`{3,}|~{3,})[ \t]*$/
const fenceBehind = /^[ \t]*(?:`{3,}[^`]*|~{3,}.*)$/

/** Returns how a mark stands on its line; undefined in quotes and in a span of code, as in `text.split('</think>')`. */
function placeOf(text: string, start: number, end: number, opens: boolean) {
  const lead = text
    .slice(Math.max(0, start - longestLook), start)
    .split('\n')
    .at(-1) as string
  const rest = text.slice(end, end + longestLook).split('\n', 1)[0] as string
  const before = lead.replace(fenceBefore, '')
  const after = rest.replace(fenceBehind, '')
  // A span of code may have three ticks on both sides, too: Use ```<think>``` here.
  if (before.trim() !== '' && before !== lead && /^[ \t]*`{3}/.test(rest)) return undefined
  if (isQuoted(before, after) || (isOpen('`', before) && after.includes('`'))) return undefined
  const beginsLine = before.trim() === ''
  const endsLine = after.trim() === ''
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
  const isQuote = [left, right].map((sign) => /[`'"]/.test(sign))
  if (isQuote[0] && isQuote[1]) return true
  return [left, right].some((sign, i) => isQuote[i] && isOpen(sign, before))
}

const isOpen = (quote: string, before: string) => before.split(quote).length % 2 === 0

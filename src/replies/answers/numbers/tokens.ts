import { plainLatex } from './plain-latex.ts'

/**
 * Returns a text with one spelling of each mark that numbers are written with: ASCII digits, spaces, minus signs and quotes. `½` is
 * `1/2` (after a digit ` 1/2`), `³` is `^{3}`, `₂` is `_2`. Invisible marks are gone. Takes time linear in the text.
 */
function plainMarks(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g, '')
    .replace(/[^\S\n]/g, ' ')
    .replace(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(
      /[\u00BC-\u00BE\u2150-\u215E\u2189]/g,
      (mark, at: number, whole: string) =>
        `${/\d/.test(whole[at - 1] ?? '') ? ' ' : ''}${mark.normalize('NFKC').replace('\u2044', '/')}`,
    )
    .replace(/[⁻⁺]?[⁰¹²³⁴-⁹]+/g, (marks) => `^{${marks.normalize('NFKC').replace('\u2212', '-')}}`)
    .replace(/[₀-₉]+/g, (marks) => `_${marks.normalize('NFKC')}`)
    .replace(/[‐‑−﹣]/g, '-')
    .replace(/‒/g, '–')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[⁄∕]/g, '/')
    .replace(/[✕✖⨯]/g, '×')
    .replace(/[⋅∙]/g, '·')
    .replace(/∗/g, '*')
    .replace(/٫/g, '.')
    .replace(/[٬、]/g, ',')
    .replace(/٪/g, '%')
    .replace(/[=-]>/g, '→')
}

const knownDigits = new Map<string, string>()

/** Returns a digit of any script as an ASCII digit. Unicode keeps the ten digits of a script together, zero first. */
function digitOf(digit: string): string {
  const known = knownDigits.get(digit)
  if (known !== undefined) return known
  const code = digit.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  const plain = String((code - zero) % 10)
  knownDigits.set(digit, plain)
  return plain
}

/**
 * Returns a text without Markdown emphasis, code ticks, quotes and HTML tags; a space stands in their place. A star or underscore
 * that joins two things (`3*4`, `2 ** 3`, `1_000`) stays. Takes time linear in the text.
 */
function plainMarkup(text: string): string {
  return text
    .replace(/<sup>/gi, '^')
    .replace(/<\/?[a-z][a-z0-9]{0,20} ?\/?>/gi, ' ')
    .replace(/[`"“”«»„]/g, ' ')
    .replace(/\*+|_+/g, (marks, at: number, whole: string) => {
      const before = whole[at - 1] ?? '\n'
      const after = whole[at + marks.length] ?? '\n'
      const joins = /[\p{L}\p{N})}]/u.test(before) && /[\p{L}\p{N}({\\]/u.test(after)
      const stands = before === ' ' && after === ' '
      return joins || (marks.startsWith('*') && stands) ? marks : ' '
    })
}

/** A part of a text. `number` is digits with the marks between them, `power` a raised part such as `^{3}` or `^n`. */
export interface Token {
  kind: 'number' | 'word' | 'power' | 'space' | 'mark'
  text: string
}

// A word of an alphabet keeps its digits (`H2O`, `m2`, `x10`); other scripts write numbers right behind a word. Each form consumes
// what it has read, so that the whole takes linear time.
const alphabet = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`
const forms = new RegExp(
  [
    String.raw`(\.?\d+(?:[.,'_]\d+)*(?:[eE][-+–]?\d+(?![\p{L}\d]))?)`,
    String.raw`(\\?[${alphabet}][${alphabet}\p{M}\d_]*(?:'[${alphabet}]+)?|[\p{L}\p{M}]+)`,
    String.raw`(\^(?:\{ ?[-+–]?[\p{L}\d.°']* ?\}|\(?[-+–]?[\p{L}\d.°']*\)?))`,
    String.raw`(\s+)`,
    String.raw`(\*+|[\s\S])`,
  ].join('|'),
  'gu',
)

/** Divides a text into parts, after LaTeX, Markdown and the spellings of marks are made plain. Takes linear time. */
export function readTokens(text: string): Token[] {
  const plain = plainMarkup(plainLatex(plainMarks(text)))
  const tokens: Token[] = []
  for (const match of plain.matchAll(forms)) tokens.push({ kind: kindOf(match), text: match[0] })
  return tokens
}

const kinds = ['number', 'word', 'power', 'space', 'mark'] as const

const kindOf = (match: RegExpMatchArray) =>
  kinds[kinds.findIndex((_, index) => match[index + 1] !== undefined)] as Token['kind']

/** Returns the index of the first token at or behind an index that is no space. */
export const skipSpace = (tokens: readonly Token[], at: number): number =>
  tokens[at]?.kind === 'space' ? at + 1 : at

/** Returns the text of a token; empty outside of the tokens. */
export const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? ''

import { plainLatex } from './plain-latex.ts'
import { plainMarks } from './plain-marks.ts'
import { plainMarkup } from './plain-markup.ts'

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

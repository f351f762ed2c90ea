import type { Score } from '../schema/score.ts'
import { lastFew } from './last-few.ts'

/*
 * JSON of what each trial writes, put together as text: the texts of `JSON.stringify`, in a third of its time, for it looks at
 * each character and at each field that is not there, and most of a line stands as it stood in the line before. Hashes,
 * ids and words of a fixed list hold nothing that JSON writes otherwise. What is rare goes through `JSON.stringify`.
 */

const lastScores = lastFew<Score, string>()

/** JSON of a trial's scores. The last few are kept: they stand in its grade and its record, and graders give the same ones again. */
export function scoresText(scores: readonly Score[]): string {
  const score = scores[0]
  if (!score || scores.length > 1 || score.tests) return JSON.stringify(scores)
  const known = lastScores.get(score)
  if (known !== undefined) return known
  const { name, value, reason } = score
  const json = onePiece`[${JSON.stringify({ name, value, reason })}]`
  lastScores.add(score, json)
  return json
}

/** What JSON says of numbers that may be none. */
export const numberText = (value: number | null) => (Number.isFinite(value) ? `${value}` : 'null')

/** The same of dollars, which have nine decimals at most: to find the digits of a fraction takes V8 three times as long. */
export function dollarsText(usd: number | null): string {
  const billionths = Math.round((usd ?? 0) * 1e9)
  // Smaller ones are written with an exponent.
  if (billionths < 1000 || billionths >= 1e9 || billionths / 1e9 !== usd) return numberText(usd)
  const low = billionths % 1000
  const thousands = (billionths - low) / 1000
  const middle = thousands % 1000
  const high = (thousands - middle) / 1000
  if (low > 0) return `0.${threeDigits(high)}${threeDigits(middle)}${lastDigits(low)}`
  return middle > 0 ? `0.${threeDigits(high)}${lastDigits(middle)}` : `0.${lastDigits(high)}`
}

const knownDigits: string[] = new Array(1000)
const knownLast: string[] = new Array(1000)

// Kept: no text is made of a number then.
const threeDigits = (number: number) => (knownDigits[number] ??= `${1000 + number}`.slice(1))
const lastDigits = (number: number) => (knownLast[number] ??= threeDigits(number).replace(/0+$/, ''))

const lastTexts = lastFew<string, string>()

/** JSON of a text. The last few are kept: a reply stands in its ask and, a few trials later, as the answer in its record. */
export function textJson(text: string): string {
  const known = lastTexts.get(text)
  if (known !== undefined) return known
  const json = JSON.stringify(text)
  lastTexts.add(text, json)
  return json
}

/** A field that is not always there, after others. */
export function rare(name: string, value: unknown): string {
  const json = value === undefined ? undefined : JSON.stringify(value)
  return json === undefined ? '' : `,"${name}":${json}`
}

/**
 * A template of a text that is kept, in one piece: V8 holds what was put together as its parts, and would copy them one by one
 * into each line that the text stands in.
 */
export function onePiece(texts: readonly string[], ...values: unknown[]): string {
  const parts: unknown[] = []
  for (let i = 0; i < values.length; i++) parts.push(texts[i], `${values[i]}`)
  parts.push(texts[values.length])
  return parts.join('')
}

/** Fields, as they stand in an object. */
export const insideOf = (fields: object) => JSON.stringify(fields).slice(1, -1)

/** The same, after others. */
export function moreOf(fields: object): string {
  const inside = insideOf(fields)
  return inside === '' ? '' : `,${inside}`
}

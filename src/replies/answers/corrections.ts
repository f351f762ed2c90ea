import { chosenOption } from './choose-option.ts'
import { stripMarkup } from './markup.ts'
import { inAnyLanguage, says } from './phrases.ts'
import { nearby, sentenceStart } from './withdrawal.ts'

const longestLine = 600
const marks = '(?:[(\\[{*_$“"]|\\\\[([]){0,6}'
const letter = '[A-Z](?![\\p{Script=Latin}\\p{N}])'
const number = '[-−–]?[$€£]?\\d[\\d.,]{0,20}(?<![.,])%?'
const formula = '\\$[^$]{1,60}\\$|\\\\(?:boxed|[dt]?frac|sqrt|text)\\S{1,60}(?<![.$])'
const name = "\\p{Lu}[\\p{L}'’-]{1,30}(?: \\p{Lu}[\\p{L}'’-]{1,30}){0,3}"
const valueAhead = new RegExp(`^${marks}?(${formula}|${number}|${letter}|${name})`, 'u')
const foreign = new RegExp(
  `^[\\s*_>#("“]{0,9}(?:${inAnyLanguage('corrects')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  'iu',
)
const foreignValue = new RegExp(
  `^(?:([^\\d.!?。！？]{0,60}?)(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\d.])(${number}|${letter})|([,，、:]? ?(?:\\p{Ll}{2,12} )?)${marks}(${name})(?=[.!。]?$))`,
  'u',
)
const foreignEnd = /^[)\]}*_$”"]{0,6}(?:\s?\p{L}+){0,5}[)\]}*_$”".!。！]{0,4}\s*$/u
/** Behind a number that stands right behind the correcting word: at most a unit. `En realidad, 3 son rojas.` says more. */
const unitEnd =
  /^(?:\p{Script=Hangul}{1,4}|[\p{Script=Han}\p{Script=Hiragana}]{1,2}|\s?[\p{Script=Latin}\p{Script=Cyrillic}]{1,20})?[*_$”".!。！]{0,4}\s*$/u
const denies = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${inAnyLanguage('denies')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  'iu',
)
const denied = new RegExp(`^[^\\p{L}]*(?:${inAnyLanguage('deniedBy')})`, 'iu')

/**
 * Returns a candidate with the value that a later sentence puts in its place, as `Actually, (B) is correct.` does behind the answer A:
 * on its own line, or on one of the next ones.
 */
export function withCorrection<T extends { text: string; found: string; end?: number }>(
  lines: readonly string[],
  at: number,
  candidate: T,
  options: readonly string[],
): T {
  const from = candidate.end ?? at
  const [answer = '', ...behind] = candidate.text.slice(0, longestLine).split(sentenceStart)
  let corrected = candidate
  const put = (sentence: string, on: number) => {
    const value = correctedTo(sentence.trim())
    const before = corrected === candidate ? answer : corrected.text
    if (value !== undefined && isAnother(value, before, options))
      corrected = { ...candidate, text: value, found: `what corrects the answer on line ${on + 1}`, end: on }
  }
  for (const sentence of behind) put(sentence, from)
  for (const [i, line] of lines.slice(from + 1, from + 1 + nearby).entries())
    for (const sentence of line.slice(0, longestLine).split(sentenceStart)) put(sentence, from + 1 + i)
  return corrected
}

/** Returns the value that a sentence gives in place of another; undefined if it gives none. */
function correctedTo(sentence: string): string | undefined {
  const words = says.correcting.exec(sentence)?.[0]
  const rest = words === undefined ? '' : sentence.slice(words.length)
  const [whole = '', value] = valueAhead.exec(rest) ?? []
  if (value !== undefined && says.confirmed.test(rest.slice(whole.length))) return stripMarkup(value)
  const lead = foreign.exec(sentence)?.[0]
  return lead === undefined ? undefined : foreignCorrection(sentence.slice(lead.length))
}

function foreignCorrection(rest: string): string | undefined {
  const [whole = '', before, value, leading, named] = foreignValue.exec(rest) ?? []
  const behind = rest.slice(whole.length)
  if (denies.test(before ?? leading ?? '') || denied.test(behind)) return undefined
  const end = /\d/.test(value ?? '') && !/\p{L}/u.test(before ?? '') ? unitEnd : foreignEnd
  // `Nein, B, nicht A.` says the same twice.
  const isEnd = denies.test(behind) ? /^\s?[,，、]/.test(behind) : end.test(behind)
  return isEnd ? (value ?? named) : undefined
}

const numbersOf = (text: string) =>
  text.match(/\d[\d.,]*(?<![.,])/g)?.map((one) => one.replaceAll(',', '')) ?? []
const letterOf = (text: string) => /^\W{0,6}([A-Z])(?![\p{L}\p{N}])/u.exec(text)?.[1]
const mostWords = 5

/** Whether a value is of the kind of an answer and another one. */
function isAnother(value: string, answer: string, options: readonly string[]): boolean {
  if (options.length > 0) {
    const index = chosenOption(value, options)
    return index !== undefined && index !== chosenOption(answer, options)
  }
  const [own, other] = [letterOf(answer), letterOf(value)]
  if (own !== undefined || other !== undefined)
    return own !== undefined && other !== undefined && own !== other
  const [said, before] = [numbersOf(value), numbersOf(answer)]
  if (said.length > 0 || before.length > 0)
    return said.length > 0 && before.length > 0 && !said.some((one) => before.includes(one))
  return answer.split(/\s+/).length <= mostWords && !answer.toLowerCase().includes(value.toLowerCase())
}

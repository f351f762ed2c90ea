import { namesBaseBehind } from './base.ts'
import { beside } from './before.ts'
import { bracketBehind } from './bracket.ts'
import { isForeignMagnitude } from './foreign-magnitudes.ts'
import { isNumberWord } from './number-words.ts'
import { isCurrency } from './scale.ts'
import { skipSpace, type Token, textAt } from './tokens.ts'
import {
  copulas,
  letterUnits,
  negations,
  operators,
  operatorWords,
  refutations,
  shortUnits,
} from './words.ts'

/** Returns why what stands behind a number makes it no plain number, as `stands beside "or more"`; undefined if it does not. */
export function problemBehind(tokens: readonly Token[], to: number): string | undefined {
  const more = goesOn(tokens, to)
  if (more !== undefined) return beside(more)
  const at = skipUnitMarks(tokens, to)
  const touching = at === to || tokens[at - 1]?.kind !== 'space'
  const problem = markBehind(tokens, at)
  if (problem !== undefined) return problem
  const word = skipSpace(tokens, at)
  const unit = tokens[word]?.kind === 'word' ? unitProblem(tokens, word, touching && word === at) : undefined
  return unit ?? afterUnit(tokens, word) ?? wordsBehind(tokens, at)
}

/** Passes over currency and the marks of degrees, feet and ordinals. */
function skipUnitMarks(tokens: readonly Token[], to: number): number {
  let at = to
  const currency = skipSpace(tokens, at)
  if (isCurrency(tokens, currency)) at = currency + 1
  while (/^[°'%‰]$/.test(textAt(tokens, at)) || isUnitPower(tokens, at)) at++
  return at
}

const isUnitPower = (tokens: readonly Token[], at: number) =>
  /^\^[{(]? ?(?:th|st|nd|rd|o|°|')+ ?[})]?[CF]?$/i.test(textAt(tokens, at))

function markBehind(tokens: readonly Token[], at: number): string | undefined {
  const touching = tokens[at]
  if (touching?.kind === 'power') return beside(touching.text)
  if (/^[!_‰]$/.test(touching?.text ?? '')) return beside(textAt(tokens, at))
  const bracket = bracketBehind(tokens, at)
  if (bracket !== undefined) return beside(bracket)
  if (/^[:.…,~]$/.test(touching?.text ?? '') && /^[.\d]*\d|‾/.test(textAt(tokens, at + 1)))
    return beside(textAt(tokens, at))
  if (touching?.text === '.' && textAt(tokens, at + 1) === '.' && tokens[at + 2]?.kind === 'number')
    return beside('..')
  const mark = skipSpace(tokens, at)
  const text = textAt(tokens, mark)
  const next = tokens[skipSpace(tokens, mark + 1)]
  if (text === '!' && next?.text === '=') return beside('!=')
  if (!operators.has(text) && !/^\*+$/.test(text)) return undefined
  const word = next?.kind === 'word' && (!isVariable(next.text) || letterUnits.has(next.text))
  // A rate (`18 km/h`, `$5/hour`), a compound (`5-day`) or a dash of prose.
  if (word && text === '/') return undefined
  if (text === '-' || text === '–') return word || next === undefined ? undefined : beside(text)
  return beside(text)
}

const isLetter = (word: string) => /^[\p{Script=Latin}\p{Script=Greek}]$/u.test(word)

/** Whether a word is what a variable, a product of variables or a function is called. */
function isVariable(word: string): boolean {
  if (word.startsWith('\\') || /^[A-Z]\d+$/.test(word) || /^(?:[xXebo]\d|[xX][\dA-Fa-f]+$)/.test(word))
    return true
  if (isLetter(word)) return !letterUnits.has(word) && word !== 'Ω' && word !== 'µ'
  if (/^(?:pi|sin|cos|tan|log|ln|sqrt|exp)$/.test(word)) return true
  return (
    (/^[abcijnpqrtuvwxyz]{2}$/.test(word) || /^[xyz]{3}$/.test(word)) &&
    !/^(?:an|at|by|in|if)$/.test(word) &&
    !shortUnits.has(word)
  )
}

function unitProblem(tokens: readonly Token[], at: number, touching: boolean): string | undefined {
  const word = textAt(tokens, at)
  const next = textAt(tokens, at + 2).toLowerCase()
  if (isForeignMagnitude(word, touching) || unreadPart.test(word) || overline.test(word)) return beside(word)
  if (/^[xX]$/.test(word) && /^(?:\p{L}{3,}er|as|more|less)$/u.test(next)) return undefined
  if (!touching && /^[aI]$/.test(word) && /^\p{L}{2}/u.test(next)) return undefined
  // Behind a space two letters are more often a word.
  return isVariable(word) && (touching || !/^[a-w]{2}$/.test(word)) ? beside(word) : undefined
}

/** Parts that are not read: `3 sixteenths`. */
const unreadPart = /^(?:eleventh|twelfth|\p{L}+(?:teenth|tieth|lionth))s?$/iu

/** Marks that repeat or strike out the digit before them: `0.3̅`. */
const overline = /^[\u0304\u0305\u0307\u0332\u0335-\u0338]/

/** Digits of a decimal number may go on: `0.333…`, `0.3 repeating`. */
function goesOn(tokens: readonly Token[], to: number): string | undefined {
  if (!/\.\d+$/.test(textAt(tokens, to - 1))) return undefined
  const text = textAt(tokens, to)
  if (text === '…' || [0, 1, 2].every((i) => textAt(tokens, to + i) === '.')) return '…'
  const word = tokens.slice(to, to + 3).find(({ kind, text }) => kind !== 'space' && text !== '(')?.text
  return word !== undefined && /^(?:repeating|recurring)$/i.test(word) ? word : undefined
}

/** A unit may itself be raised or divided (`24 m^2`), but nothing may be added to it: `18 eggs - 3`. */
function afterUnit(tokens: readonly Token[], word: number): string | undefined {
  let at = word
  while (at < word + 2 * longestUnit && /^(?:word|power|space)$/.test(tokens[at]?.kind ?? '')) at++
  const mark = textAt(tokens, at)
  if (at > word && /^[-–]$/.test(mark) && tokens[skipSpace(tokens, at + 1)]?.kind === 'number')
    return beside(mark)
  return at > word && /^(?:[+×·√±<>≤≥≠^÷]|\*+)$/.test(mark) ? beside(mark) : undefined
}

/** How many words a unit may have: `eggs per day`. */
const longestUnit = 4

/** How far behind a number a word may refute it. */
const reach = 6

function wordsBehind(tokens: readonly Token[], at: number): string | undefined {
  const words = clauseBehind(tokens, at)
  const [first = '', second = ''] = words
  const text = words.join(' ')
  const comparison =
    /\b(?:or|and) (?:more|less|fewer|greater|above|below|higher|lower|over|under|up|larger|smaller|beyond|later|earlier|longer)\b/.exec(
      text,
    ) ?? /\bat (?:least|most|minimum|maximum)\b|\bto the power\b|\b(?:below|under) zero\b/.exec(text)
  if (comparison) return beside(comparison[0])
  if (namesBaseBehind(words)) return beside(text.trim())
  if (/^(?:or|and|to|through|by)$/.test(first) && isNumberWord(second)) return beside(`${first} ${second}`)
  const operator = words
    .slice(0, 3)
    .find((word, i) => operatorWords.has(word) && !(word === 'times' && countsTimes(words[i + 1])))
  if (operator !== undefined) return beside(operator)
  const negated =
    /^(?:isn't|wasn't|aren't|can't|cannot)$/.test(first) ||
    (copulas.has(first) && (negations.has(second) || refutations.has(second)))
  if (negated) return beside(copulas.has(first) ? `${first} ${second}` : first)
  const refuted = words.slice(0, reach).find((word) => refutations.has(word))
  return refuted === undefined ? undefined : beside(refuted)
}

/** `42 times` counts; `42 times seven` multiplies. */
const countsTimes = (next: string | undefined) =>
  next === undefined || !(next === '' || isNumberWord(next) || isVariable(next))

/** How many tokens behind a number can matter; a bound on the time that is spent on each number. */
const farthest = 20

/** Returns the words behind a number, in lower case, up to the mark or number that ends their clause; a number there is ''. */
function clauseBehind(tokens: readonly Token[], start: number): string[] {
  const words: string[] = []
  for (let at = start; at < Math.min(tokens.length, start + farthest); at++) {
    const { kind, text } = tokens[at] as Token
    if (kind === 'number') words.push('')
    if (kind === 'number' || (kind === 'space' && text.includes('\n'))) break
    if (kind === 'mark' && !/^[-'°%$]$/.test(text)) break
    if (kind === 'word') words.push(text.toLowerCase())
  }
  return words
}

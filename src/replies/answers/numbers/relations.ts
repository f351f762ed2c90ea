import type { FoundNumber } from './complete-number.ts'
import { skipSpace, type Token, textAt } from './tokens.ts'
import { neutralWords } from './words.ts'

const relationMarks = new Set(['=', '≈', '→'])
const relationWords = new Set(
  'is are was were be equals gives yields makes becomes leaves totals answer result'.split(' '),
)

/**
 * Returns the relation that a number stands right behind, such as `=`, `is`, `equal to` or `total of`, as the index of its last
 * token; undefined if it stands behind none.
 */
export function relationBefore(tokens: readonly Token[], from: number): number | undefined {
  for (let at = from - 1; at >= 0; at--) {
    const { kind, text } = tokens[at] as Token
    const word = text.toLowerCase()
    if (relationMarks.has(text) || relationWords.has(word)) return at
    if (
      word === 'to' &&
      /^(?:equal|equals|equivalent|comes|amounts|simplifies)$/i.test(textAt(tokens, at - 2))
    )
      return at
    if (word === 'of' && /^total$/i.test(textAt(tokens, at - 2))) return at
    if (kind !== 'space' && !neutralWords.has(word) && !/^[:~([$€£]$/.test(text)) return undefined
  }
  return undefined
}

/**
 * Whether the last of several numbers is what a text concludes: it stands right behind a relation, and the text names no other
 * value. `x = 3 or x = 5` names two; `the remainder of 7 by 3 is 1` names one.
 */
export function concludes(tokens: readonly Token[], numbers: readonly FoundNumber[]): boolean {
  const last = numbers.at(-1) as FoundNumber
  const relation = relationBefore(tokens, last.from)
  if (relation === undefined) return false
  return numbers.every(
    (number) =>
      number === last ||
      (number.problem !== undefined && !endsEquation(tokens, number)) ||
      number.values.some((value) => last.values.includes(value)) ||
      !isNamed(tokens, number) ||
      isCondition(tokens, number, relation) ||
      isPremise(tokens, number, relation),
  )
}

/** Whether a plain number stands where a text names a value: at its beginning, or right behind a relation. */
const isNamed = (tokens: readonly Token[], { from }: FoundNumber) =>
  relationBefore(tokens, from) !== undefined ||
  tokens.slice(0, from).every(({ kind, text }) => kind !== 'word' || neutralWords.has(text.toLowerCase()))

/** Whether a number is the value of an equation, and the letter behind it begins the next one: `X=41 Y=3`. */
function endsEquation(tokens: readonly Token[], { from, to }: FoundNumber): boolean {
  const letter = skipSpace(tokens, to)
  const begins =
    letter > to &&
    tokens[letter]?.kind === 'word' &&
    /^[=≈]$/.test(textAt(tokens, skipSpace(tokens, letter + 1)))
  return begins && relationBefore(tokens, from) !== undefined
}

/** Whether an equation only says of what the sentence speaks: `the value of x when y = 3 is 600`. */
function isCondition(tokens: readonly Token[], number: FoundNumber, relation: number): boolean {
  const own = relationBefore(tokens, number.from)
  if (own === undefined || textAt(tokens, own) !== '=') return false
  const between = tokens.slice(number.to, relation + 1)
  return (
    between.some(({ text }) => /^(?:is|are|equals)$/i.test(text)) &&
    !between.some(({ text }) => /^(?:or|and|[,;.]|.*\n.*)$/is.test(text))
  )
}

/** Whether a word of conclusion stands between a value and the last: `there are 3 and 4, so the sum is 7`. */
function isPremise(tokens: readonly Token[], number: FoundNumber, relation: number): boolean {
  const between = tokens.slice(number.to, relation)
  const conclusion = between.some(({ text }) =>
    /^(?:so|therefore|thus|hence|total|altogether|answer|result|→)$/i.test(text),
  )
  const own = relationBefore(tokens, number.from)
  // `x = 3, so y = 5` solves for two variables, and `total = 3, total = 5` gives one of them two values.
  return conclusion && !solvesVariable(tokens, own) && !namesAlike(tokens, own, relation)
}

function solvesVariable(tokens: readonly Token[], relation: number | undefined): boolean {
  if (relation === undefined) return true
  const at = nameBefore(tokens, relation)
  return /^\p{L}$/u.test(textAt(tokens, at)) && tokens[at - 1]?.kind !== 'number'
}

/** Whether two equations have the same name before `=`. */
const namesAlike = (tokens: readonly Token[], first: number | undefined, second: number) =>
  first !== undefined &&
  /^[=≈]$/.test(textAt(tokens, first)) &&
  textAt(tokens, nameBefore(tokens, first)).toLowerCase() ===
    textAt(tokens, nameBefore(tokens, second)).toLowerCase()

const nameBefore = (tokens: readonly Token[], relation: number) =>
  tokens[relation - 1]?.kind === 'space' ? relation - 2 : relation - 1

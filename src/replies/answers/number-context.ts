import { numberWord } from './number-amount.ts'
import { fillParts, inAnyLanguage, isForeignMagnitude, phrasesIn } from './phrases.ts'

interface NumberPhrases {
  magnitudes: Readonly<Record<string, string>>
  signs: Readonly<Record<string, string>>
  money: Readonly<Record<string, string>>
  parts: Readonly<Record<string, string>>
  unreadPart: string
  currency: string
  letterUnits: string
  shortUnits: string
  neutral: string
  relations: string
  negations: string
  functions: string
  before: string[]
  excludes: string
  behind: string[]
  corrects: string
  rejects: string
  concludes: string
  states: string
  signedBehind: string
  passing: string
  adverbial: string
}

/** What words and marks beside a number say of it. */
export const numberPhrases = phrasesIn<NumberPhrases>('numbers')
const phrases = numberPhrases
const negations = `${phrases.negations}|${inAnyLanguage('denies')}`
const foreignBehind = `^(?:\\S+ ){0,3}(?:${inAnyLanguage('deniedBy')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`
const fill = (sources: readonly string[], [open, close]: readonly [string, string]) =>
  sources.map((source) => {
    const filled = fillParts(source, { number: numberWord, negation: negations })
    return new RegExp(`${open}(?:${filled})${close}`, 'iu')
  })
const beforeNumber = fill([...phrases.before, inAnyLanguage('compares')], ['(?<!\\S)', '$'])
const behindNumber = fill([...phrases.behind, foreignBehind], ['', ''])
const excludes = new RegExp(`(?<!\\S)(?:${phrases.excludes})(?: \\S+){0,3}$`, 'iu')
const negation = new RegExp(`^(?:${negations})$`, 'iu')
const neutral = new RegExp(`^(?:${phrases.neutral})$`, 'iu')

/** Whether a word leaves a number what it is: `about`, `exactly`, `the`. */
export const isNeutral = (text: string): boolean => neutral.test(text)

/** A word of a plain text, as an expression: a name of LaTeX, too. */
export const word = String.raw`\\?[\p{L}\p{M}][\p{L}\p{M}\d_]*(?:'\p{L}+)?`
const words = new RegExp(word, 'gu')
export const currencyBehind = new RegExp(`^ ?(?:${phrases.currency})`, 'iu')

/** How far beside a number anything can matter; a bound on the time that is spent on each number. */
const reach = 120
export const leftOf = (text: string, at: number): string => text.slice(Math.max(0, at - reach), at)
const rightOf = (text: string, at: number) => text.slice(at, at + reach)

/** Says why a number is no plain one, from what stands beside it: `stands beside "half of"`. */
export const beside = (what: string): string => `stands beside ${JSON.stringify(what.trim())}`

/** Returns why what stands before a number makes it no plain number, as `stands beside "half of"`; undefined if it does not. */
export function problemBefore(text: string, from: number): string | undefined {
  const left = leftOf(text, from)
  const mark = marksBefore.map((form) => form.exec(left)).find((match) => match !== null)
  if (mark) return beside(mark[1] ?? mark[0])
  // `anything but 42`: of all values the clause leaves this one out.
  const excluded = excludes.exec(wordsSinceMark(left).join(' '))?.[0]
  if (excluded !== undefined) return beside(excluded)
  const clause = clauseBefore(left)
  // In `x ≈ 11` the letter is no sign of multiplication.
  const found = beforeNumber.map((form) => form.exec(clause)).find((match) => match !== null)?.[0]
  if (found !== undefined && !(/^x$/i.test(found) && /≈ ?$/.test(left))) return beside(found)
  const negated = (wordsBefore(left).slice(-5) ?? []).findLast((one) => negation.test(one))
  return negated === undefined ? undefined : beside(negated)
}

const operator = String.raw`[-+–×·/÷^√∛±∓|<>≤≥≠≡¬‾π∞∑∏∫{}]|\*+`
const numerals = '一二三四五六七八九十百千万萬億亿兆两零〇'
const marksBefore: readonly RegExp[] = [
  new RegExp(`(?<!\\p{L})((?:${negations}): ?)$`, 'iu'),
  /(\\[A-Za-z]+|(?<![\p{L}\d])[\p{Script=Latin}\p{Script=Greek}][\p{L}\p{M}\d_]*|_)$/u,
  new RegExp(`(\\S*(?:分之|[${numerals}][点點]?))$|(?<!\\p{L})([${numerals}]+) $`, 'u'),
  /[)\]}]$|\^\{[^{}]*\}$|\^\S*$/,
  /(\d[\d.,]*[.…:,'_])$|\.\.$/,
  /(?:^|[^\p{L}\d_√])([\p{L}\d_√]+|-)\($/u,
  /!$|[!<>≠]= ?$/,
  // A dash between spaces, behind a word or a stop, parts a sentence: `Result – 5`.
  /(?<![\p{L}.:)]{2} )– $|(?<=\d )– $/u,
  new RegExp(`(?!– $)(?:${operator}) ?$`, 'u'),
]

const clauseParts = new RegExp(`(${word})|[^ ~≈'([\\]$]`, 'gu')

/** Returns the words between a number and the mark or number before it, in lower case. */
function wordsSinceMark(left: string): string[] {
  let found: string[] = []
  for (const [, one] of left.replace(/\([^()]*\)/g, '').matchAll(clauseParts))
    if (one === undefined) found = []
    else found.push(one.toLowerCase())
  return found
}

/** Returns the words before a number in its clause: a mark, a number or a word such as `because` begins it. */
function wordsBefore(left: string): string[] {
  const found = wordsSinceMark(left)
  const start = found.findLastIndex(
    (one, i) =>
      /^(?:so|because|since|if|while)$/.test(one) ||
      (one === 'but' && found.slice(i + 1).some((other) => !isNeutral(other))),
  )
  return found.slice(start + 1)
}

/** Returns the clause before a number, up to its last word that is not neutral. */
function clauseBefore(left: string): string {
  const found = wordsBefore(left)
  const last = found.findLastIndex((one) => !isNeutral(one))
  return found
    .slice(0, last + 1)
    .filter((one) => one !== 'the' && one !== 'a')
    .join(' ')
}

const unitMarks = /^(?:[°'%‰]|\^[{(]? ?(?:th|st|nd|rd|o|°|')+ ?[})]?[CF]?)*/i

/** Returns why what stands behind a number makes it no plain number, as `stands beside "or more"`; undefined if it does not. */
export function problemBehind(text: string, to: number): string | undefined {
  const whole = rightOf(text, to)
  const more = /\.\d+$/.test(leftOf(text, to))
    ? /^(?:…|\.\.\.)|^[ (]{0,2}(?:repeating|recurring)\b/i.exec(whole)?.[0]
    : undefined
  if (more !== undefined) return beside(more)
  const money = currencyBehind.exec(whole)?.[0].length ?? 0
  const right = whole.slice(money + (unitMarks.exec(whole.slice(money))?.[0].length ?? 0))
  const touches = right.length === whole.length || !/ $/.test(whole.slice(0, whole.length - right.length))
  return markBehind(right) ?? unitProblem(right, touches) ?? clauseProblem(right)
}

const marksBehind: readonly RegExp[] = [
  /^\^\S*/,
  /^[!_‰]/,
  /^([:.…,~])(?:\.?\d|‾)/,
  /^\.\.(?=\.?\d)/,
  /^ ?!=/,
]

function markBehind(right: string): string | undefined {
  const mark = marksBehind.map((form) => form.exec(right)).find((match) => match !== null)
  if (mark) return beside(mark[1] ?? mark[0])
  const bracket = bracketBehind(right)
  if (bracket !== undefined) return beside(bracket)
  const [whole = '', sign] = new RegExp(`^ ?(${operator})`, 'u').exec(right) ?? []
  if (sign === undefined) return undefined
  const rest = right.slice(whole.length)
  const next = new RegExp(`^ ?(${word})`, 'u').exec(rest)?.[1]
  const isWord = next !== undefined && (!isVariable(next) || phrases.letterUnits.includes(next))
  // A rate (`18 km/h`, `$5/hour`), a compound (`5-day`) or a dash of prose.
  if (isWord && sign === '/') return undefined
  return /^[-–]$/.test(sign) && (isWord || rest.trim() === '') ? undefined : beside(sign)
}

/**
 * Returns the bracket behind a number that is multiplied by it, as in `3(x + 1)` and `3 [4 cos x - 1]`; undefined for a remark, such
 * as `(1 hour)`, a unit (`[m/s]`) or none.
 */
function bracketBehind(right: string): string | undefined {
  const [whole, open] = /^ ?([([])/.exec(right) ?? []
  if (whole === undefined || open === undefined) return undefined
  const inside = insideOf(right.slice(whole.length))
  if (whole === '(' && !/^\p{L}{2}|^\.?\d[\d.,]* \p{L}/u.test(inside)) return open
  const found = inside.match(words) ?? []
  const isFunction = (one: string) => one.startsWith('\\') || functionName.test(one)
  // `(= 6 · 7)`, `(n = 3)` and `(approx. 3 + 4)` say how the number came about.
  if (/[=≈~]/.test(inside) || found.some((one) => /^\p{L}{3}/u.test(one) && !isFunction(one)))
    return undefined
  const isVariableBeside =
    inside.trim().length > 1 &&
    found.some((one) => /^\p{L}$/u.test(one) && !phrases.letterUnits.includes(one))
  return /(?<!\p{L})[+–·×]|(?<!\p{L})-|-(?!\p{L})/u.test(inside) || found.some(isFunction) || isVariableBeside
    ? open
    : undefined
}

function insideOf(text: string): string {
  let depth = 1
  for (let at = 0; at < text.length; at++) {
    if (/[([]/.test(text[at] as string)) depth++
    if (/[)\]]/.test(text[at] as string) && --depth === 0) return text.slice(0, at)
  }
  return text
}

const functionName = new RegExp(`^(?:${phrases.functions})$`)
const shortUnit = new RegExp(`^(?:${phrases.shortUnits})$`)

/** Whether a word is what a variable, a product of variables or a function is called. */
function isVariable(name: string): boolean {
  if (/^\\|^[A-Z]\d+$|^[xXebo]\d|^[xX][\dA-Fa-f]+$/.test(name) || functionName.test(name) || name === 'pi')
    return true
  if (/^[\p{Script=Latin}\p{Script=Greek}]$/u.test(name)) return !phrases.letterUnits.includes(name)
  return /^(?:[abcijnpqrtuvwxyz]{2}|[xyz]{3})$/.test(name) && !shortUnit.test(name)
}

const unread = new RegExp(
  `^(?:(?:${phrases.unreadPart})$|[\\u0304\\u0305\\u0307\\u0332\\u0335-\\u0338])`,
  'iu',
)
const overline = /^[\u0304\u0305\u0307\u0332\u0335-\u0338]/
const wordOf = new RegExp(`^ ?((?:${word})|\\p{M}+)`, 'u')

function unitProblem(right: string, touches: boolean): string | undefined {
  const [whole = '', unit] = wordOf.exec(right) ?? []
  if (unit !== undefined) {
    const isTouching = touches && !whole.startsWith(' ')
    const next = /^ (\p{L}+)/u.exec(right.slice(whole.length))?.[1]?.toLowerCase() ?? ''
    if (isForeignMagnitude(unit, isTouching) || unread.test(unit) || overline.test(right)) return beside(unit)
    const isCount =
      (/^x$/i.test(unit) && /^(?:\p{L}{3,}er|as|more|less)$/u.test(next)) ||
      (!isTouching && /^[aI]$/.test(unit) && next.length > 1)
    // Behind a space two letters are more often a word.
    if (!isCount && isVariable(unit) && (isTouching || !/^[a-w]{2}$/.test(unit))) return beside(unit)
  }
  // A unit may itself be raised or divided (`24 m^2`), but nothing may be added to it: `18 eggs - 3`.
  const [, minus, added = minus] = afterUnit.exec(right) ?? []
  return added === undefined ? undefined : beside(added)
}

const afterUnit = new RegExp(
  `^(?: ?(?:${word})(?![\\p{L}\\p{M}\\d_])(?:\\^\\{?-?\\d\\}?)?){1,4} ?(?:([-–])(?= ?\\.?\\d)|([+×·√±<>≤≥≠÷]|\\*+))`,
  'u',
)

/** Returns the words behind a number up to the mark or number that ends their clause, in lower case; a number there is `#`. */
function clauseProblem(right: string): string | undefined {
  const [clause = ''] =
    new RegExp(`^(?:(?:${word})|[ '°%$-])*(?:\\.?\\d)?`, 'u').exec(right.split('\n', 1)[0] as string) ?? []
  const text = (clause.match(new RegExp(`${word}|\\d`, 'gu')) ?? [])
    .join(' ')
    .toLowerCase()
    .replace(/\d$/, '#')
  const found = behindNumber.map((form) => form.exec(text)).find((match) => match !== null)?.[0]
  return found === undefined ? undefined : beside(found)
}

/** Whether the words of a remark say that the digits before it are in a base: `in binary`, `base 2`. */
export const namesBase = (text: string): boolean => (behindNumber[1] as RegExp).test(text)

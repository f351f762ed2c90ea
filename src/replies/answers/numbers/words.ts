const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words behind a number that multiply it by a power of ten, or by twelve. */
export const magnitudes: ReadonlyMap<string, number> = new Map([
  ...['hundred', 'hundreds'].map((word) => [word, 1e2] as const),
  ...['thousand', 'thousands', 'thous'].map((word) => [word, 1e3] as const),
  ...['million', 'millions', 'mn', 'mln', 'mio'].map((word) => [word, 1e6] as const),
  ...['billion', 'billions', 'bn', 'bln'].map((word) => [word, 1e9] as const),
  ...['trillion', 'trillions', 'tn', 'trn'].map((word) => [word, 1e12] as const),
  ...['quadrillion', 'quadrillions'].map((word) => [word, 1e15] as const),
  ...['dozen', 'dozens'].map((word) => [word, 12] as const),
  ...['gross'].map((word) => [word, 144] as const),
  ...['lakh', 'lakhs', 'lac'].map((word) => [word, 1e5] as const),
  ...['crore', 'crores'].map((word) => [word, 1e7] as const),
])

/** Letters that are a magnitude with a currency (`$5m`); without one `m` is metres and `T` may be tesla. */
export const moneyMagnitudes: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['mm', 1e6],
  ['b', 1e9],
  ['t', 1e12],
])

/** Parts that a number counts: `3 tenths` is 0.3. */
export const parts: ReadonlyMap<string, number> = new Map([
  ...['half', 'halves'].map((word) => [word, 2] as const),
  ...['third', 'thirds'].map((word) => [word, 3] as const),
  ...['fourth', 'fourths'].map((word) => [word, 4] as const),
  ...['fifth', 'fifths'].map((word) => [word, 5] as const),
  ...['sixth', 'sixths'].map((word) => [word, 6] as const),
  ...['seventh', 'sevenths'].map((word) => [word, 7] as const),
  ...['eighth', 'eighths'].map((word) => [word, 8] as const),
  ...['ninth', 'ninths'].map((word) => [word, 9] as const),
  ...['tenth', 'tenths'].map((word) => [word, 10] as const),
  ...['hundredth', 'hundredths'].map((word) => [word, 100] as const),
  ...['thousandth', 'thousandths'].map((word) => [word, 1000] as const),
])

export const currencies = words('$ € £ ¥ ₹ ₩ ₽ ₺ ₫ ₪ ₱ ฿ ¢ us$ usd eur gbp jpy cny inr rmb chf cad aud rs')

/** Units of one letter. Another letter behind a number is a variable. */
export const letterUnits = words('m g s h l L V W N J C F A')

/** Two letters that are a unit, though each may be a variable. */
export const shortUnits = words('pt ct qt oz in yd st nd rd th hr am pm')

/** Approximation leaves a number what it is; so do these. */
export const neutralWords = words(
  'about approximately approx around roughly circa exactly precisely only just therefore thus now also then still ' +
    'simply actually indeed positive a an the',
)

export const signWords = words('minus negative')

/** Words right before a number that make another number of it: `half of 42`, `twice 42`. */
export const scaleWords = words(
  'half third thirds quarter quarters fourth fourths fifth fifths sixth seventh eighth ninth tenth tenths hundredth ' +
    'hundredths thousandth twice double doubled triple tripled thrice quadruple square squared root cube cubed ' +
    'log ln sin cos tan exp sqrt factorial multiple multiples factor factors divisor divisors fraction part ' +
    'percent percentage power one some none most all any plus times over mod modulo choose logarithm sine cosine ' +
    'tangent reciprocal inverse opposite absolute \\log \\ln \\sin \\cos \\tan \\exp',
)

/** Words right before a number that compare with it. */
export const comparisonWords = words(
  'than under above below beneath beyond exceeding exceeds exceed nearly almost barely within between versus vs',
)

/** Words right behind a number that make it part of a calculation. */
export const operatorWords = words(
  'plus minus times multiplied divided over mod modulo choose squared cubed factorial raised power halved doubled ' +
    'tripled negative',
)

export const negations = words(
  "not no never neither nor cannot can't isn't aren't wasn't weren't don't doesn't didn't won't wouldn't without " +
    'except excluding excludes unlike instead rather nowhere unequal',
)

export const refutations = words('wrong incorrect false impossible')

export const copulas = words('is are was were be equals equal')

/** Marks that calculate, compare or negate. */
export const operators = words('+ - – × · * ** / ÷ ^ √ ∛ ± ∓ | < > ≤ ≥ ≠ ≡ ¬ π ∞ ∑ ∏ ∫ & @ #')

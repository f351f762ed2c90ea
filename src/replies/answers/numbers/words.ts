const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const valued = (...rows: readonly (readonly [number, string])[]): ReadonlyMap<string, number> =>
  new Map(rows.flatMap(([value, row]) => [...words(row)].map((word) => [word, value] as const)))

/** Words behind a number that multiply it. */
export const magnitudes = valued(
  [12, 'dozen dozens dz'],
  [144, 'gross'],
  [1e2, 'hundred hundreds'],
  [1e3, 'thousand thousands thous tausend mille тыс тысяч тысячи тысяча'],
  [1e5, 'lakh lakhs lac'],
  [
    1e6,
    'million millions mn mln mio mill millionen millones millón milhões milioni млн миллион миллиона миллионов',
  ],
  [1e7, 'crore crores'],
  [
    1e9,
    'billion billions bn bln milliard milliards milliarde milliarden mrd млрд миллиард миллиарда миллиардов',
  ],
  [1e12, 'trillion trillions tn trn'],
  [1e15, 'quadrillion quadrillions'],
)

/** Magnitudes that are written right behind a number, and before a unit without a space: `3万円`. */
export const magnitudeSigns = valued(
  [1e2, '百 백'],
  [1e3, '千 천'],
  [1e4, '万 萬 만'],
  [1e8, '億 亿 억'],
  [1e12, '兆 조'],
)

/** Letters that are a magnitude with a currency (`$5m`); without one `m` is metres and `T` may be tesla. */
export const moneyMagnitudes = valued([1e3, 'k'], [1e6, 'm mm'], [1e9, 'b'], [1e12, 't'])

/** Parts that a number counts: `3 tenths` is 0.3. */
export const parts = valued(
  [2, 'half halves'],
  [3, 'third thirds'],
  [4, 'fourth fourths'],
  [5, 'fifth fifths'],
  [6, 'sixth sixths'],
  [7, 'seventh sevenths'],
  [8, 'eighth eighths'],
  [9, 'ninth ninths'],
  [10, 'tenth tenths'],
  [100, 'hundredth hundredths'],
  [1000, 'thousandth thousandths'],
)

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
    'except excluding excludes unlike instead rather nowhere unequal besides',
)

export const refutations = words('wrong incorrect false impossible')

export const copulas = words('is are was were be equals equal')

/** Marks that calculate, compare or negate. */
export const operators = words('+ - – × · * ** / ÷ ^ √ ∛ ± ∓ | < > ≤ ≥ ≠ ≡ ¬ ‾ π ∞ ∑ ∏ ∫ { }')

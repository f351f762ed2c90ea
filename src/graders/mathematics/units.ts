/** Names of units that are told apart, each line with the names of one. */
const table = `
degree degrees deg
radian radians rad
inch inches in
foot feet ft
yard yards yd
mile miles mi
millimeter millimeters millimetre millimetres mm
centimeter centimeters centimetre centimetres cm
meter meters metre metres
kilometer kilometers kilometre kilometres km
second seconds sec secs
minute minutes min mins
hour hours hr hrs
day days
week weeks
month months
year years yr yrs
milligram milligrams mg
gram grams
kilogram kilograms kg
pound pounds lb lbs
ounce ounces oz
liter liters litre litres
milliliter milliliters ml
gallon gallons gal
dollar dollars usd
cent cents
euro euros eur
`

const names: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => line.split(' ').map((name) => [name, line] as const)),
)

const others = new Set(['sq', 'cu', 'per', 'mph', 'the', 'unit', 'one'])

/** Whether a word can be no product of variables: the name of a unit, or four letters and more. */
export const isWord = (word: string): boolean =>
  word.length > 3 || names.has(word.toLowerCase()) || others.has(word.toLowerCase())

/** Whether two numbers name units, and not the same. A unit that only one of them names is left out by the other. */
export function unitsDiffer(left: readonly string[], right: readonly string[]): boolean {
  const [ours, theirs] = [left, right].map(known) as [string, string]
  return ours !== '' && theirs !== '' && ours !== theirs
}

/** Returns the units of some words, with their power. */
function known(units: readonly string[]): string {
  const words = units.flatMap((unit) => unit.toLowerCase().match(/[a-z]+|\d/g) ?? [])
  const found = words.flatMap((word) => names.get(word) ?? []).sort()
  const power = words.findLast((word) => powers.has(word)) ?? ''
  return found.length === 0 ? '' : [...found, powers.get(power) ?? 1].join()
}

const powers = new Map([
  ...['square', 'sq', '2'].map((word) => [word, 2] as const),
  ...['cubic', 'cu', '3'].map((word) => [word, 3] as const),
])

/** Names of units that are told apart; those with a bar between them are other units. */
const table = [
  'degree degrees deg|radian radians rad|inch inches in|foot feet ft|yard yards yd|mile miles mi',
  'millimeter millimeters millimetre millimetres mm|centimeter centimeters centimetre centimetres cm',
  'meter meters metre metres|kilometer kilometers kilometre kilometres km|gram grams|kilogram kilograms kg',
  'second seconds sec secs|minute minutes min mins|hour hours hr hrs|day days|week weeks|month months|year years yr yrs',
  'pound pounds lb lbs|ounce ounces oz|liter liters litre litres|gallon gallons gal|dollar dollars usd|cent cents',
].join('|')

const names: ReadonlyMap<string, string> = new Map(
  table.split('|').flatMap((unit) => unit.split(' ').map((name) => [name, unit] as const)),
)
const powers = new Map(
  Object.entries({ square: '2', squared: '2', sq: '2', cubic: '3', cubed: '3', cu: '3' }),
)
const others = new Set(['per', 'unit', 'units', 'mph'])

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]+|\d+/g) ?? []

/** Whether a text consists of names of units, such as `square inches`. */
export const isUnit = (text: string): boolean => {
  const words = wordsOf(text)
  return words.length > 0 && words.every((word) => names.has(word) || powers.has(word) || others.has(word))
}

/** Whether two numbers name units, and not the same. A unit that only one of them names is left out by the other. */
export function unitsDiffer(left: readonly string[], right: readonly string[]): boolean {
  const [ours, theirs] = [left, right].map((units) => knownUnit(wordsOf(units.join(' ')))) as [string, string]
  return ours !== '' && theirs !== '' && ours !== theirs
}

/** Returns the units among some words, with their power. */
function knownUnit(words: readonly string[]): string {
  const found = words.flatMap((word) => names.get(word) ?? []).sort()
  const power = words.map((word) => powers.get(word) ?? word).findLast((word) => /^\d$/.test(word)) ?? '1'
  return found.length === 0 ? '' : [...found, power].join()
}

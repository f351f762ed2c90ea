/** The names of each unit, the first as its symbol. A dash joins words of a name. */
const table = `
kg kgs kilo kilos kilogram kilograms kilogramm kilogrammes
g gr gram grams gramm gramme grammes
mg milligram milligrams milligramm
µg μg mcg microgram micrograms
t ton tons tonne tonnes tonnen
lb lbs
oz ounce ounces
km kilometer kilometers kilometre kilometres kilometern
m meter meters metre metres mètre mètres metern
cm centimeter centimeters centimetre centimetres zentimeter
mm millimeter millimeters millimetre millimetres
µm μm micrometer micrometers micrometre
nm nanometer nanometers nanometre
mi mile miles
yd yard yards
ft foot feet
in inch inches
s sec secs second seconds sek sekunde sekunden seconde secondes
ms millisecond milliseconds millisekunden
min mins minute minutes minuten
h hr hrs hour hours std stunde stunden heure heures
d day days tag tage tagen jour jours
week weeks woche wochen semaine semaines
month months monat monate monaten mois
yr yrs year years jahr jahre jahren année années
l L liter liters litre litres litern
ml mL milliliter milliliters millilitre millilitres
cl cL centiliter centilitre
dl dL deciliter decilitre
gal gallon gallons
°C ℃ celsius degrees-celsius degree-celsius grad-celsius degrés-celsius deg-C
°F ℉ fahrenheit degrees-fahrenheit degree-fahrenheit grad-fahrenheit deg-F
K kelvin
° deg degree degrees grad
rad radian radians
km/h kmh kph km-per-hour kilometers-per-hour kilometres-per-hour kilometer-pro-stunde
mph miles-per-hour
m^2 m² qm sqm square-meters square-metres square-meter square-metre quadratmeter
m^3 m³ cbm cubic-meters cubic-metres cubic-meter cubic-metre kubikmeter
km^2 km² sqkm square-kilometers square-kilometres quadratkilometer
ha hectare hectares hektar
acre acres
J joule joules
kJ kilojoule kilojoules
MJ megajoule megajoules
cal calories calorie
kcal kilocalories kilocalorie kilokalorien
Wh
kWh kilowatt-hours kilowatt-hour kilowattstunden
MWh megawatt-hours
W watt watts
kW kilowatt kilowatts
MW megawatt megawatts
GW gigawatt gigawatts
V volt volts
mV millivolt millivolts
kV kilovolt
A amp amps ampere amperes
mA milliampere
mAh
Hz hertz
kHz kilohertz
MHz megahertz
GHz gigahertz
N newton newtons
kN kilonewton
Pa pascal pascals
hPa
kPa
MPa
bar bars
mbar
psi
Ω ohm ohms
mol mole moles
dB decibel decibels
bit bits
B byte bytes
kB KB kilobyte kilobytes
MB megabyte megabytes
GB gigabyte gigabytes
TB terabyte terabytes
KiB
MiB
GiB
TiB
Mbit/s Mbps
Gbit/s Gbps
dollar dollars $ USD US-dollar US-dollars
EUR € euro euros
GBP £
CHF franken francs
JPY ¥ yen
ct cent cents
`

const names: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ').map((name) => name.replaceAll('-', ' '))
      return words.map((name) => [name, words[0] as string] as const)
    }),
)

/** Letters that stand for a seat, a thousand or a billion as often as for a unit: behind a number alone they name none. */
const doubtful = new Set(['A', 'B', 'K', 'N', 'J', 'd'])

/** A name without a number: one to three words, or symbols with powers that are multiplied and divided. */
const phrase = /^[\p{L}°℃℉Ω€$£¥]+(?:\s[\p{L}°]+){0,2}/u
const power = '(?:\\^?[-−]?[23²³])?'
const term = `[\\p{L}°℃℉µμΩ€$£¥]+${power}`
const compound = new RegExp(`^${term}(?:\\s?[/·⋅*]\\s?${term})*`, 'u')

/** Returns the unit that a text names and nothing else, by its symbol: `km/h`, `m^2`. Undefined for other texts, and for a letter in doubt. */
export function unitNamed(text: string): string | undefined {
  const found = unitAtStart(text.trim())
  return found?.length === text.trim().length && !doubtful.has(text.trim()) ? found.unit : undefined
}

/** The unit at the beginning of a text, by its symbol, and how many characters name it. */
function unitAtStart(text: string): { unit: string; length: number } | undefined {
  // `5 in total` has no inch in it.
  if (/^in\s+\p{L}/u.test(text)) return undefined
  const [words = ''] = phrase.exec(text) ?? []
  for (let name = words; name !== ''; name = name.replace(/\s?\S+$/, '')) {
    const unit = nameOf(name)
    // `m` of `m/s` is not the unit.
    const isCut = /^[/·⋅*^²³\p{L}\d]/u.test(text.slice(name.length))
    if (unit !== undefined && !isCut) return { unit, length: name.length }
  }
  const [symbols = ''] = compound.exec(text) ?? []
  const parts = symbols.split(/(\s?[/·⋅*]\s?)/).map((part, i) => (i % 2 === 0 ? termOf(part) : signOf(part)))
  if (symbols === '' || parts.some((part) => part === undefined)) return undefined
  const joined = parts.join('')
  return { unit: nameOf(joined) ?? joined, length: symbols.length }
}

const signOf = (sign: string) => (sign.trim() === '/' ? '/' : '·')

function termOf(text: string): string | undefined {
  const [, name = '', exponent = ''] = /^(.*?)\^?([-−]?[23²³])?$/u.exec(text) ?? []
  const unit = nameOf(name)
  const digit = exponent.replace('−', '-').replace('²', '2').replace('³', '3')
  return unit === undefined ? undefined : digit === '' ? unit : `${unit}^${digit}`
}

/** Words may be written with capitals; a symbol of one letter may not. */
const nameOf = (name: string): string | undefined =>
  names.get(name) ?? (name.length > 1 ? names.get(name.toLowerCase()) : undefined)

/** A number with what may stand between it and its unit: a space, or the beginning of a text in LaTeX. */
const number = /\d(?:[\d.,'’\u00a0\u202f]*\d)?(?:\s|~|\\[,;: ]|\\(?:text|mathrm|rm|unit)\s*\{\s*)*/g

/** Returns the units that stand behind the numbers of a text, by their symbols, each with its place in the text. */
export function unitsBehind(text: string): { unit: string; from: number; to: number }[] {
  return [...text.matchAll(number)].flatMap(({ 0: written, index }) => {
    const from = index + written.length
    const rest = text.slice(from, from + 60)
    const [degree = ''] = /^\^\{?\\?circ\}?\s?/.exec(rest) ?? []
    const found = unitAtStart(degree === '' ? rest : `°${rest.slice(degree.length)}`)
    const more = degree === '' ? 0 : degree.length - 1
    return found === undefined ? [] : [{ unit: found.unit, from, to: from + found.length + more }]
  })
}

/** Whether two units may be the same: `degrees` may be those of a temperature. */
export const sameUnit = (one: string, other: string): boolean =>
  one === other || (isDegree(one) && isDegree(other) && (one === '°' || other === '°'))

const isDegree = (unit: string) => unit.startsWith('°')

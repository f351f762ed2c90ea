import { expect, it } from 'vitest'
import { sameUnit, unitNamed, unitsBehind } from '../../src/text/units.ts'

it.each([
  ['kg', 'kg'],
  ['Kilogram', 'kg'],
  ['°C', '°C'],
  ['degrees Celsius', '°C'],
  ['km/h', 'km/h'],
  ['kmh', 'km/h'],
  ['m/s²', 'm/s^2'],
  ['m^2', 'm^2'],
  ['m²', 'm^2'],
  ['square meters', 'm^2'],
  ['kg/m³', 'kg/m^3'],
  ['mW', undefined],
  ['MW', 'MW'],
  ['A', undefined],
  ['July', undefined],
  ['kg of rice', undefined],
  ['', undefined],
])('%j names the unit %s and nothing else', (text, unit) => expect(unitNamed(text)).toBe(unit))

it.each([
  ['2.5kg', ['kg']],
  ['It weighs 2.5 kg (2500 g).', ['kg', 'g']],
  ['5 in total', []],
  ['5 in.', ['in']],
  ['5 m high', ['m']],
  ['20\\,\\text{°C}', ['°C']],
  ['20^\\circ', ['°']],
  ['20^\\circ C', ['°C']],
  ['3 apples', []],
  ['12 A', ['A']],
  ['1,234.5 km/h', ['km/h']],
])('the units behind the numbers of %j are %j', (text, units) =>
  expect(unitsBehind(text).map(({ unit }) => unit)).toEqual(units),
)

it('degrees may be those of a temperature, and nothing else is alike', () => {
  expect([sameUnit('°', '°C'), sameUnit('°F', '°'), sameUnit('°C', '°F'), sameUnit('°', 'm')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it('a long text of numbers is read in a moment', () => {
  const start = performance.now()
  expect(unitsBehind('1 km/'.repeat(100_000)).length).toBe(100_000)
  expect(performance.now() - start).toBeLessThan(5000)
})

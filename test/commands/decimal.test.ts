import { expect, it } from 'vitest'
import { decimalOf } from '../../src/commands/decimal.ts'

it('reads decimal numbers and takes nothing else for one', () => {
  for (const [text, number] of [
    ['3', 3],
    [' 0.05 ', 0.05],
    ['.5', 0.5],
    ['-1', -1],
    ['1e3', 1000],
  ] as const)
    expect(decimalOf(text)).toBe(number)
  for (const text of ['', ' ', '0x10', '0b1', '1_000', 'Infinity', '5%', '1,5', 'e3', '.'])
    expect(decimalOf(text), text).toBeNaN()
})

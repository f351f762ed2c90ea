import { expect, it } from 'vitest'
import { cutMiddle, shorten, shortenEnd } from '../../src/text/shorten.ts'
import { tableOf } from '../helpers/house/tables.ts'

it.each(tableOf<[string, number, string, string][]>(import.meta.url, 'cut'))(
  '%j in %i characters is cut at the ends of words',
  (text, longest, middle, end) => {
    expect(shorten(text, longest)).toBe(middle)
    expect(shortenEnd(text, longest)).toBe(end)
    expect(shorten(text, longest).length).toBeLessThanOrEqual(longest)
    expect(shortenEnd(text, longest).length).toBeLessThanOrEqual(longest)
  },
)

it('what ids depend on is cut where it always was', () => {
  expect(cutMiddle('there is no recorded reply', 15)).toBe('there  …  reply')
})

it('no half of a character is left', () => {
  for (let length = 4; length < 20; length++) {
    expect(shorten('😀'.repeat(20), length).isWellFormed()).toBe(true)
    expect(shortenEnd('😀'.repeat(20), length).isWellFormed()).toBe(true)
  }
})

import { expect, it } from 'vitest'
import { findPrice, priceNames, pricesOfAgents } from '../../src/agents/price-book.ts'

const price = (input: number) => ({ input, output: 1 })
const prices = {
  'coder=openai:m': price(1),
  coder: price(2),
  'openai:m': price(3),
  'little=ollama:m': price(4),
  tiny: price(5),
}

it.each([
  ['coder=openai:m', {}, 1],
  ['coder=google:m', {}, 2],
  ['other=openai:m', {}, 3],
  ['openai:m', {}, 3],
  ['openai:m', { coder: 'openai:m' }, 1],
  ['google:m', { coder: 'google:m' }, 2],
  ['ollama:m', { little: 'ollama:m' }, 4],
  ['google:m', { little: 'google:m', tiny: 'google:m' }, 5],
  ['google:m', { little: 'ollama:m' }, undefined],
  ['constructor', {}, undefined],
])('the price of %s with the labels %j is the one under its most exact name', (agent, labels, input) => {
  expect(findPrice(prices, agent, labels)?.input).toBe(input)
})

it('names of an agent go from the most exact to the least, also with an equals sign in its model', () => {
  expect(priceNames('coder=ollama:a=b')).toEqual(['coder=ollama:a=b', 'coder', 'ollama:a=b'])
  expect(priceNames('ollama:a=b')).toEqual(['ollama:a=b'])
})

it('prices of agents are by their names in records, without those of other agents', () => {
  const labels = { tiny: 'google:m' }
  expect(pricesOfAgents(prices, ['other=openai:m', 'google:m', 'cli'], labels)).toEqual({
    prices: { 'other=openai:m': price(3), 'google:m': price(5) },
  })
  expect(pricesOfAgents(prices, ['cli'])).toBeUndefined()
})

import { expect, it } from 'vitest'
import { agentPriceList, noPriceText } from '../../../src/commands/session/agent-price-list.ts'
import { manifest } from '../../helpers/runs/run-files.ts'

const table = { name: '@pydantic/genai-prices', version: '0.1.8', date: '2026-09-23' }
const priced = (agent: string, prices: object = {}) =>
  agentPriceList({
    ...manifest,
    ...{ agents: { solver: agent }, agentSets: undefined, methods: [], prices: { table, ...prices } },
    endpoints: { [agent]: 'https://api.anthropic.com' },
  } as typeof manifest)

it('the price of a model is per million tokens, with the table that it is from', async () => {
  expect(await priced('anthropic:claude-sonnet-4-5')).toEqual([
    {
      ...{ agent: 'anthropic:claude-sonnet-4-5', input: 3, output: 15 },
      from: '@pydantic/genai-prices 0.1.8 of 2026-09-23',
    },
  ])
})

it('the price of the user comes first', async () => {
  const file = { prices: { 'anthropic:claude-sonnet-4-5': { input: 2, output: 8 } } }
  expect(await priced('anthropic:claude-sonnet-4-5', { file })).toMatchObject([
    { input: 2, output: 8, from: 'your own prices' },
  ])
})

it('a misspelt model has no price, and the most similar one is named', async () => {
  expect(await priced('anthropic:claude-sonet-4-5')).toEqual([
    {
      ...{ agent: 'anthropic:claude-sonet-4-5', input: null, output: null },
      from: 'no price for claude-sonet-4-5; did you mean claude-sonnet-4-5?',
    },
  ])
  expect(noPriceText('own-model', ['claude-sonnet-4-5'])).toBe('no price for own-model')
  expect(await priced('scripted:a.mjs')).toEqual([])
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices'
import { afterAll, describe, expect, it } from 'vitest'
import { pricedModel } from '../../src/agents/context-window.ts'
import {
  findPrice,
  loadPriceBook,
  priceNames,
  pricesOfAgents,
  priceTable,
} from '../../src/agents/price-book.ts'
import { packageRoot } from '../../src/base/package-root.ts'
import { readPriceFile } from '../../src/commands/agents/price-file.ts'
import type { PriceFile } from '../../src/schema/agent/prices.ts'
import type { Tokens } from '../../src/schema/tokens.ts'
import { UserError } from '../../src/text/errors.ts'
import { tableOf } from '../helpers/house/tables.ts'

const bill = async (
  agent: string,
  tokens: Partial<Tokens>,
  { file, endpoint, reported }: { file?: PriceFile; endpoint?: string; reported?: number } = {},
) => {
  const book = await loadPriceBook(file)
  const whole = { input: 0, output: 0, cached: null, ...tokens }
  return book.bill(pricedModel(agent, undefined, endpoint), whole, reported)
}

/** The same usage in the format of the table and in ours. */
const usages: readonly [Record<string, number>, Tokens][] = tableOf(import.meta.url, 'usages')

function wholePrice(usage: Record<string, number>, model: string, provider: Provider | undefined) {
  try {
    return calcPrice(usage, model, provider && { provider })?.total_price ?? null
  } catch {
    return null
  }
}

describe('a call priced by the table', () => {
  it('names the installed version, so that its date is updated with each new version', () => {
    const path = join(packageRoot(), 'node_modules', priceTable.name, 'package.json')
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    expect(version).toBe(priceTable.version)
    expect(priceTable.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it.each([
    // $3 in, $0.30 read, $3.75 written, $6 for an hour, $15 out; above 200,000 tokens of input twice, 1.5 times out.
    ['anthropic:claude-sonnet-4-5', { input: 1e5, output: 1e5 }, 1.8],
    ['anthropic:claude-sonnet-4-5', { input: 1e5, output: 0, cached: 1e5 }, 0.03],
    ['anthropic:claude-sonnet-4-5', { input: 1e5, output: 0, cacheWrite: 1e5 }, 0.375],
    ['anthropic:claude-sonnet-4-5', { input: 1e5, output: 0, cacheWrite: 1e5, cacheWriteHour: 1e5 }, 0.6],
    ['anthropic:claude-sonnet-4-5', { input: 3e5, output: 1e5 }, 1.8 + 2.25],
    // $1.25 in, $0.125 read, $10 out, of which reasoning is a part.
    ['openai:gpt-5', { input: 1e6, output: 1e6, cached: 4e5, reasoning: 9e5 }, 0.75 + 0.05 + 10],
    ['google:gemini-2.5-pro', { input: 3e5, output: 1e5 }, 0.75 + 1.5],
  ])('of %s with %j costs the list price', async (agent, tokens, usd) => {
    expect((await bill(agent, tokens)).costUsd).toBeCloseTo(usd, 9)
  })

  it.each(['anthropic', 'openai', 'google', 'mistral'])(
    'of models of %s costs what the table’s own arithmetic computes',
    async (vendor) => {
      const provider = findProvider({ providerId: vendor })
      const book = await loadPriceBook()
      // Each lookup takes milliseconds.
      const models = (provider?.models ?? []).filter((_, i) => i % 6 === 0)
      expect(models.length).toBeGreaterThan(1)
      for (const { id } of models)
        for (const [usage, tokens] of usages) {
          const { costUsd } = book.bill({ agent: `x:${id}`, model: id, billedBy: vendor }, tokens)
          const whole = wholePrice(usage, id, provider)
          if (whole === null) expect(costUsd, id).toBeNull()
          else expect(costUsd, id).toBeCloseTo(whole, 11)
        }
    },
  )

  it('has the uncached price as well', async () => {
    const tokens = { input: 1e5, output: 0, cached: 9e4 }
    const { costUsd, listCostUsd } = await bill('anthropic:claude-sonnet-4-5', tokens)
    expect(costUsd).toBeCloseTo(0.03 + 0.027, 9)
    expect(listCostUsd).toBeCloseTo(0.3, 9)
  })

  it.each([
    ['a model that it does not know', 'openai:no-such-model', { input: 1, output: 1 }],
    ['tokens that were not reported', 'openai:gpt-5', { input: 1, output: null }],
    ['counts that contradict each other', 'openai:gpt-5', { input: 1, output: 1, cached: 5 }],
    ['a local model', 'ollama:llama3.1:8b', { input: 1, output: 1 }],
    ['an agent of another kind', 'scripted:x.mjs', { input: 1, output: 1 }],
  ])('is null, never 0, for %s', async (_, agent, tokens) => {
    expect((await bill(agent, tokens)).costUsd).toBeNull()
  })

  it('is priced for a compatible server only by its address', async () => {
    const tokens = { input: 1e6, output: 0 }
    const at = (endpoint: string) => bill('openai-compatible:openai/gpt-5', tokens, { endpoint })
    expect((await at('https://openrouter.ai/api/v1')).costUsd).toBeGreaterThan(0)
    expect((await at('http://127.0.0.1:8000/v1')).costUsd).toBeNull()
  })

  it('costs what the provider reports, if it does', async () => {
    const tokens = { input: 1e6, output: 0 }
    expect(await bill('openai:gpt-5', tokens, { reported: 0.5 })).toEqual({
      costUsd: 0.5,
      listCostUsd: 1.25,
      costSource: 'provider',
    })
  })
})

describe('a price file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prices-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = (text: string) => {
    const path = join(folder, 'prices.yaml')
    writeFileSync(path, text)
    return readPriceFile(path).data
  }
  const whole = `
prices:
  openai:gpt-5:
    input: 1
    output: 10
    cached: 0.1
    cacheWrite: 2
    reasoning: 20
    longContext: { above: 1000, input: 5, output: 50 }
  ollama:llama3.1:8b: { input: 0.01, output: 0.02 }
`

  it.each([
    [{ input: 1000, output: 100 }, 0.002],
    [{ input: 1000, output: 100, reasoning: 100 }, 0.003],
    [{ input: 1000, output: 0, cached: 1000 }, 0.0001],
    [{ input: 1000, output: 0, cacheWrite: 1000, cacheWriteHour: 500 }, 0.002],
    [{ input: 2000, output: 100 }, 0.015],
    [{ input: 2000, output: 100, cached: 2000, reasoning: 100 }, 0.015],
  ])('prices %j instead of the table', async (tokens, usd) => {
    const priced = await bill('openai:gpt-5', tokens, { file: read(whole) })
    expect(priced.costUsd).toBeCloseTo(usd, 12)
    expect(priced.costSource).toBe('file')
  })

  it('adds prices to those of the table', async () => {
    const file = read(whole)
    expect((await bill('ollama:llama3.1:8b', { input: 1e6, output: 1e6 }, { file })).costUsd).toBeCloseTo(
      0.03,
    )
    expect((await bill('google:gemini-2.5-pro', { input: 1e5, output: 0 }, { file })).costSource).toBe(
      'table',
    )
  })

  it('is refused with all its problems together, each with its line', () => {
    const wrong = 'prices:\n  a:b:\n    input: -1\n    outptu: 3\n  c:d: { input: 1, output: x }\n'
    expect(() => read(wrong)).toThrow(UserError)
    try {
      read(wrong)
    } catch (error) {
      const { message } = error as UserError
      expect(message.split('\n')).toHaveLength(4)
      expect(message).toMatch(/:3 .*at least 0/)
      expect(message).toMatch(/:4 .*Did you mean output/)
      expect(message).toMatch(/:5 .*must be a number/)
    }
  })
})

describe('a model that answered', () => {
  const tokens = { input: 1e5, output: 0, cached: 0 }
  const file = { prices: { 'openai:gpt-5': { input: 7, output: 7 }, 'cli:m': { input: 3, output: 3 } } }
  it.each([
    // The same model by a more exact name.
    ['openai:gpt-5', 'gpt-5-2025-08-07', undefined, undefined, 1.25],
    ['anthropic:claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', undefined, undefined, 3],
    ['claude-cli:sonnet', 'claude-sonnet-4-5-20250929', undefined, undefined, 3],
    ['openai:gpt-5', '', undefined, undefined, 1.25],
    // Another model has its own price, or none.
    ['openai:gpt-5-mini', 'gpt-5', undefined, undefined, 1.25],
    ['openai:gpt-5', 'gpt-99', undefined, undefined, null],
    // The user's price is for the model that is asked for, and for what answers where no list has a price.
    ['openai:gpt-5', 'gpt-5-2025-08-07', undefined, file, 7],
    ['openai:gpt-5', 'gpt-5-mini', undefined, file, 0.25],
    ['openai:gpt-5', 'gpt-99', undefined, file, null],
    ['openai:gpt-5', 'gpt-99', 'http://127.0.0.1:9/v1', file, 7],
    ['cli:m', 'dear', undefined, file, 3],
    ['cli:m', 'dear', undefined, undefined, null],
  ] as const)('of %s as "%s" at %s has its own price', async (agent, answered, endpoint, prices, usd) => {
    const book = await loadPriceBook(prices)
    const { costUsd } = book.bill(pricedModel(agent, answered, endpoint), tokens)
    expect(costUsd === null ? null : costUsd * 10).toBe(usd)
  })
})

const price = (input: number) => ({ input, output: 1 })
const prices = {
  'coder=openai:m': price(1),
  coder: price(2),
  'openai:m': price(3),
  'little=ollama:m': price(4),
  tiny: price(5),
  'acp:gemini --acp -m gemini-2.5-pro': price(6),
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
  ['acp:gemini --acp -m gemini-2.5-pro', {}, 6],
  ['acp:gemini --acp', {}, undefined],
  ['constructor', {}, undefined],
])('the price of %s with the labels %j is the one under its most exact name', (agent, labels, input) => {
  expect(findPrice(prices, agent, labels)?.input).toBe(input)
})

it('names of an agent go from the most exact to the least, also with an equals sign in its model', () => {
  expect(priceNames('coder=ollama:a=b')).toEqual(['coder=ollama:a=b', 'coder', 'ollama:a=b'])
  expect(priceNames('ollama:a=b')).toEqual(['ollama:a=b'])
  expect(priceNames('recorded:m@data/2025')).toEqual(['recorded:m@data/2025', 'recorded:m'])
  expect(priceNames('recorded:data/m@2.jsonl')).toEqual(['recorded:data/m@2.jsonl'])
})

it('prices of agents are by their names in records, without those of other agents', () => {
  const labels = { tiny: 'google:m' }
  expect(
    pricesOfAgents(
      { prices, date: '2026-11-01', source: 'a list' },
      ['other=openai:m', 'google:m', 'cli'],
      labels,
    ),
  ).toEqual({
    ...{ date: '2026-11-01', source: 'a list' },
    prices: { 'other=openai:m': price(3), 'google:m': price(5) },
  })
  expect(pricesOfAgents({ prices }, ['cli'])).toBeUndefined()
})

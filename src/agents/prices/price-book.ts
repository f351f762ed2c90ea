import type { Provider } from '@pydantic/genai-prices'
import type { ModelPrices, PriceFile, RunPrices } from '../../schema/agent/prices.ts'
import type { Tokens } from '../../schema/tokens.ts'
import type { AgentReply } from '../agent.ts'

/** The table that this version of the harness brings: list prices as they were on that day. */
export const priceTable: RunPrices['table'] = {
  name: '@pydantic/genai-prices',
  version: '0.1.8',
  date: '2026-09-23',
}

/** What is to be priced. */
export interface PricedModel {
  /** As named after `--agents`: by this the user's prices are found. */
  agent: string
  model: string
  /** Name of the vendor in the table, or else the address by which the table knows who bills. */
  billedBy?: string | undefined
  endpoint?: string | undefined
}

/** What one call cost. */
export type CallBill = Pick<AgentReply, 'costUsd' | 'listCostUsd' | 'costSource'>

/** Prices calls. */
export interface PriceBook {
  /**
   * US dollars for a call: what the provider says that it bills, else the user's price, else the table's; null where
   * nobody knows it. `listCostUsd` is the same call at the price of uncached input.
   */
  bill(priced: PricedModel, tokens: Tokens, reported?: number): CallBill
}

const unknown: CallBill = { costUsd: null }

/** A price book, with a user's prices before the table's; one for each file. The table is loaded by the first who asks. */
export function loadPriceBook(file?: PriceFile): Promise<PriceBook> {
  let book = books.get(file)
  if (!book) {
    book = import('@pydantic/genai-prices').then((table) => createPriceBook(table, file))
    books.set(file, book)
  }
  return book
}

const books = new Map<PriceFile | undefined, Promise<PriceBook>>()

function createPriceBook({ calcPrice, findProvider }: Table, file: PriceFile | undefined): PriceBook {
  const billerOf = ({ agent, model, billedBy, endpoint }: PricedModel) => {
    const own = file?.prices[agent]
    if (own) return providerOf(model, own)
    // Without either the table would guess by the model's name, and a server of one's own sends no bill.
    if (billedBy) return findProvider({ providerId: billedBy })
    return endpoint ? findProvider({ providerApiUrl: endpoint }) : undefined
  }
  const priceOf = (priced: PricedModel, tokens: Tokens) => {
    if (tokens.input === null || tokens.output === null) return null
    const biller = billerOf(priced)
    if (!biller) return null
    try {
      return calcPrice(usageOf(tokens), priced.model, { provider: biller })?.total_price ?? null
    } catch {
      // Counts that contradict each other (more cached than there was) have no price.
      return null
    }
  }
  return {
    bill(priced, tokens, reported) {
      const computed = priceOf(priced, tokens)
      const costUsd = reported ?? computed
      if (costUsd === null) return unknown
      const { input, output, reasoning, cached, cacheWrite } = tokens
      const list =
        cached || cacheWrite
          ? priceOf(priced, { input, output, reasoning, cached: null })
          : // A bill for a call of which nothing was cached is the uncached price.
            (computed ?? (cached === 0 ? costUsd : null))
      const known = file?.prices[priced.agent] ? 'file' : 'table'
      return {
        costUsd: rounded(costUsd),
        ...(list !== null && { listCostUsd: rounded(list) }),
        costSource: reported === undefined ? known : 'provider',
      }
    },
  }
}

type Table = typeof import('@pydantic/genai-prices')

/** Sums of prices in floating point end in digits that say nothing. */
const rounded = (usd: number) => Math.round(usd * 1e12) / 1e12

/** The table's words: its `input_tokens`, like ours, include what was read from a cache and written into one. */
function usageOf({ input, output, cached, cacheWrite, cacheWriteHour, reasoning }: Tokens) {
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    ...(cached && { cache_read_tokens: cached }),
    ...(cacheWrite && { cache_write_tokens: cacheWrite }),
    ...(cacheWriteHour && { cache_write_1h_tokens: cacheWriteHour }),
    ...(reasoning && { output_reasoning_tokens: reasoning }),
  }
}

/** A user's prices as a provider of one model, so that the table's own arithmetic prices it. */
function providerOf(model: string, { longContext, ...base }: ModelPrices): Provider {
  const price = (field: keyof typeof base, otherwise?: keyof typeof base) => {
    const own = base[field] ?? (otherwise && base[otherwise])
    const long = longContext && (longContext[field] ?? (otherwise && longContext[otherwise]))
    if (own === undefined) return undefined
    return long === undefined || !longContext
      ? own
      : { base: own, tiers: [{ start: longContext.above, price: long }] }
  }
  const prices = {
    input_mtok: price('input'),
    output_mtok: price('output'),
    cache_read_mtok: price('cached', 'input'),
    cache_write_mtok: price('cacheWrite', 'input'),
    cache_write_1h_mtok: price('cacheWriteHour', 'cacheWrite') ?? price('input'),
    output_reasoning_mtok: price('reasoning', 'output'),
  }
  return {
    id: 'file',
    name: 'file',
    api_pattern: '^$',
    models: [{ id: model, match: { equals: model }, prices }],
  }
}

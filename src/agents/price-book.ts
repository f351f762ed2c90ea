import type { Provider } from '@pydantic/genai-prices'
import { isOtherModel } from '../schema/agent/other-model.ts'
import type { ModelPrices, PriceFile, RunPrices } from '../schema/agent/prices.ts'
import type { Tokens } from '../schema/tokens.ts'
import { type AgentReply, withoutLabel } from './agent.ts'

/** Agents of the config file by label, with their names in records, which need not contain the label. */
export type AgentLabels = Readonly<Record<string, string>>

/**
 * Returns the names under which the price of an agent may stand, the most exact first. This is the one rule of `bench run`,
 * `--dry-run`, `--confirm-above`, `--estimate-from`, `bench reprice` and `bench doctor --call`:
 *
 * 1. the name with its label, as in records: `coder=openai-compatible:m`;
 * 2. the label: `coder`;
 * 3. the provider and the model: `openai-compatible:m`;
 * 4. of recorded replies the provider and the model: `recorded:m` of `recorded:m@FOLDER`.
 *
 * `labels` adds the labels of agents whose names in records have none.
 */
export function priceNames(agent: string, labels: AgentLabels = {}): string[] {
  const plain = withoutLabel(agent)
  const own =
    plain === agent
      ? Object.keys(labels).filter((label) => labels[label] === agent)
      : [agent.slice(0, -plain.length - 1)]
  const [, recorded] = /^(recorded:[^@/\\]+)@/.exec(plain) ?? []
  return [
    ...own.map((label) => `${label}=${plain}`),
    ...own,
    plain,
    ...(recorded === undefined ? [] : [recorded]),
  ]
}

/** Returns the user's price of an agent: the one under its most exact name. Undefined without a price. */
export function findPrice(
  prices: PriceFile['prices'] | undefined,
  agent: string,
  labels?: AgentLabels,
): ModelPrices | undefined {
  const name = priceNames(agent, labels).find((one) => prices && Object.hasOwn(prices, one))
  return name === undefined ? undefined : prices?.[name]
}

/** Returns the user's prices by the names of these agents in records, with their day and source; undefined if none of them has one. */
export function pricesOfAgents(
  { prices, ...origin }: PriceFile = { prices: {} },
  agents: Iterable<string>,
  labels?: AgentLabels,
): PriceFile | undefined {
  const found = [...new Set(agents)].flatMap((agent) => {
    const price = findPrice(prices, agent, labels)
    return price ? [[agent, price] as const] : []
  })
  return found.length > 0 ? { ...origin, prices: Object.fromEntries(found) } : undefined
}

/** The price table of this version of bench: list prices of that date. */
export const priceTable: NonNullable<RunPrices['table']> = {
  name: '@pydantic/genai-prices',
  version: '0.1.8',
  date: '2026-09-23',
}

/** The model of a call that is to be priced. */
export interface PricedModel {
  /** The name after `--agents`, which finds the user's prices. */
  agent: string
  model: string
  /** The model that answered, as the reply names it; absent if it names none. */
  answered?: string | undefined
  /** Name of the vendor in the table, for its own server; without one, the table looks for `endpoint`. */
  billedBy?: string | undefined
  endpoint?: string | undefined
}

/** The cost of one call. */
export type CallBill = Pick<AgentReply, 'costUsd' | 'listCostUsd' | 'costSource'>

interface PriceBook {
  /**
   * Returns the cost of a call in US dollars: the cost that the provider reports, else by the user's prices, else by the
   * table; null if unknown. `listCostUsd` is the cost of the same call with uncached input.
   *
   * A price is that of the model that answered. The user's price is for the model that is asked for, and for whatever answers on a
   * server without list prices. On a vendor's own server, another model has its list price or none.
   */
  bill(priced: PricedModel, tokens: Tokens, reported?: number): CallBill
  /** Returns the models that have a price where this one is billed; none for a server that the table does not know. */
  models(priced: PricedModel): string[]
}

const unknown: CallBill = { costUsd: null }

/** Returns the price book for a user's price file, which takes precedence over the table. The first call loads the table. */
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
  const vendorOf = ({ billedBy, endpoint }: PricedModel) => {
    // Without either, the table would guess by the model's name, but a self-hosted server bills nothing.
    if (billedBy) return findProvider({ providerId: billedBy })
    return endpoint ? findProvider({ providerApiUrl: endpoint }) : undefined
  }
  /** Returns who bills a call, and the names of its model, of which the first one with a price counts. */
  const billingOf = (priced: PricedModel) => {
    const { agent, model, answered = '' } = priced
    const own = findPrice(file?.prices, agent)
    const vendor = vendorOf(priced)
    const isOther = isOtherModel(model, answered)
    if (own && !(vendor && isOther)) return { biller: providerOf(model, own), names: [model], isOwn: true }
    return { biller: vendor, names: isOther ? [answered] : [answered, model].filter(Boolean), isOwn: false }
  }
  const priceOf = (priced: PricedModel, tokens: Tokens) => {
    if (tokens.input === null || tokens.output === null) return null
    const { biller, names } = billingOf(priced)
    if (!biller) return null
    try {
      const usage = usageOf(tokens)
      const found = names.map((name) => calcPrice(usage, name, { provider: biller })).find(Boolean)
      return found?.total_price ?? null
    } catch {
      // Contradictory counts, such as more cached tokens than input tokens, have no price.
      return null
    }
  }
  return {
    models: (priced) => billingOf(priced).biller?.models.map(({ id }) => id) ?? [],
    bill(priced, tokens, reported) {
      const computed = priceOf(priced, tokens)
      const costUsd = reported ?? computed
      if (costUsd === null) return unknown
      const { input, output, reasoning, cached, cacheWrite } = tokens
      const list =
        cached || cacheWrite
          ? priceOf(priced, { input, output, reasoning, cached: null })
          : // If nothing was cached, the reported cost is the uncached cost.
            (computed ?? (cached === 0 ? costUsd : null))
      const known = billingOf(priced).isOwn ? 'file' : 'table'
      return {
        costUsd: rounded(costUsd),
        ...(list !== null && { listCostUsd: rounded(list) }),
        costSource: reported === undefined ? known : 'provider',
      }
    },
  }
}

/** Adds the bills of several requests; a part is unknown if it is for one of them. */
export function addBills(bills: readonly CallBill[]): CallBill {
  const sum = (costs: readonly (number | null | undefined)[]) =>
    costs.reduce<number | null>((total, one) => (total === null || one == null ? null : total + one), 0)
  const [costUsd, list] = [sum(bills.map((one) => one.costUsd)), sum(bills.map((one) => one.listCostUsd))]
  if (costUsd === null) return unknown
  const isOwn = bills.every(({ costSource }) => costSource === 'file')
  return {
    costUsd: rounded(costUsd),
    ...(list !== null && { listCostUsd: rounded(list) }),
    costSource: isOwn ? 'file' : 'table',
  }
}

type Table = typeof import('@pydantic/genai-prices')

const rounded = (usd: number) => Math.round(usd * 1e12) / 1e12

/** Returns tokens as the table takes them. Its `input_tokens`, like ours, include cache reads and writes. */
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

/** Returns a user's prices as a provider of one model, so that the table's own arithmetic applies. */
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

import type { Tokens } from '../../schema/tokens.ts'
import type { AgentReply, RequestUse } from '../agent.ts'
import { addBills, type CallBill } from '../price-book.ts'
import { type Json, objectAt, tryParseJson } from '../wire/json.ts'
import { tokensFromUsage, unreportedTokens } from '../wire/read-usage.ts'
import type { End, Exchange } from './exchange.ts'
import { modelExchanges } from './request-failure.ts'

/** Output that is expected of a request that allows any, and the most that is; tokens. No model writes more in one reply. */
const usualOutput = 4_096
const mostOutput = 128_000

const mostChoices = 128

const bytesPerToken = 4

/** The most output, and the number of choices, as the vendors call them; servers read both spellings, with `_` or without. */
const limitNames = ['maxtokens', 'maxcompletiontokens', 'maxoutputtokens']
const choiceNames = ['n', 'bestof', 'candidatecount']

/** Returns what a request may use, by its size and the most output that it allows. */
export function expectedTokens(body: Buffer): Tokens {
  const request = objectAt(tryParseJson(body.toString('utf8')))
  const places = [request, objectAt(request, 'generationConfig'), objectAt(request, 'generation_config')]
  const output = greatest(places, limitNames) ?? usualOutput
  const choices = greatest(places, choiceNames) ?? 1
  return {
    input: Math.ceil(body.length / bytesPerToken),
    output: Math.min(mostOutput, Math.ceil(output)) * Math.min(mostChoices, Math.max(1, Math.floor(choices))),
    cached: null,
  }
}

/** Returns the greatest number above 0 in fields with these names; a server may read a number from a text, too. */
function greatest(places: readonly Json[], names: readonly string[]): number | undefined {
  const values = places.flatMap((place) =>
    Object.entries(place).flatMap(([field, value]) =>
      names.includes(field.replaceAll('_', '').toLowerCase()) && ['number', 'string'].includes(typeof value)
        ? Number(value)
        : [],
    ),
  )
  const known = values.filter((value) => Number.isFinite(value) && value > 0)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Prices the tokens of one reply, by the model that answered, or that is asked for. */
export type PriceReply = (tokens: Tokens, answered?: string) => CallBill

interface RequestBill {
  /** The model that answered; empty if the reply names none. */
  model: string
  tokens: Tokens
  bill: CallBill
  /** What limits count: as reported, or else as expected. */
  counted: RequestUse
  /** A part of `counted` is no report. */
  isEstimated: boolean
}

/**
 * Returns the bill of a request, open ones included; undefined if nothing was generated. Where tokens are not reported, limits count those
 * expected of the request, and more output if more text has passed; where the model that answered has no price, they count that of the model asked for.
 */
export function billOf(
  { end, isModelPath, expected, passed }: Exchange,
  price: PriceReply,
): RequestBill | undefined {
  const isUnknown = end.kind === 'not-model' && isModelPath
  if (!isGenerated(end) && !isUnknown) return undefined
  const tokens = countOf(end)
  const model = end.kind === 'read' ? end.reply.model : ''
  const bill = price(tokens, model)
  const { input, output } = tokens
  const least = Math.max(expected.output ?? 0, Math.ceil(passed / bytesPerToken))
  const whole = { ...tokens, input: input ?? expected.input, output: output ?? least }
  const costUsd = bill.costUsd ?? price(whole, model).costUsd ?? price(whole).costUsd
  const isEstimated = input === null || output === null || (bill.costUsd === null && costUsd !== null)
  const counted = { tokens: (whole.input ?? 0) + (whole.output ?? 0), costUsd }
  return { model, tokens, bill, counted, isEstimated }
}

/** The bill of a call: the sum over its requests, by model where several answered, and what limits count if a part is estimated. */
export type RequestsBill = Pick<
  AgentReply,
  'model' | 'models' | 'estimated' | 'costUsd' | 'listCostUsd' | 'costSource'
>

/** Adds the bills of all requests of a call. Each has its own price: one may be above the size from which a model costs more. */
export function sumBills(exchanges: readonly Exchange[], price: PriceReply): RequestsBill {
  const bills = exchanges.flatMap((one) => billOf(one, price) ?? [])
  const estimated = bills.filter(({ isEstimated }) => isEstimated)
  return {
    ...addBills(bills.map(({ bill }) => bill)),
    ...modelsOf(bills),
    ...(estimated.length > 0 && {
      estimated: {
        requests: estimated.length,
        tokens: bills.reduce((sum, { counted }) => sum + counted.tokens, 0),
        costUsd: addBills(bills.map(({ counted }) => counted)).costUsd,
      },
    }),
  }
}

/** Names of models beyond these are counted as one without a name: a server may name another one in each reply. */
const mostModels = 20

function modelsOf(bills: readonly RequestBill[]): Pick<AgentReply, 'model' | 'models'> {
  const groups = new Map<string, RequestBill[]>()
  for (const one of bills) {
    const name = groups.has(one.model) || groups.size < mostModels ? one.model : ''
    const known = groups.get(name)
    if (known) known.push(one)
    else groups.set(name, [one])
  }
  const names = [...groups.keys()].filter(Boolean)
  if (names.length < 2) return names[0] === undefined ? {} : { model: names[0] }
  return {
    models: [...groups].map(([model, own]) => ({
      ...(model && { model }),
      requests: own.length,
      tokens: own.map(({ tokens }) => tokens).reduce(plus),
      costUsd: addBills(own.map(({ bill }) => bill)).costUsd,
    })),
  }
}

const noTokens: Tokens = { input: 0, output: 0, cached: 0 }

/**
 * Returns the provider's counts over all requests. Null if a reply broke off, since its tokens were generated but not reported. A refused
 * request counts as 0. Undefined if there was no model's reply in a known format, so that only the program can tell.
 */
export function tokensOf(exchanges: readonly Exchange[]): Tokens | undefined {
  const generated = exchanges.map(({ end }) => end).filter(isGenerated)
  if (generated.length === 0) return wereRefused(exchanges) ? noTokens : undefined
  return generated.map(countOf).reduce(plus)
}

/** Whether there were requests and all were refused before a byte of a reply, so that no tokens were generated. */
export function wereRefused(exchanges: readonly Exchange[]): boolean {
  if (exchanges.some(({ end }) => isGenerated(end))) return false
  const asked = modelExchanges(exchanges)
  return asked.length > 0 && asked.every(({ end }) => end.kind === 'refused' || end.kind === 'unreached')
}

const isGenerated = ({ kind }: End) => kind === 'none' || kind === 'read' || kind === 'broken'

function countOf(end: End): Tokens {
  if (end.kind !== 'read' || !end.reply.ended || end.reply.failed) return unreportedTokens
  return tokensFromUsage(end.reply.usage) ?? unreportedTokens
}

/** Adds the counts of two replies. A part that one of them does not tell is not told for both. */
function plus(a: Tokens, b: Tokens): Tokens {
  const both = (x: number | null, y: number | null) => (x === null || y === null ? null : x + y)
  const parts = (['cacheWrite', 'cacheWriteHour', 'reasoning'] as const).flatMap((part) => {
    const [x, y] = [a[part], b[part]]
    return x === undefined || y === undefined ? [] : [[part, x + y] as const]
  })
  return {
    input: both(a.input, b.input),
    output: both(a.output, b.output),
    cached: both(a.cached, b.cached),
    ...Object.fromEntries(parts),
  }
}

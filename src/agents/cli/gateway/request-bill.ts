import type { Tokens } from '../../../schema/tokens.ts'
import type { AgentReply, RequestUse } from '../../agent.ts'
import { addBills, type CallBill } from '../../price-book.ts'
import type { Exchange } from './exchange.ts'
import { bytesPerToken } from './expected-use.ts'
import { countOf, isGenerated, plus } from './sum-tokens.ts'

/** Prices the tokens of one reply, by the model that answered, or that is asked for. */
export type PriceReply = (tokens: Tokens, answered?: string) => CallBill

/** What one request used. */
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

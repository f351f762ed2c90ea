import { addBills, type CallBill, findPrice, loadPriceBook } from '../../agents/price-book.ts'
import { pricedModel } from '../../agents/priced-model.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { hasPrices } from './known-bill.ts'

/** A recorded call that is billed anew. */
interface CallToBill {
  step: AskStep
  /** The agent that makes the call now, and the address that it calls. */
  agent: string
  endpoint: string | undefined
}

/**
 * Returns a function that bills recorded calls at present prices: by the user's prices, which are by names in records, else as the
 * provider reported for the same agent, else by the table of list prices. A call without tokens, such as a refused one, costs 0.
 */
export async function presentBills(prices: PriceFile | undefined): Promise<(call: CallToBill) => CallBill> {
  const book = await loadPriceBook(prices)
  return ({ step, agent, endpoint }) => {
    const { tokens, costUsd, costSource, model } = step
    const isSame = agent === step.agent
    if (tokens.input === 0 && tokens.output === 0) return { costUsd: 0 }
    // Agents without prices tell their cost themselves.
    if (isSame && !hasPrices(agent)) return { costUsd }
    const isReported = isSame && costSource === 'provider' && !findPrice(prices?.prices, agent)
    const reported = isReported && costUsd !== null ? costUsd : undefined
    const bill = (of: Tokens, answered: string | undefined, told?: number) =>
      book.bill(pricedModel(agent, isSame ? answered : undefined, endpoint), of, told)
    if (!isSame || reported !== undefined || !step.models) return bill(tokens, model, reported)
    return addBills(step.models.map((one) => bill(one.tokens, one.model)))
  }
}

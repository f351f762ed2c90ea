import { addBills, type CallBill, loadPriceBook } from '../agents/price-book.ts'
import type { PriceFile } from '../schema/agent/prices.ts'
import type { ImportedFacts } from '../schema/run/imported.ts'
import type { Tokens } from '../schema/tokens.ts'
import type { ForeignTrial } from './foreign-trial.ts'
import type { PlacedTrial } from './place-trials.ts'

/** How harnesses write the vendors whose list prices hold for their own servers, and their names in the price table. */
const vendors: Readonly<Record<string, string>> = {
  ...{ openai: 'openai', anthropic: 'anthropic', google: 'google', gemini: 'google', vertex: 'google' },
  ...{
    vertex_ai: 'google',
    openrouter: 'openrouter',
    mistral: 'mistral',
    groq: 'groq',
    deepseek: 'deepseek',
  },
  ...{ together: 'together', together_ai: 'together', fireworks: 'fireworks', fireworks_ai: 'fireworks' },
  ...{ 'x-ai': 'x-ai', xai: 'x-ai', grok: 'x-ai', azure: 'azure', bedrock: 'aws', cohere: 'cohere' },
}

/**
 * Loads prices, those of the user first, and returns a function that prices a trial whose source states no cost, from its tokens. A model is priced
 * by the list of the vendor that its name begins with, such as `openai/` or `openai:`; the price of a model without a vendor is not guessed.
 */
export async function loadPricer(
  file: PriceFile | undefined,
): Promise<(trial: ForeignTrial) => ForeignTrial> {
  const book = await loadPriceBook(file)
  const billOf = (model: string, tokens: Tokens, endpoint: string | undefined) => {
    const [, vendor = '', name = ''] =
      /^([^/:]+)[/:](?:(?:chat|responses|messages|completion):)?(.+)$/.exec(model) ?? []
    const billedBy = endpoint === undefined && Object.hasOwn(vendors, vendor) ? vendors[vendor] : undefined
    return book.bill({ agent: model, model: name || model, billedBy, endpoint }, tokens)
  }
  return (trial) => {
    const { model, tokens, calls, server, uses = [{ model, tokens }] } = trial
    if (trial.costUsd !== null || trial.state === 'not run') return trial
    const bills: CallBill[] = []
    for (const use of uses) {
      if (use.model === null) return { ...trial, priced: { why: 'the source names no model' } }
      if (use.tokens.input === null || use.tokens.output === null)
        return { ...trial, priced: { why: `the tokens of ${use.model} are unknown` } }
      const bill = billOf(use.model, use.tokens, server)
      if (bill.costUsd === null) return { ...trial, priced: { why: `${use.model} has no price` } }
      if (calls !== 1 && !isEven(bill, billOf(use.model, part(use.tokens), server)))
        return {
          ...trial,
          priced: { why: `the price of ${use.model} depends on the length of each call, which is unknown` },
        }
      bills.push(bill)
    }
    const [only] = bills
    return { ...trial, priced: only && bills.length === 1 ? only : addBills(bills) }
  }
}

const parts = 1000

const part = ({ input, output, cached, cacheWrite }: Tokens): Tokens => ({
  ...{ input: Number(input) / parts, output: Number(output) / parts },
  cached: cached === null ? null : cached / parts,
  ...(cacheWrite !== undefined && { cacheWrite: cacheWrite / parts }),
})

/** Whether a thousandth of the tokens costs a thousandth: then it does not matter in how many calls they were used. */
const isEven = ({ costUsd: whole }: CallBill, { costUsd: piece }: CallBill): boolean =>
  piece !== null && Math.abs(Number(whole) - parts * piece) <= 1e-6 * Number(whole)

/** Counts the trials that were to be priced: those that were, by row, and the reasons of others. */
export function countPriced(trials: readonly PlacedTrial[]): Pick<ImportedFacts, 'priced'> {
  const rows = new Map<string, number>()
  const whys = new Map<string, number>()
  for (const { row, trial } of trials)
    if (trial.priced && 'why' in trial.priced)
      whys.set(trial.priced.why, (whys.get(trial.priced.why) ?? 0) + 1)
    else if (trial.priced) rows.set(row, (rows.get(row) ?? 0) + 1)
  if (rows.size + whys.size === 0) return {}
  const unpriced = [...whys].map(([why, trials]) => ({ why, trials }))
  return {
    priced: {
      rows: [...rows].map(([row, trials]) => ({ row, trials })),
      unpriced: unpriced.toSorted((a, b) => b.trials - a.trials),
    },
  }
}

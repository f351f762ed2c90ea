import { findPrice, priceTable } from '../agents/price-book.ts'
import { listCostOf } from '../loop/budget/spending.ts'
import { ledgersOf } from '../loop/join/blocks.ts'
import { allSteps } from '../loop/journal/ledger-index.ts'
import { readRecords } from '../loop/record/records.ts'
import { verifyLedger } from '../loop/record/verify-ledger.ts'
import { counted, formatSigned, formatUsd, unknown } from '../reports/words/numbers.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { rowName } from '../schema/agent/agent-set.ts'
import type { AskStep } from '../schema/ledger/step.ts'
import { presentPrices } from './agents/agent-prices.ts'
import { presentBills } from './agents/known-bill.ts'
import { findConfig, readConfig } from './config/config-file.ts'
import { openOwnRun } from './open/open-run.ts'

interface ThenAndNow {
  /** US dollars as billed, over the calls whose price was known then; null if there were none. */
  billedUsd: number | null
  /** US dollars at present prices, over the calls that have one; null if there are none. */
  presentUsd: number | null
  /** Number of calls that are in both sums. */
  compared: number
  /** Relative change of the cost of those calls; null if nothing was billed for them. */
  change: number | null
  /** Number of calls without a price now, and without a price then. */
  unknownNow: number
  unknownThen: number
}

interface Repriced extends ThenAndNow {
  method: string
  calls: number
  /** The same without caching: the basis for comparing methods. */
  list: ThenAndNow
}

/** `bench reprice RUN`: compares the billed cost of a run with its cost at present prices, also without caching. Changes nothing. */
export default async function reprice(
  run: string,
  options: { prices?: string; config?: string | false; json?: boolean },
): Promise<number> {
  const { folder, manifest } = openOwnRun(run, 'priced from a ledger')
  verifyLedger(folder)
  const paid = () => paidCalls(folder)
  const agents = new Set([...paid()].map(({ agent }) => agent))
  const found = options.config ?? findConfig()
  const config = found ? readConfig(found) : undefined
  const own = await presentPrices({ path: options.prices, config }, [...agents], manifest)
  const bill = await presentBills(own.prices)
  const methodOf = new Map<string, string>()
  for (const ledger of ledgersOf(folder))
    for (const { trial, method, agentSet } of readRecords(ledger))
      methodOf.set(trial, rowName(method, agentSet))
  const rows = new Map<string, { calls: number; billed: Sums; list: Sums }>()
  for (const step of paid()) {
    const method = methodOf.get(step.trial) ?? '(trials without an end)'
    const row = rows.get(method) ?? { calls: 0, billed: emptySums(), list: emptySums() }
    rows.set(method, row)
    const { agent } = step
    const present = bill({ step, agent, endpoint: manifest.endpoints?.[agent] })
    row.calls++
    add(row.billed, step.costUsd, present.costUsd)
    add(row.list, listCostOf(step), listCostOf(present))
  }
  const before = manifest.prices?.file?.prices
  const result: Result = {
    billedBy: manifest.prices?.table ?? null,
    billedByFile: before ? [...agents].filter((agent) => findPrice(before, agent)) : null,
    pricedBy: priceTable,
    pricedByFile: options.prices === undefined ? null : own.byFile,
    pricedByConfig: config ? own.byConfig : null,
    methods: [...rows].map(([method, { calls, billed, list }]) => ({
      ...{ method, calls, ...thenAndNow(billed, calls) },
      list: thenAndNow(list, calls),
    })),
  }
  process.stdout.write(
    options.json
      ? `${JSON.stringify(result, null, 2)}\n`
      : text(result, folder, { prices: options.prices, config: config?.file }),
  )
  return 0
}

/** Number of calls with a price, and their sum in US dollars. */
interface Priced {
  calls: number
  usd: number
}

type Sums = Record<'billed' | 'present' | 'billedOfBoth' | 'presentOfBoth', Priced>

const emptySums = (): Sums => ({
  billed: { calls: 0, usd: 0 },
  present: { calls: 0, usd: 0 },
  billedOfBoth: { calls: 0, usd: 0 },
  presentOfBoth: { calls: 0, usd: 0 },
})

function* paidCalls(folder: string): Generator<AskStep> {
  for (const ledger of ledgersOf(folder))
    for (const step of allSteps(ledger)) if (step.kind === 'ask' && !step.simulated) yield step
}

function add(sums: Sums, billed: number | null, present: number | null): void {
  const prices = {
    ...{ billed, present },
    billedOfBoth: present === null ? null : billed,
    presentOfBoth: billed === null ? null : present,
  }
  for (const [name, usd] of Object.entries(prices) as [keyof Sums, number | null][]) {
    if (usd === null) continue
    sums[name].calls++
    sums[name].usd += usd
  }
}

function thenAndNow({ billed, present, billedOfBoth, presentOfBoth }: Sums, calls: number): ThenAndNow {
  return {
    billedUsd: billed.calls > 0 ? billed.usd : null,
    presentUsd: present.calls > 0 ? present.usd : null,
    compared: billedOfBoth.calls,
    change: billedOfBoth.usd > 0 ? presentOfBoth.usd / billedOfBoth.usd - 1 : null,
    unknownNow: calls - present.calls,
    unknownThen: calls - billed.calls,
  }
}

interface Result {
  /** The price table by which the run was billed; null if none. */
  billedBy: typeof priceTable | null
  /** Agents of the run that were billed by the user's own prices instead; null if the run had no such prices. */
  billedByFile: string[] | null
  pricedBy: typeof priceTable
  /** Agents of the run whose price is that of the file of `--prices`; null without the option. */
  pricedByFile: string[] | null
  /** Agents of the run whose price is that of the config file; null without such a file. */
  pricedByConfig: string[] | null
  methods: Repriced[]
}

function text(
  { billedBy, billedByFile, pricedBy, pricedByFile, pricedByConfig, methods }: Result,
  folder: string,
  files: { prices: string | undefined; config: string | undefined },
): string {
  if (methods.length === 0)
    return `${folder} asked no model; simulated calls keep the price of their profile.\n`
  const table = ({ name, version, date }: typeof priceTable) => `${name} ${version} of ${date}`
  const own = (file: string, agents: string[] | null) =>
    agents ? `${file} (${agents.join(', ') || 'which has no agent of this run'}), else ` : ''
  const then = `${own("the run's own prices", billedByFile)}${billedBy ? table(billedBy) : 'no table'}`
  const ofConfig = pricedByConfig?.length ? pricedByConfig : null
  const now = `${own(files.prices ?? '', pricedByFile)}${own(files.config ?? '', ofConfig)}${table(pricedBy)}`
  const lines = methods.flatMap((row) => [
    `  ${row.method}: ${counted(row.calls, 'call')}, ${sumsText('billed', row)}`,
    `    ${sumsText('with nothing cached', row.list)}`,
  ])
  return `${safeLine(`Billed by ${then}; now ${now}`)}\n${lines.join('\n')}\n`
}

function sumsText(
  what: string,
  { billedUsd, presentUsd, compared, change, unknownNow, unknownThen }: ThenAndNow,
): string {
  const usd = (sum: number | null) => (sum === null ? unknown : formatUsd(sum))
  const gaps = [
    unknownThen > 0 ? `${counted(unknownThen, 'call')} had no price` : '',
    unknownNow > 0 ? `${counted(unknownNow, 'call')} ${unknownNow === 1 ? 'has' : 'have'} none now` : '',
  ].filter((gap) => gap !== '')
  const of = gaps.length > 0 ? ` over ${counted(compared, 'call')} with both` : ''
  const percent = change === null ? '' : `, ${formatSigned(change * 100)}%${of}`
  return `${what} ${usd(billedUsd)}, now ${usd(presentUsd)}${percent}${gaps.length > 0 ? ` (${gaps.join(', ')})` : ''}`
}

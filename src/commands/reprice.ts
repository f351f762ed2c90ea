import { withoutLabel } from '../agents/agent.ts'
import { type AgentLabels, findPrice, pricesOfAgents } from '../agents/find-price.ts'
import { priceTable } from '../agents/price-book.ts'
import { listCostOf } from '../loop/budget/spending.ts'
import { allSteps } from '../loop/journal/ledger-index.ts'
import { readRecords } from '../loop/record/records.ts'
import { verifyLedger } from '../loop/record/verify-ledger.ts'
import { counted, formatSigned, formatUsd, unknown } from '../reports/words/numbers.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { rowName } from '../schema/agent/agent-set.ts'
import type { PriceFile } from '../schema/agent/prices.ts'
import type { AskStep } from '../schema/ledger/step.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { UserError } from '../text/errors.ts'
import { knownBill } from './agents/known-bill.ts'
import { presentBills } from './agents/present-bill.ts'
import { priceFileProblems, userPrices } from './agents/price-file.ts'
import { openRun } from './open/open-run.ts'

/** The cost of the same calls at the billed and at the present prices. */
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

/** The cost of all calls of a method, including those of voided steps. */
interface Repriced extends ThenAndNow {
  method: string
  calls: number
  /** The same without caching: the basis for comparing methods. */
  list: ThenAndNow
}

/** `bench reprice RUN`: compares the billed cost of a run with its cost at present prices, also without caching. Changes nothing. */
export default async function reprice(
  run: string,
  options: { prices?: string; json?: boolean },
): Promise<number> {
  const { folder, manifest } = openRun(run)
  verifyLedger(folder)
  const paid = () => paidCalls(folder)
  const agents = new Set([...paid()].map(({ agent }) => agent))
  const own = await ownPrices(options.prices, [...agents], manifest)
  const bill = await presentBills(own)
  const methodOf = new Map<string, string>()
  for (const { trial, method, agentSet } of readRecords(folder))
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
  const pricedOf = (file: PriceFile | undefined) =>
    file ? [...agents].filter((agent) => findPrice(file.prices, agent)) : null
  const result: Result = {
    billedBy: manifest.prices?.table ?? null,
    billedByFile: pricedOf(manifest.prices?.file),
    pricedBy: priceTable,
    pricedByFile: pricedOf(own),
    methods: [...rows].map(([method, { calls, billed, list }]) => ({
      ...{ method, calls, ...thenAndNow(billed, calls) },
      list: thenAndNow(list, calls),
    })),
  }
  process.stdout.write(
    options.json ? `${JSON.stringify(result, null, 2)}\n` : text(result, folder, options.prices),
  )
  return 0
}

/** Number of calls with a price, and their sum in US dollars. */
interface Priced {
  calls: number
  usd: number
}

/** Sums over the calls with a price then, with a price now, and with both. */
type Sums = Record<'billed' | 'present' | 'billedOfBoth' | 'presentOfBoth', Priced>

const emptySums = (): Sums => ({
  billed: { calls: 0, usd: 0 },
  present: { calls: 0, usd: 0 },
  billedOfBoth: { calls: 0, usd: 0 },
  presentOfBoth: { calls: 0, usd: 0 },
})

/** Yields the calls of a run that are not simulated. */
function* paidCalls(folder: string): Generator<AskStep> {
  for (const step of allSteps(folder)) if (step.kind === 'ask' && !step.simulated) yield step
}

/** Returns the user's prices of the agents of a run, by their names in records. Throws `UserError` if the file does not fit the run. */
async function ownPrices(
  path: string | undefined,
  agents: readonly string[],
  { endpoints, prices, agentSettings }: RunManifest,
): Promise<PriceFile | undefined> {
  if (path === undefined || agents.length === 0) return undefined
  const labels: AgentLabels = prices?.labels ?? {}
  const own = pricesOfAgents(userPrices(path)?.prices, agents, labels)
  const bills = await Promise.all(
    agents.map((name) => knownBill({ name, endpoint: endpoints?.[name] }, own, agentSettings?.[name])),
  )
  const unpriced = bills.flatMap(({ agent, isPriced }) => (isPriced ? [] : [agent]))
  const problems = priceFileProblems(path, { agents, labels: { ...labelsIn(agents), ...labels }, unpriced })
  if (problems.length > 0) throw new UserError(problems)
  return own
}

/** Returns the labels in names of agents, with those names. */
function labelsIn(agents: readonly string[]): AgentLabels {
  const labelled = agents.filter((name) => withoutLabel(name) !== name)
  return Object.fromEntries(labelled.map((name) => [name.slice(0, -withoutLabel(name).length - 1), name]))
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
  /** Agents of the run that have a price in the file of `--prices`; null without the option. */
  pricedByFile: string[] | null
  methods: Repriced[]
}

function text(
  { billedBy, billedByFile, pricedBy, pricedByFile, methods }: Result,
  folder: string,
  path: string | undefined,
): string {
  if (methods.length === 0)
    return `${folder} asked no model; simulated calls keep the price of their profile.\n`
  const table = ({ name, version, date }: typeof priceTable) => `${name} ${version} of ${date}`
  const own = (file: string, agents: string[] | null) =>
    agents ? `${file} (${agents.join(', ') || 'which has no agent of this run'}), else ` : ''
  const then = `${own("the run's own prices", billedByFile)}${billedBy ? table(billedBy) : 'no table'}`
  const now = `${own(path ?? '', pricedByFile)}${table(pricedBy)}`
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

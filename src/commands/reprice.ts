import { type CallBill, loadPriceBook, type PriceBook, priceTable } from '../agents/prices/price-book.ts'
import { pricedModel } from '../agents/prices/priced-model.ts'
import { checkLedger } from '../loop/check-ledger.ts'
import { allSteps } from '../loop/journal-index.ts'
import { readRecords } from '../loop/records.ts'
import { readManifest } from '../loop/run-folder.ts'
import { listCostOf } from '../loop/spending.ts'
import { counted, formatSigned, formatUsd, unknown } from '../reports/numbers.ts'
import { rowName } from '../schema/agent-set.ts'
import type { RunManifest } from '../schema/run.ts'
import type { AskStep } from '../schema/step.ts'
import { pricesOf } from './live-part.ts'
import { findRunFolder } from './reopen.ts'

/** The same calls at two prices. */
interface ThenAndNow {
  /** US dollars as billed, and by the present prices; over the calls whose price is known both times. */
  billedUsd: number
  presentUsd: number
  /** Calls that are in both sums. */
  compared: number
  /** Calls without a price now, and without one then. */
  unknownNow: number
  unknownThen: number
}

/** What a method's calls cost: all that were made, those of voided steps included. */
interface Repriced extends ThenAndNow {
  method: string
  calls: number
  /** The same as if nothing had been cached: what methods are compared by. */
  list: ThenAndNow
}

/** `bench reprice RUN`: the calls of a run at present prices, as billed and with nothing cached, beside what it says. Reads only. */
export default async function reprice(
  run: string,
  options: { prices?: string; json?: boolean },
): Promise<number> {
  const book = await loadPriceBook(pricesOf(options.prices))
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  checkLedger(folder)
  const methodOf = new Map<string, string>()
  for (const { trial, method, agentSet } of readRecords(folder))
    methodOf.set(trial, rowName(method, agentSet))
  const rows = new Map<string, Repriced>()
  for (const step of allSteps(folder)) {
    if (step.kind !== 'ask' || step.simulated) continue
    const method = methodOf.get(step.trial) ?? '(trials without an end)'
    const row = rows.get(method) ?? emptyRow(method)
    rows.set(method, row)
    const present = presentBill(step, manifest, book)
    row.calls++
    add(row, step.costUsd, present.costUsd)
    add(row.list, listCostOf(step), listCostOf(present))
  }
  const result: Result = {
    billedBy: manifest.prices?.table ?? null,
    pricedBy: priceTable,
    methods: [...rows.values()],
  }
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : text(result, folder))
  return 0
}

const nothingYet = { billedUsd: 0, presentUsd: 0, compared: 0, unknownNow: 0, unknownThen: 0 }

const emptyRow = (method: string): Repriced => ({ method, calls: 0, ...nothingYet, list: { ...nothingYet } })

/** What a provider itself said that it bills stays: no table knows better. */
function presentBill(step: AskStep, { endpoints }: RunManifest, book: PriceBook): CallBill {
  const { agent, model, tokens, costSource, costUsd } = step
  const billed = costSource === 'provider' && costUsd !== null ? costUsd : undefined
  return book.bill(pricedModel(agent, model, endpoints?.[agent]), tokens, billed)
}

function add(row: ThenAndNow, then: number | null, now: number | null): void {
  if (then === null) row.unknownThen++
  if (now === null) row.unknownNow++
  if (then === null || now === null) return
  row.compared++
  row.billedUsd += then
  row.presentUsd += now
}

interface Result {
  /** The table by which the run was billed; null: none. */
  billedBy: typeof priceTable | null
  pricedBy: typeof priceTable
  methods: Repriced[]
}

function text({ billedBy, pricedBy, methods }: Result, folder: string): string {
  if (methods.length === 0)
    return `${folder} asked no model: simulated calls have no price but the profile's.\n`
  const table = ({ name, version, date }: typeof priceTable) => `${name} ${version} of ${date}`
  const lines = methods.flatMap((row) => [
    `  ${row.method}: ${counted(row.calls, 'call')}, ${sumsText('billed', row)}`,
    `    ${sumsText('with nothing cached', row.list)}`,
  ])
  return `Billed by ${billedBy ? table(billedBy) : 'no table'}; now ${table(pricedBy)}\n${lines.join('\n')}\n`
}

function sumsText(
  what: string,
  { billedUsd, presentUsd, compared, unknownNow, unknownThen }: ThenAndNow,
): string {
  const sums =
    compared === 0
      ? unknown
      : `${formatUsd(billedUsd)}, now ${formatUsd(presentUsd)}${difference(billedUsd, presentUsd)}`
  const gaps = [
    unknownThen > 0 ? `${counted(unknownThen, 'call')} had no price` : '',
    unknownNow > 0 ? `${counted(unknownNow, 'call')} ${unknownNow === 1 ? 'has' : 'have'} none now` : '',
  ].filter((gap) => gap !== '')
  return `${what} ${sums}${gaps.length > 0 ? ` (${gaps.join(', ')})` : ''}`
}

const difference = (then: number, now: number) =>
  then === 0 ? '' : `, ${formatSigned(((now - then) / then) * 100)}%`

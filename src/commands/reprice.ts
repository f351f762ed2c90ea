import { loadPriceBook, type PriceBook, priceTable } from '../agents/prices/price-book.ts'
import { pricedModel } from '../agents/prices/priced-model.ts'
import { allSteps } from '../loop/journal-index.ts'
import { readRecords } from '../loop/records.ts'
import { readManifest } from '../loop/run-folder.ts'
import { counted, formatSigned, formatUsd, unknown } from '../reports/numbers.ts'
import type { RunManifest } from '../schema/run.ts'
import type { AskStep } from '../schema/step.ts'
import { pricesOf } from './live-part.ts'
import { findRunFolder } from './reopen.ts'

/** What a method's calls cost: all that were made, those of voided steps included. */
interface Repriced {
  method: string
  calls: number
  /** US dollars as billed, and by the present prices; over the calls whose price is known both times. */
  billedUsd: number
  presentUsd: number
  /** Calls that are in both sums. */
  compared: number
  /** Calls without a price now, and without one then. */
  unknownNow: number
  unknownThen: number
}

/** `bench reprice RUN`: the calls of a run at present prices, beside its bill. Reads only. */
export default async function reprice(
  run: string,
  options: { prices?: string; json?: boolean },
): Promise<number> {
  const book = await loadPriceBook(pricesOf(options.prices))
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  const methodOf = new Map<string, string>()
  for (const { trial, method } of readRecords(folder)) methodOf.set(trial, method)
  const rows = new Map<string, Repriced>()
  for (const step of allSteps(folder)) {
    if (step.kind !== 'ask' || step.simulated) continue
    const method = methodOf.get(step.trial) ?? '(trials without an end)'
    const row = rows.get(method) ?? emptyRow(method)
    rows.set(method, row)
    add(row, step, presentCost(step, manifest, book))
  }
  const result: Result = {
    billedBy: manifest.prices?.table ?? null,
    pricedBy: priceTable,
    methods: [...rows.values()],
  }
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : text(result, folder))
  return 0
}

const emptyRow = (method: string): Repriced => ({
  method,
  calls: 0,
  billedUsd: 0,
  presentUsd: 0,
  compared: 0,
  unknownNow: 0,
  unknownThen: 0,
})

/** What a provider itself said that it bills stays: no table knows better. */
function presentCost(step: AskStep, { endpoints }: RunManifest, book: PriceBook): number | null {
  if (step.costSource === 'provider') return step.costUsd
  return book.bill(pricedModel(step.agent, step.model, endpoints?.[step.agent]), step.tokens).costUsd
}

function add(row: Repriced, { costUsd: then }: AskStep, now: number | null): void {
  row.calls++
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
  const lines = methods.map((row) => {
    const { billedUsd, presentUsd, compared, unknownNow, unknownThen } = row
    const sums =
      compared === 0
        ? unknown
        : `billed ${formatUsd(billedUsd)}, now ${formatUsd(presentUsd)}${difference(billedUsd, presentUsd)}`
    const gaps = [
      unknownThen > 0 ? `${counted(unknownThen, 'call')} had no price` : '',
      unknownNow > 0 ? `${counted(unknownNow, 'call')} ${unknownNow === 1 ? 'has' : 'have'} none now` : '',
    ].filter((gap) => gap !== '')
    return `  ${row.method}: ${counted(row.calls, 'call')}, ${sums}${gaps.length > 0 ? ` (${gaps.join(', ')})` : ''}`
  })
  return `Billed by ${billedBy ? table(billedBy) : 'no table'}; now ${table(pricedBy)}\n${lines.join('\n')}\n`
}

const difference = (then: number, now: number) =>
  then === 0 ? '' : `, ${formatSigned(((now - then) / then) * 100)}%`

import type { RunPrices } from '../../schema/agent/prices.ts'
import { counted, formatSigned, formatUsd } from './numbers.ts'

/** The table of list prices with version and day, and whether prices of the user's own stand before it. */
export function pricesText({ table, file }: RunPrices): string {
  return `${table.name} ${table.version} of ${table.date}${file ? ', own prices before them' : ''}`
}

/** What agents said that calls cost against what we computed: `its agent says $0.020 for 3 calls, we count $0.018 (+11.1%)`. */
export function reportedText({
  calls,
  costUsd,
  computedUsd,
}: {
  calls: number
  costUsd: number
  computedUsd: number
}): string {
  const difference =
    computedUsd === 0 ? '' : ` (${formatSigned((100 * (costUsd - computedUsd)) / computedUsd)}%)`
  return `agents themselves say ${formatUsd(costUsd)} for ${counted(calls, 'call')} that cost ${formatUsd(computedUsd)} by our prices${difference}`
}

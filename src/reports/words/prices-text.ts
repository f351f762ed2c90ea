import type { RunPrices } from '../../schema/agent/prices.ts'
import { counted, formatSigned, formatUsd } from './numbers.ts'

/** Returns the price table with version and day, and whether prices of the user come first. */
export function pricesText({ table, file }: RunPrices): string {
  return `${table.name} ${table.version} of ${table.date}${file ? ', after your own prices' : ''}`
}

/** Returns the costs that agents reported and the computed ones: `agents report $0.020 for 3 calls; our prices give $0.018 (+11.1%)`. */
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
  return `agents report ${formatUsd(costUsd)} for ${counted(calls, 'call')}; our prices give ${formatUsd(computedUsd)}${difference}`
}

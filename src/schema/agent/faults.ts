import { z } from 'zod'

/** The kinds of injected faults. `src/agents/faults.ts` says what each does and what usage it reports. */
export const FaultKind = z.enum([
  'timeout',
  'rate-limit',
  'server',
  'dropped',
  'exit',
  'malformed',
  'empty',
  'wrong-blocks',
  'slow',
  'kill',
])
export type FaultKind = z.infer<typeof FaultKind>

/** The share of attempts with each kind of fault, 0 to 1. An attempt has at most one fault. */
export const FaultRates = z
  .partialRecord(FaultKind, z.number().min(0).max(1))
  .refine((rates) => sumOf(rates) <= 1 + 1e-9, 'must add up to at most 1')
export type FaultRates = z.infer<typeof FaultRates>

/** Rates by role, complete for each role; `*` is for all others. */
export const Faults = z.record(z.string(), FaultRates)
export type Faults = z.infer<typeof Faults>

/** Returns the share of attempts with any fault. */
export function sumOf(rates: Readonly<Partial<Record<FaultKind, number>>>): number {
  return Object.values(rates).reduce((sum, rate) => sum + rate, 0)
}

/** Formats faults as in `--inject`, sorted: `timeout=0.05, auditor:empty=0.1`. */
export function faultsText(faults: Faults): string {
  return Object.entries(faults)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([role, rates]) =>
      Object.entries(rates)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, rate]) => `${role === '*' ? '' : `${role}:`}${kind}=${rate}`),
    )
    .join(', ')
}

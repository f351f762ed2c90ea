import { z } from 'zod'

/** What can be made to go wrong on purpose. `src/agents/faults.ts` says what each does and what it reports as used. */
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

/** Share of attempts that each kind hits, 0 to 1. An attempt is hit by one at most. */
export const FaultRates = z
  .partialRecord(FaultKind, z.number().min(0).max(1))
  .refine((rates) => sumOf(rates) <= 1 + 1e-9, 'adds up to more than 1')
export type FaultRates = z.infer<typeof FaultRates>

/** Rates by role, complete for each; `*` stands for all others. */
export const Faults = z.record(z.string(), FaultRates)
export type Faults = z.infer<typeof Faults>

/** Share of attempts that anything hits. */
export function sumOf(rates: Readonly<Partial<Record<FaultKind, number>>>): number {
  return Object.values(rates).reduce((sum, rate) => sum + rate, 0)
}

/** As written after `--inject`, roles and kinds sorted: `timeout=0.05, auditor:empty=0.1`. */
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

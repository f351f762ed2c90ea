import { z } from 'zod'

const perMillion = z.number().nonnegative()

const Rates = z.object({
  input: perMillion,
  output: perMillion,
  /** Input read from a cache, written to a cache, and written for an hour. The first two default to `input`, the last to `cacheWrite`. */
  cached: perMillion.optional(),
  cacheWrite: perMillion.optional(),
  cacheWriteHour: perMillion.optional(),
  /** Output that is not part of the reply; defaults to `output`. */
  reasoning: perMillion.optional(),
})

/** US dollars per million tokens of a model. `longContext` applies to all of a call with more input than `above`. */
export const ModelPrices = z.strictObject({
  ...Rates.shape,
  longContext: z.strictObject({ above: z.int().positive(), ...Rates.shape }).optional(),
})
export type ModelPrices = z.infer<typeof ModelPrices>

/** A user's prices, which override the table, by agent: see `priceNames` for the names that match one. */
export const PriceFile = z.strictObject({
  prices: z.record(z.string(), ModelPrices),
  /** The day of these prices, and where they stand, such as an address. */
  date: z.iso.date('must be a day such as 2026-09-23').optional(),
  source: z.string().min(1, 'must not be empty').optional(),
  /** Prices in another currency are refused. */
  currency: z.literal('USD').optional(),
})
export type PriceFile = z.infer<typeof PriceFile>

/** The prices of a run. */
export const RunPrices = z.object({
  /** The table of list prices: package, version, and its day of publication. Absent where only the user's prices count. */
  table: z.object({ name: z.string(), version: z.string(), date: z.string() }).optional(),
  /** The user's prices of the agents of the run, by their names in records; older runs keep the whole file. */
  file: PriceFile.optional(),
  /** Labels of the config file for agents of the run that records name without a label, with those names. */
  labels: z.record(z.string(), z.string()).optional(),
})
export type RunPrices = z.infer<typeof RunPrices>

import { z } from 'zod'

const perMillion = z.number().nonnegative()

const Rates = z.object({
  input: perMillion,
  output: perMillion,
  /** Input read from a cache, written into one, written to be kept for an hour. Where absent: as `input`, as `cacheWrite`. */
  cached: perMillion.optional(),
  cacheWrite: perMillion.optional(),
  cacheWriteHour: perMillion.optional(),
  /** Output that the reply does not show; as `output` where absent. */
  reasoning: perMillion.optional(),
})

/** US dollars per million tokens of one model; `longContext` holds for the whole of a call with more input than `above`. */
export const ModelPrices = z.strictObject({
  ...Rates.shape,
  longContext: z.strictObject({ above: z.int().positive(), ...Rates.shape }).optional(),
})
export type ModelPrices = z.infer<typeof ModelPrices>

/** A user's prices, which win over the table: by agent, as named after `--agents`. */
export const PriceFile = z.strictObject({ prices: z.record(z.string(), ModelPrices) })
export type PriceFile = z.infer<typeof PriceFile>

/** The prices that a run is billed by. */
export const RunPrices = z.object({
  /** The table of list prices: package, version, and the day on which that version was published. */
  table: z.object({ name: z.string(), version: z.string(), date: z.string() }),
  /** The user's own, whole. */
  file: PriceFile.optional(),
})
export type RunPrices = z.infer<typeof RunPrices>

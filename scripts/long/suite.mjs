import { condensedLogs } from './condensed-logs.mjs'
import { seasonPrices } from './season-prices.mjs'

/** The generated tasks of the suite `long`, on which a method that summarises has something to shorten. */
export const makeLong = () => [seasonPrices, condensedLogs].map((make) => make())

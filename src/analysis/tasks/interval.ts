/** An estimate with its limits, in the unit of the values; null where there is none. */
export interface Interval {
  estimate: number | null
  lower: number | null
  upper: number | null
}

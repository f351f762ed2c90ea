import { formatCount } from '../words/numbers.ts'

/** Formats a count at a tick of an axis: `0`, `500`, `2k`, `1.5M`. */
export function countTick(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(2))}M`
  if (value >= 1000) return `${Number((value / 1000).toFixed(1))}k`
  return formatCount(value)
}

/** Formats a share as percent. */
export const percentTick = (share: number): string => String(Number((100 * share).toFixed(1)))

/** Formats US dollars at a tick: `$0.05`, `$0.10`, `$2`, `$2.50`. */
export function usdTick(value: number): string {
  const text = String(Number(value.toPrecision(3)))
  return `$${/\.\d$/.test(text) ? `${text}0` : text}`
}

/** Returns the ticks of a logarithmic axis: 1, 2 and 5 times the powers of ten if these are few, else the powers. */
export function logTicks([low, high]: readonly [number, number]): number[] {
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, index) => 10 ** (Math.floor(Math.log10(low)) + index),
  )
  const steps = powers.length > 5 ? [1] : [1, 2, 5]
  return powers
    .flatMap((power) => steps.map((step) => Number((step * power).toPrecision(6))))
    .filter((tick) => tick >= low && tick <= high)
}

/** Returns the first tick above a positive value, for an axis from 0 with about five ticks. */
export function tickAbove(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1) / 5))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one * 5 >= most) ?? power * 10
  return step * (Math.floor(most / step) + 1)
}

/** Returns an axis range for positive values, logarithmic if they span more than a factor of eight. */
export function spanOf(values: readonly number[]): { log: boolean; domain: [number, number] } {
  const most = values.reduce((a, b) => Math.max(a, b), 0)
  const least = values.reduce((a, b) => Math.min(a, b), most)
  const log = least > 0 && most / least > 8
  return { log, domain: log ? [least / 1.25, most * 1.25] : [0, most > 0 ? most * 1.08 : 1] }
}

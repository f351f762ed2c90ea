import { formatCount } from '../words/numbers.ts'
import { textSize } from './frame.ts'
import { widthOf } from './svg-text.ts'

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

/** An axis from left to right. */
interface Across {
  domain: readonly [number, number]
  log?: boolean
  format(value: number): string
  /** Length of the axis, and free pixels behind its end. */
  pixels: number
  beyond: number
  /** Most ticks of a linear axis. */
  most?: number
}

/** Pixels between two labels. */
const apart = 6

/** Returns the ticks of an axis, as many as have room for their labels: no two touch, and none leaves the figure. */
export function ticksAcross(axis: Across): number[] {
  const { domain, log = false, most = 7 } = axis
  const [low, high] = domain
  const candidates = log
    ? logCandidates(domain)
    : Array.from({ length: most - 1 }, (_, fewer) => linearTicks(low, high, most - fewer))
  return candidates.find((ticks) => isReadable(ticks, axis)) ?? [low]
}

/** 1, 2 and 5 times the powers of ten if these are few, else the powers, each, each second, each third. */
function logCandidates([low, high]: readonly [number, number]): number[][] {
  const first = Math.floor(Math.log10(low))
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => 10 ** (first + i))
  const inside = (ticks: readonly number[]) =>
    ticks.map((tick) => Number(tick.toPrecision(6))).filter((tick) => tick >= low && tick <= high)
  const fine = powers.length > 5 ? [] : [inside(powers.flatMap((power) => [power, 2 * power, 5 * power]))]
  return [...fine, ...powers.map((_, every) => inside(powers.filter((_, i) => i % (every + 1) === 0)))]
}

/** Returns multiples of 1, 2 or 5 times a power of ten, at most `most` of them. */
function linearTicks(low: number, high: number, most: number): number[] {
  const step = stepFor((high - low) / Math.max(1, most - 1))
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Returns the least step of 1, 2 or 5 times a power of ten that is at least this wide. */
function stepFor(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width))
  return ([1, 2, 5].find((factor) => factor * power >= width * (1 - 1e-9)) ?? 10) * power
}

function isReadable(ticks: readonly number[], { domain, log, format, pixels, beyond }: Across): boolean {
  const scale = log ? Math.log : (value: number) => value
  const [low, high] = [scale(domain[0]), scale(domain[1])]
  let end = Number.NEGATIVE_INFINITY
  for (const tick of ticks) {
    const at = ((scale(tick) - low) / (high - low)) * pixels
    const half = widthOf(format(tick), textSize.text) / 2
    if (at - half < end || at + half > pixels + beyond) return false
    end = at + half + apart
  }
  return ticks.length > 0
}

/** Returns the first tick above a positive value, for an axis from 0 with about five ticks. */
export function tickAbove(most: number): number {
  const step = stepFor(Math.max(most, 1) / 5)
  return step * (Math.floor(most / step) + 1)
}

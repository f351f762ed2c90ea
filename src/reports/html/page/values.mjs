// How values are compared and shown. The files of this folder are joined to the one script of the page.

/** Returns the sort key of a cell: its first number, times in milliseconds; else its text; null for an unknown value. */
export function sortKey(text) {
  const match = /^(?:>= ?)?([+-]?)\$?([\d,]*\.?\d+)(M)?%?(?: (s|min|h)\b)?/.exec(text)
  if (!match) return ['', '-', '–', 'unknown'].includes(text) ? null : text
  const [, sign, digits, million, unit] = match
  const factor = (million ? 1e6 : 1) * ({ s: 1e3, min: 6e4, h: 36e5 }[unit] ?? 1)
  return (sign === '-' ? -1 : 1) * Number(digits.replaceAll(',', '')) * factor
}

function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en', { numeric: true })
}

/** Returns a sorted copy. Unknown values are last in both directions. */
export function sorted(items, keyOf, descending) {
  const keys = new Map(items.map((item) => [item, keyOf(item)]))
  return [...items].sort((x, y) => {
    const [a, b] = [keys.get(x), keys.get(y)]
    return a === null || b === null ? compare(a, b) : (descending ? -1 : 1) * compare(a, b)
  })
}

/** Formats a count: `1,234`. */
export const count = new Intl.NumberFormat('en-US')

/** Formats US dollars as the tables do: `$10.02`, below a dollar three significant digits: `$0.140`. */
export function usd(value) {
  if (value === 0) return '$0'
  const digits = value >= 0.995 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(value)))
  const rounded = Math.round(Number((value * 10 ** digits).toPrecision(12))) / 10 ** digits
  const [whole, rest] = rounded.toFixed(digits).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}

/** Formats milliseconds as seconds, or as minutes from two minutes on; null, the time of a recorded reply, is a dash. */
export function seconds(ms) {
  if (ms === null) return '–'
  return ms < 119950 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60000).toFixed(1)} min`
}

/** Formats a value; null is unknown. */
export const shown = (value, format) => (value === null ? 'unknown' : format(value))

/** Formats a score from 0 to 1 as percent; null is a dash. */
export const score = (value) => (value === null ? '-' : (100 * value).toFixed(1))

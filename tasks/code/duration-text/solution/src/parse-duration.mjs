const units = ['w', 'd', 'h', 'm', 's']
const secondsOf = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 }

/** Seconds of a duration such as `1h30m` or `1:02:03`; null for anything else. */
export function parseDuration(text) {
  const trimmed = text.trim()
  const negative = trimmed.startsWith('-')
  const body = negative ? trimmed.slice(1) : trimmed
  const seconds = body.includes(':') ? clock(body) : parts(body)
  if (seconds === null) return null
  const rounded = Math.round(seconds)
  return negative && rounded > 0 ? -rounded : rounded
}

function clock(body) {
  const match = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(body)
  if (!match) return null
  const [hours, minutes, seconds] = [match[1], match[2], match[3] ?? '0'].map(Number)
  if (minutes > 59 || seconds > 59) return null
  return hours * 3600 + minutes * 60 + seconds
}

function parts(body) {
  if (!/^(?:\d+(?:\.\d+)?[wdhms]\s*)+$/i.test(body)) return null
  const found = [...body.matchAll(/(\d+(?:\.\d+)?)([wdhms])/gi)]
  let total = 0
  let last = -1
  for (const [index, match] of found.entries()) {
    const rank = units.indexOf(match[2].toLowerCase())
    if (rank <= last) return null
    if (match[1].includes('.') && index < found.length - 1) return null
    total += Number(match[1]) * secondsOf[units[rank]]
    last = rank
  }
  return total
}

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?:Z|([+-])(\d\d):(\d\d))$/

/** Free windows of a range between meetings, in the offset of the range's beginning. */
export function freeWindows({ from, to, minMinutes = 1 }, meetings) {
  const { minute: first, offset } = parse(from)
  const { minute: last } = parse(to)
  const busy = meetings
    .map(({ start, end }) => ({ start: parse(start).minute, end: parse(end).minute }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start)

  const windows = []
  let free = first
  for (const meeting of [...busy, { start: last, end: last }]) {
    const minutes = Math.min(meeting.start, last) - free
    if (minutes > 0 && minutes >= minMinutes) {
      windows.push({ start: format(free, offset), end: format(free + minutes, offset), minutes })
    }
    free = Math.max(free, meeting.end)
  }
  return windows
}

/** Minutes since 1970 in UTC, and the minutes that local time is ahead. */
function parse(text) {
  const match = form.exec(text)
  if (!match) throw new RangeError(`not a time: ${text}`)
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number)
  const ahead = match[6] ? Number(match[7]) * 60 + Number(match[8]) : 0
  const offset = match[6] === '-' ? -ahead : ahead
  return { minute: Date.UTC(year, month - 1, day, hour, minute) / 60000 - offset, offset }
}

function format(minute, offset) {
  const local = new Date((minute + offset) * 60000).toISOString().slice(0, 16)
  if (offset === 0) return `${local}Z`
  const ahead = Math.abs(offset)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`
}

const two = (number) => String(number).padStart(2, '0')

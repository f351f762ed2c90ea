/** See docs/duration.md. */
export function parseDuration(text) {
  const parts = /^(?:(\d+)h)?(?: ?(\d+)m)?(?: ?(\d+)s)?$/.exec(text)
  if (!parts || text === '') return null
  const written = [parts[1] && `${parts[1]}h`, parts[2] && `${parts[2]}m`, parts[3] && `${parts[3]}s`]
  if (written.filter(Boolean).join(' ') !== text) return null
  return Number(parts[1] ?? 0) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0)
}

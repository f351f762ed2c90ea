/** See docs/money.md. */
export function parseMoney(text) {
  const parts = /^(-?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))? EUR$/.exec(text)
  if (!parts) throw new RangeError(`no sum of money: ${text}`)
  const cents = Number(parts[2].replaceAll('.', '')) * 100 + Number(parts[3] ?? 0)
  return parts[1] && cents > 0 ? -cents : cents
}

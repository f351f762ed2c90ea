/** See docs/query.md. */
export function parseQuery(text) {
  const values = {}
  for (const part of text.replace(/^\?/, '').split('&')) {
    const at = part.indexOf('=')
    if (part === '' || at === 0) continue
    const plain = (piece) => piece.replaceAll('+', ' ')
    const key = plain(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? true : plain(part.slice(at + 1))
    const known = Object.hasOwn(values, key) ? values[key] : undefined
    values[key] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value]
  }
  return values
}

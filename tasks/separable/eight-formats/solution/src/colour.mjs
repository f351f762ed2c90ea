/** See docs/colour.md. */
export function parseColour(text) {
  const named = { black: 0, white: 255, grey: 128 }
  if (Object.hasOwn(named, text)) return [named[text], named[text], named[text]]
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3}|[0-9a-f])$/i.exec(text)?.[1]
  if (digits === undefined) return []
  const six = digits.length === 1 ? digits.repeat(6) : digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16))
}

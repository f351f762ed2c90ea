/** Shortens a text to at most `longest` characters by cutting out its middle. The default is the length of a recorded reason. */
export function shorten(text: string, longest = 600): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 3) / 2)
  return `${sliceWhole(text, 0, half)} … ${sliceWhole(text, text.length - half, text.length)}`
}

/** Like `slice`, but never splits a surrogate pair. */
function sliceWhole(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

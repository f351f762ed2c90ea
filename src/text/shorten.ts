/** At most so many characters of a text, the middle left out. As many as a reason takes, unless told. */
export function shorten(text: string, longest = 600): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 3) / 2)
  return `${sliceWhole(text, 0, half)} … ${sliceWhole(text, text.length - half, text.length)}`
}

/** A slice that cuts no character in two. */
function sliceWhole(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

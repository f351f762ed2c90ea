/**
 * Shortens a text for people to at most `longest` characters by cutting out its middle, at the ends of words. The default is the length of
 * a recorded reason.
 */
export function shorten(text: string, longest = 600): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 3) / 2)
  const tail = sliceWhole(text, text.length - half, text.length)
  const [begun = ''] = /^\S*/.exec(tail) ?? []
  const isBegun = /\S/.test(text[text.length - half - 1] ?? ' ')
  const rest = isBegun && begun.length < Math.min(longestWord, half) ? tail.slice(begun.length) : tail
  return `${toWordEnd(text, half)} … ${rest.trimStart()}`
}

/** Shortens a text for people to at most `longest` characters, at the end of a word, with `…`. */
export const shortenEnd = (text: string, longest: number): string =>
  text.length <= longest ? text : `${toWordEnd(text, longest - 1)}…`

/** Cuts out the middle of a text wherever it is. For what trial ids and kept verdicts depend on: titles of tasks, reasons of graders. */
export function cutMiddle(text: string, longest = 600): string {
  if (text.length <= longest) return text
  const half = Math.floor((longest - 3) / 2)
  return `${sliceWhole(text, 0, half)} … ${sliceWhole(text, text.length - half, text.length)}`
}

/** A longer word, such as a path or a digest, is cut. */
const longestWord = 40

/** Returns at most `length` characters of the beginning of a longer text, without a word that goes on. */
function toWordEnd(text: string, length: number): string {
  const head = sliceWhole(text, 0, length)
  const [begun = ''] = /\S*$/.exec(head) ?? []
  const goesOn = /\S/.test(text[length] ?? ' ')
  const isCut = goesOn && begun.length < Math.min(longestWord, length)
  return (isCut ? head.slice(0, head.length - begun.length) : head).trimEnd()
}

/** Like `slice`, but never splits a surrogate pair. */
function sliceWhole(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

/**
 * Returns the field names of the first JSON object in a text: of a line of JSONL, of the first item of a list, or of the text as a whole,
 * which may be cut. Empty if the text does not begin as JSON.
 */
export function firstFields(text: string): string[] {
  const start = /^\s*(?:\[\s*)?\{/.exec(text)
  if (!start) return []
  const fields: string[] = []
  let depth = 1
  let isKey = true
  for (let at = start[0].length; at < text.length && depth > 0; at++) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfString(text, at)
      if (isKey && depth === 1 && end < text.length) fields.push(parseKey(text.slice(at, end + 1)))
      isKey = false
      at = end
    } else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else if (sign === ',' && depth === 1) isKey = true
  }
  return fields
}

/** Returns the place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function parseKey(json: string): string {
  try {
    return JSON.parse(json) as string
  } catch {
    return json.slice(1, -1)
  }
}

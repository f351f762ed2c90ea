/** JSON in which comments are replaced by spaces, so that each field keeps its place. */
interface WithoutComments {
  text: string
  /** The offset of the first comment. */
  at: number
}

/** Strings are matched first, since `//` in one is text. */
const stringOrComment = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * Returns JSON without its comments, `//` and `/*`, which are not allowed. Returns undefined for any other text. YAML would take a
 * comment for part of a name or of a value.
 */
export function removeJsonComments(text: string): WithoutComments | undefined {
  if (!/^\s*(?:\{|\/\/|\/\*)/.test(text)) return undefined
  let at: number | undefined
  const blank = text.replace(stringOrComment, (found, offset: number) => {
    if (found.startsWith('"')) return found
    at ??= offset
    return found.replace(/[^\r\n]/g, ' ')
  })
  // In YAML, `//` may stand in a value without quotes; then the rest is no JSON.
  return at !== undefined && isJson(blank) ? { text: blank, at } : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/,(?=\s*[}\]])/g, ' '))
    return true
  } catch {
    return false
  }
}

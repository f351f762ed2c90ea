import { scanValue } from './scan-value.ts'

interface Span {
  start: number
  end: number
}

interface FoundValues {
  /** The outermost values, in order. */
  values: Span[]
  /** Whether the text ends within a value. */
  isCut: boolean
}

/** Most searches for the end of a broken value, each of which may read the rest of the text. */
const mostSearches = 16

/**
 * Finds the values of a text that begin with a bracket. Brackets of prose are passed over. What lies within a value, or within data that
 * is broken or cut off, is not listed in `values`, since a part of a value is not the value.
 */
export function findValues(text: string): FoundValues {
  const values: Span[] = []
  let isCut = false
  let searches = 0
  // Twenty times the text is more than any honest reply needs.
  let work = 20 * text.length + 10_000
  const bracket = /[{[]/g
  for (let found = bracket.exec(text); found && work > 0; found = bracket.exec(text)) {
    const start = found.index
    const { outcome, end, lastString, isData, depth } = scanValue(text, start)
    work -= end - start
    bracket.lastIndex = lastString === undefined || outcome === 'value' ? end : lastString + 1
    if (outcome === 'value') values.push({ start, end })
    else if (isData && outcome === 'cut') {
      isCut = true
      bracket.lastIndex = end
    } else if (isData && searches < mostSearches) {
      searches++
      const close = closingBracket(text, end, depth)
      if (close !== undefined) bracket.lastIndex = close
    }
  }
  return { values, isCut }
}

/** Returns the end of data that is broken at a place, by its brackets alone; undefined if they never close. */
function closingBracket(text: string, from: number, depth: number): number | undefined {
  const token = /"(?:[^"\\\n]|\\.)*"|[{}[\]]/g
  token.lastIndex = from
  let open = depth
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [char] = found
    if (char === '{' || char === '[') open++
    else if (char === '}' || char === ']') open--
    if (open === 0) return found.index + 1
  }
  return undefined
}

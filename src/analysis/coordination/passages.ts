/** Shortest line, in characters, that identifies its source: shorter lines recur by chance. */
const shortest = 20

/**
 * Finds the lines by which a text is recognised in other texts, each once: without indent, list marker or heading mark, and
 * long enough not to recur by chance. For a JSON reply these are the lines of its strings, because strategies pass on the
 * strings, not the braces.
 */
export function findPassages(text: string): Set<string> {
  const passages = new Set<string>()
  const data = dataOf(text)
  if (data === undefined) addLines(text, passages)
  else addTexts(data, passages)
  return passages
}

function addLines(text: string, passages: Set<string>): void {
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^[\s>#*+-]*(?:\d+[.)]\s+)?/, '').trimEnd()
    if (line.length >= shortest) passages.add(line)
  }
}

function addTexts(value: unknown, passages: Set<string>): void {
  if (typeof value === 'string') addLines(value, passages)
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) addTexts(item, passages)
}

function dataOf(text: string): object | undefined {
  const inner = /^\s*```(?:json)?[ \t]*\n([\s\S]*)\n[ \t]*```\s*$/.exec(text)?.[1] ?? text
  if (!/^\s*[[{]/.test(inner)) return undefined
  try {
    const data: unknown = JSON.parse(inner)
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}

import type { JsonSchema } from './judge-mark.ts'

/** The texts that a judge may quote. */
export interface JudgedTexts {
  /** What it is shown to judge: in them any word counts. */
  shown: readonly string[]
  /** The method's own words, and files that it can open: in them only what looks like a field counts. */
  around: readonly string[]
}

/**
 * Whether a reply without the mark may be read: no text that the judge may quote names a field of the wanted value, so that a value in
 * the reply can be no quotation. A shape without required fields has none to look for: then nothing may be shown that could be a value.
 */
export function mayReadUnmarked(schema: JsonSchema, { shown, around }: JudgedTexts): boolean {
  const fields = fieldsOf(schema)
  if (fields.size === 0)
    return shown.every((text) => text.trim() === '') && !around.some((text) => /[[{]/.test(text))
  const names = [...fields].map(escapeRegExp).join('|')
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'iu')
  // Blanks and comments may stand before the colon of a field.
  const field = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})[^\\p{L}\\p{N}_:,.;]*(?::|/[/*])`, 'iu')
  const holds = (pattern: RegExp) => (text: string) => readings(text).some((reading) => pattern.test(reading))
  return !shown.some(holds(word)) && !around.some(holds(field))
}

/**
 * Returns the names of the fields that a value of a schema must have, and of those that objects within it have; none if an object
 * without fields fits.
 */
function fieldsOf(schema: JsonSchema): Set<string> {
  const names = new Set<string>()
  if (schema.type === 'object' && listOf(schema.required).length === 0) return names
  const visit = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { required, properties } = part as { required?: unknown; properties?: unknown }
    const all = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
    const own = listOf(required)
    for (const name of own.length > 0 ? own : all) names.add(name)
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(schema)
  return names
}

const listOf = (names: unknown): string[] => (Array.isArray(names) ? names.map(String) : [])

/** Returns a text as a reader of JSON, or a judge that quotes it, may see it: without characters that nobody sees, and without escapes. */
function readings(text: string): string[] {
  const plain = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
  if (!plain.includes('\\')) return [plain]
  // A backslash before a letter may be needless, or make a line end of it.
  return [plain, plain.replaceAll('\\', ''), plain.replace(/\\+./gs, ' ')]
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

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
 * the reply can be no quotation. A shape without fields has none to look for: then nothing may be shown at all.
 */
export function mayReadUnmarked(schema: JsonSchema, { shown, around }: JudgedTexts): boolean {
  const fields = fieldsOf(schema)
  if (fields.size === 0) return shown.every((text) => text.trim() === '')
  const names = [...fields].map(escapeRegExp).join('|')
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'iu')
  const field = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})[^\\p{L}\\p{N}_:,.;]{0,20}:`, 'iu')
  return (
    !shown.some((text) => word.test(plainText(text))) && !around.some((text) => field.test(plainText(text)))
  )
}

/** Returns the names of the required fields of a schema, at any depth; of all fields where none is required. */
function fieldsOf(schema: JsonSchema): Set<string> {
  const required = new Set<string>()
  const all = new Set<string>()
  const visit = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { required: names, properties } = part as { required?: unknown; properties?: unknown }
    if (Array.isArray(names)) for (const name of names) required.add(String(name))
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) all.add(name)
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(schema)
  return required.size > 0 ? required : all
}

/** Returns a text as a reader of JSON may see it: without escapes of characters and without characters that nobody sees. */
function plainText(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

import { escapeRegExp } from '../../text/escape-reg-exp.ts'
import { isObject, type JsonSchema } from './judge-mark.ts'

/** The texts that a judge may quote. */
export interface JudgedTexts {
  /** What it is shown to judge, and what was said before: in them any word counts. */
  shown: readonly string[]
  /** The method's own words, and files that it can open: in them only what looks like a field counts. */
  around: readonly string[]
  /** Whether it could see others, such as the output of a program that it ran. */
  sawMore?: boolean
}

/**
 * Whether a reply without the mark may be read: no text that the judge may quote names a field of the wanted value, so that a value in
 * the reply can be no quotation. Never with a shape that a value without fields fits: there is no name to look for.
 */
export function mayReadUnmarked(schema: JsonSchema, { shown, around, sawMore }: JudgedTexts): boolean {
  if (sawMore || !hasFields(schema)) return false
  const names = [...fieldsOf(schema)].map(escapeRegExp).join('|')
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'iu')
  // Blanks and comments may stand before the colon of a field.
  const field = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})[^\\p{L}\\p{N}_:,.;]*(?::|/[/*])`, 'iu')
  const holds = (pattern: RegExp) => (text: string) => readings(text).some((reading) => pattern.test(reading))
  return !shown.some(holds(word)) && !around.some(holds(field))
}

/** Whether each value of a schema is an object with a field that it must have. */
function hasFields(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return branches.every(hasFields)
  return schema.type === 'object' && listOf(schema.required).length > 0
}

/** Returns the names of the fields that a value of a schema must have, and of those that objects within it have. */
function fieldsOf(schema: JsonSchema): Set<string> {
  const names = new Set<string>()
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
  const written = withoutHidden(text)
  const decoded = text
    .replace(/(?:\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x([\da-f]{1,6});)/gi, ofCode(16))
    .replace(/&#(\d{1,7});/g, ofCode(10))
  const plain = withoutHidden(decoded)
  const both = plain === written ? [plain] : [plain, written]
  if (!plain.includes('\\')) return both
  // A backslash before a letter may be needless, or make a line end of it.
  return [...both, plain.replaceAll('\\', ''), plain.replace(/\\+./gs, ' ')]
}

const withoutHidden = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '')

/** Returns a function that replaces an escape by its character. */
function ofCode(radix: number) {
  return (whole: string, ...groups: unknown[]) => {
    const digits = groups.find((group) => typeof group === 'string') as string
    const code = Number.parseInt(digits, radix)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  }
}

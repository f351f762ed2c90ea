import type { CallAnswer } from './protocol/session.ts'

/** The most characters of a result that a model gets. */
export const mostResultCharacters = 60_000

/** Returns what a model gets of a tool's answer: its texts, and a note for each part that is no text. */
export function resultText({ content = [], structuredContent }: CallAnswer): string {
  const parts = content.map(partText)
  const hasText = content.some((part) => typeof fieldsOf(part).text === 'string')
  // Servers repeat structured content as a text, so that clients that do not know it have it.
  if (structuredContent !== undefined && !hasText) parts.push(JSON.stringify(structuredContent))
  return cutText(parts.join('\n') || '[The tool gave no content.]')
}

/** Cuts a text that is longer than a model should get, and says so. Halves of surrogate pairs become `\uFFFD`. */
export function cutText(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd')
  if (whole.length <= mostResultCharacters) return whole
  const start = whole.slice(0, mostResultCharacters).replace(/[\ud800-\udbff]$/, '')
  return `${start}\n[Cut: the result has ${whole.length} characters. These are the first ${mostResultCharacters}.]`
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (part: unknown): Fields =>
  typeof part === 'object' && part !== null ? (part as Fields) : {}

function partText(part: unknown): string {
  const { type, text, mimeType, data, resource, uri, name } = fieldsOf(part)
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'image' || type === 'audio') return notShown(type, mimeType, data)
  if (type === 'resource_link') return `[resource ${word(uri)}: ${word(name)}]`
  if (type === 'resource') {
    const inner = fieldsOf(resource)
    if (typeof inner.text === 'string') return `[resource ${word(inner.uri)}]\n${inner.text}`
    return notShown(`resource ${word(inner.uri)}`, inner.mimeType, inner.blob)
  }
  return `[content of the type ${word(type)}: not shown]`
}

function notShown(what: string, mimeType: unknown, base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.replace(/=+$/, '').length * 3) / 4) : 0
  return `[${what}, ${word(mimeType)}, ${bytes} bytes: not shown]`
}

const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : 'unknown')

import { hash } from 'node:crypto'

/** Returns the SHA-256 of a text or bytes, as 64 hex digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/**
 * Returns JSON with sorted keys and without undefined fields, so that equal values give equal text on every machine.
 * Throws for values that JSON cannot represent (NaN, Infinity, functions).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value}`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`canonical JSON cannot hold a ${typeof value}`)
  // Without lists between: a run of 10,000 tasks makes 20,000 digests before it starts.
  const fields = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key]
    if (field !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `{${text}}`
}

/** Returns the SHA-256 of the canonical JSON of a value. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value))
}

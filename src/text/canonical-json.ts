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
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}

/** Returns the SHA-256 of the canonical JSON of a value. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value))
}

import { createHash } from 'node:crypto'

/** Returns the hash that git gives an object with this content, as 40 hex digits. */
export function gitObjectHash(type: 'blob' | 'tree', content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}

import { sha256 } from '../../text/canonical-json.ts'

/** The longest name of a tool that all vendors take. */
const longestName = 64

/**
 * Returns the name by which models call a server's tool: `ID__NAME`. Characters that vendors refuse become `_`; the end of a name that
 * is too long becomes a part of its hash.
 */
export function toolNameOf(id: string, original: string): string {
  const name = `${id}__${original}`.replace(/[^a-zA-Z0-9_-]/gu, '_')
  if (name.length <= longestName) return name
  const hash = sha256(original).slice(0, 8)
  return `${name.slice(0, longestName - hash.length - 1)}_${hash}`
}

import { isObject } from '../text/is-object.ts'
import { didYouMean } from '../text/near-word.ts'

/** A map of a file that no schema has checked. */
export type RawMap = Readonly<Record<string, unknown>>
export type Path = readonly PropertyKey[]

/** Adds a problem of a field. */
export type Add = (path: Path, what: string, fix?: string) => void

/** Returns a map, or undefined if it is something else: then the schema reports it. */
export const asMap = (value: unknown): RawMap | undefined => (isObject(value) ? value : undefined)

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns a field of a map of maps. */
export const entryOf = (map: RawMap | undefined, id: string | undefined): RawMap | undefined =>
  map && id !== undefined && Object.hasOwn(map, id) ? asMap(map[id]) : undefined

/** Most names that a remedy lists. */
const maxListed = 12

/** Returns a `Did you mean …?`, or else the known names. */
export function suggestName(word: string, names: readonly string[], ifNone: string): string {
  if (names.length === 0) return ifNone
  const more = names.length > maxListed ? ', …' : ''
  return didYouMean(word, names) ?? `Use one of ${names.slice(0, maxListed).join(', ')}${more}.`
}

/** Reports names that a list holds twice. */
export function checkTwice(list: readonly unknown[], path: Path, add: Add): void {
  const seen = new Set<unknown>()
  list.forEach((item, i) => {
    if (typeof item === 'string' && seen.has(item)) add([...path, i], `names "${item}" twice`, 'Remove it.')
    seen.add(item)
  })
}

/** A value for each of the last few keys, looked for one by one: for keys that come again soon. */
export interface LastFew<Key, Value> {
  get(key: Key): Value | undefined
  /** For a key that it does not hold. */
  add(key: Key, value: Value): void
}

/** About one for each trial at a time. */
const few = 8

/** Remembers that many; of more the oldest is forgotten. */
export function lastFew<Key, Value>(): LastFew<Key, Value> {
  const keys: Key[] = []
  const values: Value[] = []
  let next = 0
  return {
    get(key) {
      const known = keys.indexOf(key)
      return known < 0 ? undefined : values[known]
    },
    add(key, value) {
      keys[next] = key
      values[next] = value
      next = (next + 1) % few
    },
  }
}

/**
 * Returns a store for at most `capacity` values. When there are more, it drops the one that was not read or written for the
 * longest time. `get` returns undefined for a key that it does not hold.
 */
export function createCache(capacity) {
  const values = new Map()
  return {
    get(key) {
      if (!values.has(key)) return undefined
      const value = values.get(key)
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      if (values.size > capacity) values.delete(values.keys().next().value)
    },
    size: () => values.size,
  }
}

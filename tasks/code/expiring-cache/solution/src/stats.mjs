/** Counts what a cache does. */
export function createStats() {
  let hits = 0
  let misses = 0
  let evictions = 0
  let expirations = 0
  return {
    hit: () => {
      hits += 1
    },
    miss: () => {
      misses += 1
    },
    evict: () => {
      evictions += 1
    },
    expire: () => {
      expirations += 1
    },
    snapshot() {
      const lookups = hits + misses
      const hitRate = lookups === 0 ? 0 : Math.round((hits / lookups) * 1000) / 1000
      return { hits, misses, evictions, expirations, hitRate }
    },
  }
}

/** Deadlines of entries, with a default time to live in ms. */
export function createExpiry(defaultTtl) {
  checkTtl(defaultTtl)
  return {
    deadline(now, ttl = defaultTtl) {
      checkTtl(ttl)
      return now + ttl
    },
    expired: (deadline, now) => now >= deadline,
  }
}

function checkTtl(ttl) {
  if (typeof ttl !== 'number' || !(ttl > 0)) throw new RangeError('a time to live is a number above 0')
}

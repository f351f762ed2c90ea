/**
 * Returns plain data in which U+FFFD replaces lone surrogates. JSON can write them, but servers refuse such a request: they are no
 * character in UTF-8. Results that were cut may have some.
 */
export function wellFormed<T>(value: T): T {
  return withTexts(value, (text) => text.replace(/\p{Surrogate}/gu, '\ufffd')) as T
}

function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  // `fromEntries` makes `__proto__` a key like any other.
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), withTexts(one, change)]))
}

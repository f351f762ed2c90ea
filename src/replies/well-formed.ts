/** Returns a text in which U+FFFD replaces half of a surrogate pair: no UTF-8 file can hold it, servers refuse it, and `jq` cannot read it. */
export function wellFormedText(text: string): string {
  return text.toWellFormed()
}

/** Returns plain data whose texts, names of fields included, are well-formed. The value itself if they are already. */
export function wellFormed<Value>(value: Value): Value {
  return isWellFormed(value) ? value : (mapped(value) as Value)
}

/** Without recursion, since a program's request may nest deeper than the stack. */
function isWellFormed(whole: unknown): boolean {
  const values = [whole]
  while (values.length > 0) {
    const value = values.pop()
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return false
    } else if (Array.isArray(value)) for (const one of value) values.push(one)
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) values.push(key, one)
  }
  return true
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value)
  if (Array.isArray(value)) return value.map(mapped)
  if (typeof value !== 'object' || value === null) return value
  // `fromEntries` makes `__proto__` a key like any other.
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [wellFormedText(key), mapped(one)]))
}

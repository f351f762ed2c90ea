import type { Redactor } from '../text/redact.ts'

/** Returns the function through which plain data enters a trial: its texts become well-formed, and secrets are removed from them. */
export function dataCleaner(redact: Redactor | undefined): <Value>(value: Value) => Value {
  return redact ? (value) => redact.data(wellFormed(value)) : wellFormed
}

/**
 * Returns a text as it is kept: line ends are `\n`, byte order marks at its start are gone, and half of a surrogate pair, which no
 * UTF-8 file can hold, is U+FFFD. Every text of an agent passes here once, before it is journaled.
 */
export function cleanText(text: string): string {
  return wellFormedText(text.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n'))
}

const firstHalf = 'u[dD][89abAB][\\da-fA-F]{2}'
const secondHalf = 'u[dD][c-fC-F][\\da-fA-F]{2}'
/** An escape of JSON: a whole pair, a half without its partner (the group), or any other. */
const anyEscape = new RegExp(
  `\\\\(?:${firstHalf}\\\\${secondHalf}|(${firstHalf}|${secondHalf})|[\\s\\S])`,
  'g',
)

/** Returns a text of JSON, such as a call's arguments, in which also the escaped halves of pairs (`\ud83d`) are U+FFFD. */
export function cleanJson(json: string): string {
  return cleanText(json).replace(anyEscape, (written, half: string | undefined) =>
    half === undefined ? written : '\\ufffd',
  )
}

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

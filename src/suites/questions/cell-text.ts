import { Doubt } from '../files/exact-json.ts'

/** A text, or why a value cannot be read as one. */
export type CellText = { text: string } | { what: string; fix: string }

/** Returns the value of a cell as text without space around it. An absent one is empty. */
export function cellText(value: unknown): CellText {
  if (value === undefined || value === null) return { text: '' }
  if (value instanceof Doubt) return { what: value.what, fix: value.fix }
  if (typeof value === 'object')
    return {
      what: Array.isArray(value) ? 'is a list, not a text' : 'is an object, not a text',
      fix: 'Give a text; a field inside it is named as in ?question=data.text.',
    }
  const text = String(value).trim()
  // Neither survives in a text file.
  if (/[\0\p{Cs}]/u.test(text))
    return {
      what: 'has a character that no text file can hold',
      fix: 'Remove zero bytes and halves of characters.',
    }
  return { text }
}

/** Returns the value of a column: a field, or in JSON a field inside another, such as `data.question`. */
export function valueAt(fields: Readonly<Record<string, unknown>>, column: string): unknown {
  if (Object.hasOwn(fields, column)) return fields[column]
  return column
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        inner instanceof Doubt
          ? inner
          : typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
            ? (inner as Record<string, unknown>)[key]
            : undefined,
      fields,
    )
}

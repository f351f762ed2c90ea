import { pathSegment } from '../../schema/agent-program.ts'
import { isJson } from './reading.ts'

/** All that a path (`JsonPath`) finds in a JSON value, in the order in which it stands there. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const segments = path.matchAll(new RegExp(pathSegment, 'g'))
  return [...segments].reduce((found, segment) => found.flatMap((one) => step(one, segment)), [value])
}

function step(value: unknown, [, name, quoted, index, all, field, literal]: RegExpMatchArray): unknown[] {
  const key = name ?? quoted
  if (key !== undefined) return isJson(value) && Object.hasOwn(value, key) ? [value[key]] : []
  if (index !== undefined) return Array.isArray(value) ? itemAt(value, Number(index)) : []
  const items = Array.isArray(value) ? value : isJson(value) ? Object.values(value) : []
  if (all !== undefined) return items
  const wanted = literalOf(literal as string)
  return items.filter((item) => valuesAt(item, `$${field}`).includes(wanted))
}

const itemAt = (list: readonly unknown[], index: number): unknown[] =>
  index < list.length && index >= -list.length ? [list.at(index)] : []

function literalOf(text: string): unknown {
  return text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text)
}

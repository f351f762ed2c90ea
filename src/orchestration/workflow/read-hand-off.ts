import { z } from 'zod'
import type { Element } from '../../formats/tree.ts'
import { readData } from '../../replies/data/read-data.ts'
import type { Format } from '../../schema/method/format.ts'

const Items = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])

/**
 * Reads a hand-off with the reader of its format. JSON that this reader refuses is read like the data of every other reply: slips that
 * are forgiven there are forgiven here.
 */
export function readHandOff(
  read: (text: string, format: Format) => { tree: Element } | { problem: string },
  text: string,
  format: Format,
): { tree: Element } | { problem: string } {
  const found = read(text, format)
  if (format !== 'json' || 'tree' in found) return found
  const items = readData(text, Items)
  return 'data' in items ? read(JSON.stringify(items.data), format) : found
}

import { parseCsv } from './parse.mjs'
import { toRecords } from './records.mjs'
import { summarise } from './summary.mjs'

/** A CSV text of groups, and the problems of the rows that were left out. */
export function report(text, { by, sum }) {
  throw new Error('not implemented')
}

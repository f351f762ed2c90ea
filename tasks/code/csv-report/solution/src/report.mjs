import { parseCsv } from './parse.mjs'
import { toRecords } from './records.mjs'
import { summarise } from './summary.mjs'

/** A CSV text of groups, and the problems of the rows that were left out. */
export function report(text, { by, sum }) {
  const { records, problems } = toRecords(parseCsv(text), { [by]: 'text', [sum]: 'number' })
  const groups = summarise(records, { by, sum })
  const lines = [[by, 'count', sum], ...groups.map(({ key, count, total }) => [key, String(count), total.toFixed(2)])]
  return { csv: lines.map((fields) => `${fields.map(quote).join(',')}\n`).join(''), problems }
}

const quote = (field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

import type { JsonLine } from '../files/read-json-lines.ts'
import type { SuiteItem } from '../suite.ts'

/**
 * Turns the records of a suite's file into items, in their order. `toItem` gets the record, its place, and the line of an earlier
 * record with the same id.
 */
export async function* recordsToItems<Data>(
  records: AsyncIterable<JsonLine<Data>>,
  idOf: (data: Data) => string,
  toItem: (data: Data, where: string, earlier: number | undefined) => SuiteItem,
): AsyncGenerator<SuiteItem> {
  const seen = new Map<string, number>()
  for await (const record of records) {
    if ('problems' in record) {
      yield { problems: record.problems }
      continue
    }
    const { data, where, line } = record
    const id = idOf(data)
    const earlier = seen.get(id)
    if (earlier === undefined) seen.set(id, line)
    yield toItem(data, where, earlier)
  }
}

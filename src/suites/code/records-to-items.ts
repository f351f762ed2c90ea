import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../text/errors.ts'
import type { JsonLine } from '../files/read-json-lines.ts'
import type { SuiteItem } from '../suite.ts'

/** The files of a format: how their names end, and what a user must give instead of a folder without exactly one of them. */
export interface FileKind {
  ending: RegExp
  /** Its name in messages, such as `JSONL file`. */
  name: string
  fix: string
}

/** Returns a file's path as it is, or that of the only file of a kind in a folder. Throws `UserError`. */
export function findFile(path: string, { ending, name, fix }: FileKind): string {
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there) throw new UserError({ where: path, what: 'does not exist', fix: `Check the path. ${fix}` })
  if (!there.isDirectory()) return path
  const files = readdirSync(path).filter((one) => ending.test(one))
  if (files.length === 1) return join(path, files[0] as string)
  const what =
    files.length === 0 ? `contains no ${name}` : `contains more than one ${name}: ${files.join(', ')}`
  throw new UserError({ where: path, what, fix })
}

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

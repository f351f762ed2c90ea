import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { recognisePath } from '../../suites/recognise.ts'
import { importers } from '../../suites/registry.ts'
import type { Problem } from '../../text/errors.ts'

const isDataFile = /\.(?:csv|tsv|jsonl|ndjson|json|xlsx|parquet)(?:\.gz)?$/i

/** Returns the problem of a selector that is a path, with the format to write before it. Undefined if it is no path. */
export async function pathWithoutFormat(item: string): Promise<Problem | undefined> {
  const where = `--tasks ${item}`
  const [, path = '', rest = ''] = /^([^?]*?)((?:\?.*?)?(?::\d+(?:-\d+)?)?)$/s.exec(item) ?? []
  if (path === '' || !existsSync(resolve(path))) {
    // `humanevl:x.jsonl` has a format, whose name is misspelt.
    if (!isDataFile.test(path) || /^[\w-]{2,}:/.test(path)) return undefined
    return { where, what: `${path} does not exist`, fix: `Check the path, and write it as in csv:${path}.` }
  }
  const known = await recognisePath(resolve(path), importers)
  if (known)
    return {
      where,
      what: `is a path without a format; it looks like ${known.name}`,
      fix: `Write --tasks ${known.name}:${path}${rest}.`,
    }
  const names = importers.map(({ name }) => name).join(', ')
  const fix = `Write the format before it, as in csv:${path}. Formats: ${names}; see bench tasks.`
  return { where, what: 'is a path without a format', fix }
}

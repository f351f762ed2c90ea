import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** Returns a table of the YAML file that stands beside a test under the test's own name. */
export function tableOf<Table>(url: string, name: string): Table {
  const path = fileURLToPath(url).replace(/(?:\.test)?\.ts$/, '.yaml')
  const tables = parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Table>>
  const table = tables[name]
  if (table === undefined) throw new Error(`${path} has no table ${name}`)
  return table
}

import { tableOf } from '../house/tables.ts'

/** A kind of value: makers of a right and of a wrong one, and a body that accepts only the right one, made by `v()`. */
export type ValueRow = readonly [right: string, wrong: string, body: string]

const rows = tableOf<Record<string, [right: string, wrong: string, body?: string]>>(
  import.meta.url,
  'valueRows',
)

/** By name, each kind of value that tests in their own process treat as in one process. */
export const valueRows = Object.fromEntries(
  Object.entries(rows).map(([name, [right, wrong, body]]): [string, ValueRow] => [
    name,
    [right, wrong, body ?? `assert.deepStrictEqual(v(), ${right})`],
  ]),
)

import { rowName } from '../../../schema/agent/agent-set.ts'
import { boundName } from '../../row.ts'
import type { ComparisonRow } from './comparison-data.ts'

/** The rows that compete: without bounds, unless there is nothing else. */
export function dropBounds(rows: readonly ComparisonRow[]): readonly ComparisonRow[] {
  const competing = rows.filter(({ agents }) => boundName(agents) === undefined)
  return competing.length > 0 ? competing : rows
}

/**
 * Rows in their order: by method, then by set of agents; each with the name that tables give it. A method that ran with
 * several agents without being told to has them in brackets.
 */
export function labelRows(
  rows: readonly ComparisonRow[],
  methods: readonly string[],
  sets: readonly string[] = [],
) {
  const place = (name: string | null, names: readonly string[]) =>
    name !== null && names.includes(name) ? names.indexOf(name) : names.length
  const name = ({ method, set, agents }: ComparisonRow) => `${method}\n${set ?? ''}\n${agents}`
  return rows
    .toSorted(
      (a, b) =>
        place(a.method, methods) - place(b.method, methods) ||
        place(a.set, sets) - place(b.set, sets) ||
        (name(a) < name(b) ? -1 : 1),
    )
    .map((row) => {
      const own = rowName(row.method, row.set)
      const alone = rows.filter(({ method, set }) => method === row.method && set === row.set).length === 1
      return { ...row, label: alone ? own : `${own} (${row.agents})` }
    })
}

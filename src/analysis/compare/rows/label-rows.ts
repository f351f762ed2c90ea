import { rowName } from '../../../schema/agent/agent-set.ts'
import { boundName } from '../../row.ts'
import type { ComparisonRow } from './comparison-data.ts'

/** Returns the rows without bounds (oracle, no-op), or all rows if there are only bounds. */
export function dropBounds(rows: readonly ComparisonRow[]): readonly ComparisonRow[] {
  const competing = rows.filter(({ agents }) => boundName(agents) === undefined)
  return competing.length > 0 ? competing : rows
}

/**
 * Sorts rows by method, then by set of agents, and gives each the label that tables print. If a method ran with several
 * agents outside of named sets, its labels have the agents in brackets.
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

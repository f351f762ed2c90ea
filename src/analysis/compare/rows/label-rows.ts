import { rowName } from '../../../schema/agent/agent-set.ts'
import { boundOf } from '../../row.ts'
import type { GatheredRow } from './comparison-data.ts'

/** The rows that compete: without bounds, unless there is nothing else. */
export function competingRows(rows: readonly GatheredRow[]): readonly GatheredRow[] {
  const competing = rows.filter(({ agents }) => boundOf(agents) === undefined)
  return competing.length > 0 ? competing : rows
}

/**
 * Rows in their order: by method, then by set of agents; each with the name that tables give it. A method that ran with
 * several agents without being told to has them in brackets.
 */
export function labelledRows(
  rows: readonly GatheredRow[],
  methods: readonly string[],
  sets: readonly string[] = [],
) {
  const place = (name: string | null, names: readonly string[]) =>
    name !== null && names.includes(name) ? names.indexOf(name) : names.length
  const name = ({ method, set, agents }: GatheredRow) => `${method}\n${set ?? ''}\n${agents}`
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

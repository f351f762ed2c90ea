/** The identity of a table row: a method, its agents, and their set if the run has several. */
export interface RowName {
  method: string
  agents: string
  set: string | null
}

/** Rows in the order in which they were first asked for. */
interface Rows<Row extends RowName> {
  /** Returns the row of this name; creates it the first time. */
  of(method: string, agents: string, set: string | null): Row
  all(): Row[]
}

/** Returns an empty list of rows. `empty` creates a row. */
export function createRows<Row extends RowName>(
  empty: (method: string, agents: string, set: string | null) => Row,
): Rows<Row> {
  const rows: Row[] = []
  return {
    of(method, agents, set) {
      const known = rows.find((row) => row.method === method && row.agents === agents && row.set === set)
      if (known) return known
      const added = empty(method, agents, set)
      rows.push(added)
      return added
    },
    all: () => [...rows],
  }
}

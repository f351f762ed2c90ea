/** What tells one row of a table from another: a method, its agents, and their set where the run has several. */
export interface RowName {
  method: string
  agents: string
  set: string | null
}

/** Rows in the order in which they come. */
export interface Rows<Row extends RowName> {
  /** The row of this name, made when it comes for the first time. */
  of(method: string, agents: string, set: string | null): Row
  all(): Row[]
}

/** No rows yet. */
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

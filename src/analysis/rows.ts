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
  // A run has a few rows for each method, and asks for one with every record.
  const byMethod = new Map<string, Row[]>()
  return {
    of(method, agents, set) {
      const known = byMethod.get(method)
      // By number: an iterator for each record costs more than the look itself.
      for (let i = 0; known && i < known.length; i++) {
        const row = known[i] as Row
        if (row.agents === agents && row.set === set) return row
      }
      const added = empty(method, agents, set)
      rows.push(added)
      if (known) known.push(added)
      else byMethod.set(method, [added])
      return added
    },
    all: () => [...rows],
  }
}

import { areSimulated, isSimulated } from '../agents/what-answers.ts'
import type { Problem } from '../errors.ts'
import type { RowAgents } from '../loop/row-agents.ts'

/** Rows with simulated agents beside rows without any: their numbers may not stand in one table, so they are two runs. */
export function mixedRows(rows: RowAgents): Problem[] {
  const all = [...rows].map(([name, agents]) => ({ name, agents: Object.values(agents) }))
  const one = all.find(({ agents }) => areSimulated(agents))
  const other = all.find(({ agents }) => agents.length > 0 && !areSimulated(agents))
  if (!one || !other) return []
  const named = one.agents.find(isSimulated)?.name
  return [
    {
      where: '--agents',
      what: `${one.name} asks ${named}, whose numbers are made up, and ${other.name} asks no such agent: they cannot stand in one table`,
      fix: 'Run them apart.',
    },
  ]
}

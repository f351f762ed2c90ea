import { boundOf } from '../analysis/bound.ts'
import type { Summary } from '../analysis/summary.ts'

/** Why rows with these agents stand in no comparison; undefined where none of them is a bound. */
export function boundsIn(rows: Summary['methods']): string | undefined {
  const bounds = new Set(rows.map(({ agents }) => agents).filter((agents) => boundOf(agents) !== undefined))
  if (bounds.size === 0) return undefined
  return `${[...bounds].join(' and ')} ${bounds.size === 1 ? 'is a bound' : 'are bounds'}, and bounds stand in no comparison`
}

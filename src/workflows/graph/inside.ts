import type { GraphPart } from '../../schema/graph/plan.ts'
import type { PatternPlace } from './compiler.ts'

/** Returns the patterns that a step of a pattern is in. */
export const inside = (
  { parts, id }: PatternPlace,
  kind: GraphPart['kind'],
  more: Pick<GraphPart, 'turn' | 'joins'> = {},
): GraphPart[] => [...parts, { pattern: id, kind, ...more }]

/** Returns the entries of a map in the order of their names, whatever the order in the document. */
export const byName = <Value>(map: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))

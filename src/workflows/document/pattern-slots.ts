import type { GraphPart } from '../../schema/graph/plan.ts'

/** What a field of a pattern holds: one step or pattern, several by name, a chain of them, or several chains by name. */
export type Holds = 'slot' | 'slots' | 'chain' | 'chains'

/** The fields of each pattern that hold its parts. */
export const patternSlots: Readonly<Record<GraphPart['kind'], Readonly<Record<string, Holds>>>> = {
  linear: { steps: 'chain' },
  fork_join: { branches: 'chains', join: 'slot' },
  debate: { debaters: 'slots', judge: 'slot' },
  planner_executor: { planner: 'slot', executor: 'slot', finish: 'slot' },
  referee: { candidates: 'slots', referee: 'slot' },
  hierarchical: { boss: 'slot', workers: 'slots', finish: 'slot' },
}

/** Returns how a slot is named in ids. */
export const slotName = (field: string): string => shortNames[field] ?? field

const shortNames: Readonly<Record<string, string>> = { planner: 'plan', executor: 'execute' }

import { type Assignment, type Confounding, findConfounding } from './tools.ts'

/** Whether who is asked is what a row is: a `mix` of agents is its method, and one agent `alone` has none beside its model. */
export type AgentsAsMethod = 'mix' | 'alone'

interface RowModels {
  assignment: Assignment | undefined
  kind: AgentsAsMethod | undefined
}

/**
 * Returns how two rows differ in their models: `mixes` where the models are what the two are, so that they are compared whole;
 * `confounded` where a method and its models cannot be separated. Both null where the models are equal or unknown.
 */
export function compareModels(
  a: RowModels,
  b: RowModels,
): { confounded: Confounding | null; mixes?: Confounding } {
  const differing = findConfounding(a.assignment, b.assignment)
  if (!differing || !isOfMixes(a, b)) return { confounded: differing }
  return { confounded: null, mixes: differing }
}

function isOfMixes(a: RowModels, b: RowModels): boolean {
  const [ours, theirs] = [mixOf(a), mixOf(b)]
  if (!ours && !theirs) return a.kind === 'alone' && b.kind === 'alone'
  return isBeside(ours, b) && isBeside(theirs, a)
}

/** The models of a mix; a row that asks one model is none, whatever its method. */
function mixOf({ assignment = {}, kind }: RowModels): ReadonlySet<string> | undefined {
  const models = new Set(Object.values(assignment))
  return kind === 'mix' && models.size > 1 ? models : undefined
}

/** Whether a row has nothing beside a mix that could be confounded with models: it is a mix, an agent alone, or asks the same models. */
function isBeside(mix: ReadonlySet<string> | undefined, row: RowModels): boolean {
  if (!mix || mixOf(row) || row.kind === 'alone') return true
  return Object.values(row.assignment ?? {}).every((model) => mix.has(model))
}

import type { CompareOptions } from '../analysis/compare/compare.ts'
import type { Refusal } from '../analysis/refusal.ts'
import { inBlockOrder } from '../loop/plan.ts'
import type { RunFacts } from '../reports/comparison/facts.ts'
import { defaultComparison } from '../schema/comparison-plan.ts'
import type { RunManifest } from '../schema/run.ts'
import { assignmentsOf } from './assignments.ts'

/** How a run's plan wants its methods to be compared. */
export function compareOptions(manifest: RunManifest, voided: Refusal | null): CompareOptions {
  return {
    ...(manifest.comparison ?? defaultComparison),
    baseline: manifest.baseline,
    methods: manifest.methods.map(({ label }) => label),
    agentSets: manifest.agentSets?.map(({ label }) => label) ?? [],
    assignments: assignmentsOf(manifest),
    epochs: manifest.epochs,
    order: inBlockOrder(manifest.tasks, manifest.seed).map(({ ref }) => ref),
    seed: manifest.seed,
    voided,
  }
}

/** Why tests for a fixed number of tasks are void: trials came after a look, or the plan is not whole and it was no limit. */
export function voidedBy(
  { recorded, planned, stoppedByLimit }: Pick<RunFacts, 'recorded' | 'planned' | 'stoppedByLimit'>,
  looks: readonly number[],
): Refusal | null {
  if (looks.some((records) => records < recorded)) return 'looked'
  return recorded < planned && !stoppedByLimit ? 'unfinished' : null
}

import { withoutLabel } from '../../agents/agent.ts'
import type { CompareOptions } from '../../analysis/compare/compare.ts'
import type { Assignment } from '../../analysis/compare/confounding.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import { orderBlocks } from '../../loop/plan/plan.ts'
import type { RunFacts } from '../../reports/comparison/facts.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import { defaultComparison } from '../../schema/run/comparison-plan.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Returns the options of a comparison as the run's plan states them. */
export function compareOptions(manifest: RunManifest, voided: Refusal | null): CompareOptions {
  return {
    ...(manifest.comparison ?? defaultComparison),
    baseline: manifest.baseline,
    methods: manifest.methods.map(({ label }) => label),
    agentSets: manifest.agentSets?.map(({ label }) => label) ?? [],
    assignments: assignmentsOf(manifest),
    epochs: manifest.epochs,
    order: orderBlocks(manifest.tasks, manifest.seed).map(({ ref }) => ref),
    seed: manifest.seed,
    voided,
  }
}

/** Returns why tests for a fixed number of tasks are void: trials were added after an interim look, or the run is unfinished and no limit stopped it. */
export function testRefusal(
  { recorded, planned, stoppedByLimit }: Pick<RunFacts, 'recorded' | 'planned' | 'stoppedByLimit'>,
  looks: readonly number[],
): Refusal | null {
  if (looks.some((records) => records < recorded)) return 'looked'
  return recorded < planned && !stoppedByLimit ? 'unfinished' : null
}

/** Returns the model of each role, for each method and set of agents, by the row's name in tables. */
export function assignmentsOf(manifest: RunManifest): Record<string, Assignment> {
  const modelOf = (name: string) => {
    // The same model under another name or key is still the same model.
    const { keyVariable: _, ...setting } = manifest.agentSettings?.[name] ?? {}
    const set = Object.keys(setting).length > 0 ? ` ${JSON.stringify(setting)}` : ''
    return `${withoutLabel(name)}${set}`
  }
  const entries = manifest.methods.flatMap(({ label, roles, agents: own }) =>
    agentSetsOf(manifest).map((set): [string, Assignment] => {
      const names: Record<string, string> = { ...set.agents, ...own }
      const asked = (roles ?? Object.keys(names)).map((role) => [role, modelOf(ofRole(names, role) ?? '')])
      return [rowName(label, set.label), Object.fromEntries(asked)]
    }),
  )
  return Object.fromEntries(entries)
}

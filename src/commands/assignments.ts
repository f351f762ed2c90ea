import { withoutLabel } from '../agents/agent-name.ts'
import type { Assignment } from '../analysis/compare/confounding.ts'
import { agentSetsOf, rowName } from '../schema/agent-set.ts'
import type { RunManifest } from '../schema/run.ts'

/** What answers for the roles of each method with each set of agents, by the name that tables give these. */
export function assignmentsOf(manifest: RunManifest): Record<string, Assignment> {
  const modelOf = (name: string) => {
    // Another name or key for the same model is no other model.
    const { keyVariable: _, ...setting } = manifest.agentSettings?.[name] ?? {}
    const set = Object.keys(setting).length > 0 ? ` ${JSON.stringify(setting)}` : ''
    return `${withoutLabel(name)}${set}`
  }
  const entries = manifest.methods.flatMap(({ label, roles, agents: own }) =>
    agentSetsOf(manifest).map((set): [string, Assignment] => {
      const names: Record<string, string> = { ...set.agents, ...own }
      const asked = (roles ?? Object.keys(names)).map((role) => [
        role,
        modelOf(names[role] ?? names['*'] ?? ''),
      ])
      return [rowName(label, set.label), Object.fromEntries(asked)]
    }),
  )
  return Object.fromEntries(entries)
}

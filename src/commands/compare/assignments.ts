import { withoutLabel } from '../../agents/agent.ts'
import type { Assignment } from '../../analysis/compare/tools.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'

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

import type { MethodSummary } from '../../analysis/summary.ts'
import { agentsText, legendTexts, shortName } from '../../reports/words/agents-text.ts'
import { agentSetsOf, ofRole } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Returns the agents of the roles that a row's method has, in short, and what stands behind their names. */
export function shownAgents(
  manifest: RunManifest,
  row: Pick<MethodSummary, 'method' | 'set' | 'agents'>,
): Pick<MethodSummary, 'roleAgents' | 'agentLegend'> {
  const method = manifest.methods.find(({ label }) => label === row.method)
  const set = agentSetsOf(manifest).find(({ label }) => (label ?? null) === row.set)
  if (!method || !set) return {}
  const byRole = { ...set.agents, ...method.agents }
  const roles = method.roles?.length ? method.roles : undefined
  const roleAgents = agentsText(byRole, roles, shortName)
  const asked = roles ? roles.flatMap((role) => ofRole(byRole, role) ?? []) : Object.values(byRole)
  const agentLegend = legendTexts(asked, manifest.agentSettings)
  return {
    ...(roleAgents !== row.agents && { roleAgents }),
    ...(agentLegend.length > 0 && { agentLegend }),
  }
}

import { z } from 'zod'

/** One of the sets of agents that a run gives to every method, where it has several. */
export const AgentSet = z.object({
  /** As written after `--agents`. */
  label: z.string(),
  /** Agents by role; `*` stands for all others. */
  agents: z.record(z.string(), z.string()),
})
export type AgentSet = z.infer<typeof AgentSet>

/** The sets of agents of a run; without a label where it has one only. */
export function agentSetsOf(run: {
  agents: AgentSet['agents']
  agentSets?: readonly AgentSet[] | undefined
}): readonly { label?: string; agents: AgentSet['agents'] }[] {
  return run.agentSets ?? [{ agents: run.agents }]
}

/** A method as it is named in tables and after `--fail-if`: with its set of agents where the run has several. */
export function rowName(method: string, set: string | null | undefined): string {
  return set === null || set === undefined ? method : `${method}@${set}`
}

/** Every method with every set of agents, as `rowName` names them. */
export function rowNames(run: {
  methods: readonly { label: string }[]
  agents: AgentSet['agents']
  agentSets?: readonly AgentSet[] | undefined
}): string[] {
  return run.methods.flatMap((method) => agentSetsOf(run).map((set) => rowName(method.label, set.label)))
}

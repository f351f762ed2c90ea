import { z } from 'zod'

/** One of several sets of agents, or of wordings with the same agents; a run gives each of them to every method. */
export const AgentSet = z.object({
  /** As written after `--agents`; of a wording the name of its file, or `default`. */
  label: z.string(),
  /** Agents by role; `*` stands for all others. */
  agents: z.record(z.string(), z.string()),
  /** Further instructions that stand beside each task, and the file that held them; absent: none. */
  instructions: z.object({ file: z.string(), text: z.string() }).optional(),
})
export type AgentSet = z.infer<typeof AgentSet>

/** Returns what a role has, or else what all roles have. A role may be called `constructor`. */
export const ofRole = <Value>(byRole: Readonly<Record<string, Value>>, role: string): Value | undefined =>
  Object.hasOwn(byRole, role) ? byRole[role] : byRole['*']

/** Returns the sets of agents of a run; a single set has no label. */
export function agentSetsOf(run: {
  agents: AgentSet['agents']
  agentSets?: readonly AgentSet[] | undefined
}): readonly (Pick<AgentSet, 'agents' | 'instructions'> & { label?: string })[] {
  return run.agentSets ?? [{ agents: run.agents }]
}

/** Returns the agents that the methods of a run ask, each once. */
export function agentsAsked(
  run: Parameters<typeof agentSetsOf>[0] & {
    methods: readonly { roles?: readonly string[] | undefined; agents?: AgentSet['agents'] | undefined }[]
  },
): string[] {
  const names = agentSetsOf(run).flatMap(({ agents }) =>
    run.methods.flatMap(({ roles = Object.keys(agents), agents: own }) =>
      roles.flatMap((role) => ofRole({ ...agents, ...own }, role) ?? []),
    ),
  )
  return [...new Set(names)]
}

/** Returns the name of a method in tables and in `--fail-if`: with its set of agents if the run has several. */
export function rowName(method: string, set: string | null | undefined): string {
  return set === null || set === undefined ? method : `${method}@${set}`
}

/** Returns the names of every method with every set of agents; see `rowName`. */
export function rowNames(run: {
  methods: readonly { label: string }[]
  agents: AgentSet['agents']
  agentSets?: readonly AgentSet[] | undefined
}): string[] {
  return run.methods.flatMap((method) => agentSetsOf(run).map((set) => rowName(method.label, set.label)))
}

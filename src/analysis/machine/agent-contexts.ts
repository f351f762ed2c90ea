import { type ContextHealth, contextHealth } from './context-health.ts'

/** The fullest context window of one agent of a method. */
export interface AgentContext extends ContextHealth {
  method: string
  /** Label of the set of agents, if the run has several. */
  set: string | null
  /** The role in the method, and the agent's name in records. */
  role: string
  agent: string
  source: 'setting' | 'table' | null
  /** Trials whose calls it answered. */
  trials: number
}

/** The largest prompt of an agent in one trial. */
export interface TrialContext extends Pick<AgentContext, 'method' | 'set' | 'role' | 'agent' | 'source'> {
  used: number | null
  window: number | null
}

/** Returns the fullest window of each agent over its trials, in the order of the first. */
export function agentContexts(contexts: readonly TrialContext[]): AgentContext[] {
  const rows = new Map<string, TrialContext & { trials: number }>()
  for (const one of contexts) {
    const key = JSON.stringify([one.method, one.set, one.role, one.agent])
    const row = rows.get(key)
    if (!row) rows.set(key, { ...one, trials: 1 })
    else {
      row.trials++
      row.used = largest(row.used, one.used)
      row.window ??= one.window
      row.source ??= one.source
    }
  }
  return [...rows.values()].map(({ used, window, ...row }) => ({ ...row, ...contextHealth(used, window) }))
}

const largest = (a: number | null, b: number | null) => (a === null ? b : Math.max(a, b ?? a))

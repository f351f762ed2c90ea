import { groupBy } from '../../base/grouping.ts'

/** How full a context window is: at most 60 percent, above 60, above 80, above 90; `unknown` where its size or use is. */
type HealthLevel = 'healthy' | 'moderate' | 'filling' | 'critical' | 'unknown'

/** The health of a context window. */
export interface ContextHealth {
  /** The largest prompt in tokens, and the window; null: unknown. */
  used: number | null
  window: number | null
  percent: number | null
  level: HealthLevel
  advice: string
}

const levels = [
  {
    above: 90,
    level: 'critical',
    advice: 'Shorten the conversation with a summary, or begin a new session.',
  },
  { above: 80, level: 'filling', advice: 'The window is filling up; plan a summary or a new session.' },
  { above: 60, level: 'moderate', advice: 'Over half of the window is in use; nothing to do yet.' },
] as const

/** Returns the health of a window of which the largest prompt used `used` tokens. A limit itself belongs to the level below it. */
export function contextHealth(used: number | null, window: number | null): ContextHealth {
  if (used === null || window === null)
    return {
      ...{ used, window, percent: null, level: 'unknown' },
      advice:
        window === null
          ? "The window is unknown; set the agent's `window` in the config file."
          : 'The calls reported no tokens.',
    }
  const percent = (100 * used) / window
  const found = levels.find(({ above }) => 100 * used > above * window)
  return {
    ...{ used, window, percent },
    level: found?.level ?? 'healthy',
    advice: found?.advice ?? 'Plenty of room is left.',
  }
}

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
  const rows = groupBy(contexts, ({ method, set, role, agent }) => JSON.stringify([method, set, role, agent]))
  return [...rows.values()].map((trials) => {
    const [{ method, set, role, agent }] = trials
    const known = trials.flatMap(({ used }) => used ?? [])
    return {
      ...{ method, set, role, agent },
      source: trials.find(({ source }) => source !== null)?.source ?? null,
      trials: trials.length,
      ...contextHealth(
        known.length === 0 ? null : Math.max(...known),
        trials.find(({ window }) => window !== null)?.window ?? null,
      ),
    }
  })
}

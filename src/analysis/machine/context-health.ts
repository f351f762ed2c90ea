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

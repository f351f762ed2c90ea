import type { AgentSetting } from '../../schema/agent/agent-settings.ts'
import type { Config } from '../../schema/run/config.ts'

export type AgentEntry = NonNullable<Config['agents']>[string]

/** Returns `PROVIDER:MODEL`, or `LABEL=PROVIDER:MODEL` if the agent has further settings. Its window changes no call, so it needs no label. */
export function recordedName(label: string, agent: AgentEntry): string {
  if (typeof agent === 'string') return agent
  const { provider, model, window: _, ...more } = agent
  const plain = model === undefined ? provider : `${provider}:${model}`
  return Object.keys(more).length > 0 ? `${label}=${plain}` : plain
}

/** Returns the settings of an entry, without its provider, model and prices. */
export function entrySetting(agent: Exclude<AgentEntry, string>): AgentSetting {
  const { provider: _, model: __, prices: ___, ...setting } = agent
  return setting
}

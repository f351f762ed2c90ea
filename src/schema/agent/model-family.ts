import { readModelName } from './model-name.ts'

/** What is known of two agents: the same model, models of one family, or neither. */
export type Kinship = 'model' | 'family' | undefined

/**
 * Returns how the models of two agents are related, by their names in records. Agents of the harness itself, such as simulated ones,
 * are related to nobody.
 */
export function kinshipOf(one: string, other: string): Kinship {
  const [a, b] = [modelOf(one), modelOf(other)]
  if (a === undefined || b === undefined) return undefined
  if (a.model === b.model) return 'model'
  return [...a.families].some((family) => b.families.has(family)) ? 'family' : undefined
}

const ofHarness = ['simulated', 'oracle', 'no-op', 'scripted']

/** The family of the models that a vendor, or its own program, serves. */
const vendors: Readonly<Record<string, string>> = {
  ...{ anthropic: 'claude', claude: 'claude', openai: 'gpt', codex: 'gpt', google: 'gemini' },
  ...{ gemini: 'gemini', qwen: 'qwen' },
}

function modelOf(agent: string): { model: string; families: Set<string> } | undefined {
  const plain = agent.replace(/^[^:=]*=/, '').toLowerCase()
  const at = plain.indexOf(':')
  const provider = at < 0 ? plain : plain.slice(0, at)
  if (ofHarness.includes(provider)) return undefined
  const name = at < 0 ? '' : plain.slice(at + 1)
  const families = new Set(readModelName(name).families)
  const vendor = vendors[provider]
  if (vendor !== undefined) families.add(vendor)
  // `anthropic/claude-x` of a proxy is the model `claude-x`.
  return { model: name.slice(name.lastIndexOf('/') + 1), families }
}

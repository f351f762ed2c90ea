import type { KindOfWork } from '../../strategy.ts'

/** What a local model is wanted for. */
type LocalRole = 'writer' | 'auditor' | 'coder'

/** Models for machines of one size: Ollama's default quantisation (4 bits), with room for the context. */
export interface Tier {
  name: string
  /** Graphics memory from which it holds; GiB. Sizes between two tiers fall to the lower one. */
  fromGib: number
  models: Readonly<Record<LocalRole, string>>
  /** Where the role's model is not installed. */
  fallback: string
  /** Context that still fits beside the model; tokens. */
  context: number
}

/** From the smallest to the largest. A card that is sold as 16 GB tells a little less, hence the lower bounds. */
export const tiers: readonly Tier[] = [
  {
    name: 'cpu',
    fromGib: 0,
    models: { writer: 'llama3.2:3b', auditor: 'llama3.2:3b', coder: 'qwen2.5-coder:1.5b' },
    fallback: 'llama3.2:1b',
    context: 4_096,
  },
  {
    name: '8gb',
    fromGib: 6,
    models: { writer: 'llama3.1:8b', auditor: 'mistral:7b', coder: 'qwen2.5-coder:7b' },
    fallback: 'llama3.2:3b',
    context: 8_192,
  },
  {
    name: '16gb',
    fromGib: 12,
    models: { writer: 'qwen2.5:14b', auditor: 'qwen2.5:14b', coder: 'qwen2.5-coder:14b' },
    fallback: 'llama3.1:8b',
    context: 16_384,
  },
  {
    name: '24gb',
    fromGib: 20,
    models: { writer: 'qwen2.5:32b', auditor: 'qwen2.5:32b', coder: 'qwen2.5-coder:32b' },
    fallback: 'qwen2.5:14b',
    context: 16_384,
  },
  {
    name: '48gb',
    fromGib: 40,
    models: { writer: 'llama3.3:70b', auditor: 'llama3.3:70b', coder: 'qwen2.5-coder:32b' },
    fallback: 'qwen2.5:32b',
    context: 32_768,
  },
]

/** The largest tier that fits. */
export function tierFor(gib: number): Tier {
  return tiers.findLast(({ fromGib }) => gib >= fromGib) ?? (tiers[0] as Tier)
}

/** Who produces is the coder, who judges the auditor; summaries and decisions are a writer's. */
export function localRoleOf(work: KindOfWork): LocalRole {
  return work === 'produce' ? 'coder' : work === 'judge' ? 'auditor' : 'writer'
}

/** The model of a tier for a role among those that are installed, else the tier's fallback; undefined when neither is there. */
export function chosenModel(tier: Tier, role: LocalRole, installed: readonly string[]): string | undefined {
  return [tier.models[role], tier.fallback].find((model) => isInstalled(model, installed))
}

/** Ollama calls a model without a tag `latest`. */
export function isInstalled(model: string, installed: readonly string[]): boolean {
  return installed.includes(model.includes(':') ? model : `${model}:latest`)
}

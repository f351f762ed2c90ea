import type { KindOfWork } from '../../ask.ts'

/** The purpose of a local model. */
type LocalRole = 'writer' | 'auditor' | 'coder'

/** Models for one size of machine, in Ollama's default quantisation (4 bits), with room for the context. */
export interface Tier {
  name: string
  /** Minimum graphics memory in GiB. A size between two tiers gets the lower one. */
  fromGib: number
  models: Readonly<Record<LocalRole, string>>
  /** The model to use if the role's model is not installed. */
  fallback: string
  /** Context size that fits beside the model, in tokens. */
  context: number
}

/** All tiers, smallest first. A card sold as 16 GB reports a little less, so the bounds are lower than the names. */
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

/** Returns the largest tier that fits. */
export function tierFor(gib: number): Tier {
  return tiers.findLast(({ fromGib }) => gib >= fromGib) ?? (tiers[0] as Tier)
}

/** Returns the local role for a kind of work: `coder` produces, `auditor` judges, `writer` summarises and decides. */
export function localRoleOf(work: KindOfWork): LocalRole {
  return work === 'produce' ? 'coder' : work === 'judge' ? 'auditor' : 'writer'
}

/** Returns a tier's model for a role, else its fallback; undefined if neither is installed. */
export function chosenModel(tier: Tier, role: LocalRole, installed: readonly string[]): string | undefined {
  return [tier.models[role], tier.fallback].find((model) => isInstalled(model, installed))
}

/** Whether a model is installed. Ollama gives a model without a tag the tag `latest`. */
export function isInstalled(model: string, installed: readonly string[]): boolean {
  return installed.includes(model.includes(':') ? model : `${model}:latest`)
}

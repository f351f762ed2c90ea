import type { RecordedFacts } from '../../schema/ledger/recorded-replies.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { counted } from './numbers.ts'

/**
 * Returns what is known of the recorded replies of a run, a sentence for each source: `Recorded replies of m from S (MIT, 2025): 1 sample a
 * task at most; the prompts are the source's; their time is unknown.` Empty for a run whose replies are its own.
 */
export function recordedTexts(recorded: RunManifest['recorded'] = {}): string[] {
  const models = new Map<string, { facts: RecordedFacts; models: string[] }>()
  for (const facts of Object.values(recorded)) {
    const { source, licence, date, prompts, samples } = facts
    const key = JSON.stringify([source, licence, date, prompts, samples])
    const same = models.get(key)
    if (same) same.models.push(facts.model)
    else models.set(key, { facts, models: [facts.model] })
  }
  return [...models.values()].map(({ facts, models }) => {
    const { source, licence, date, prompts, samples } = facts
    const whose = prompts === 'source' ? "the source's, not bench's" : "bench's"
    return `Recorded replies of ${[...new Set(models)].join(', ')} from ${source} (${licence}, ${date}): ${counted(samples, 'sample')} a task at most; the prompts are ${whose}; their time is unknown.`
  })
}

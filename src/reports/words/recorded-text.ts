import { basename } from 'node:path'
import { evidence } from '../../analysis/evidence.ts'
import type { RecordedFacts } from '../../schema/ledger/recorded-replies.ts'
import type { PastSession } from '../../schema/ledger/session.ts'
import type { VerdictCounts } from '../../schema/ledger/verdict.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { counted, formatCount, present } from './numbers.ts'

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
    return `${evidence.recorded.title} replies of ${[...new Set(models)].join(', ')} from ${source} (${licence}, ${date}): ${counted(samples, 'sample')} a task at most; the prompts are ${whose}; their time is unknown.`
  })
}

/**
 * Returns in a sentence how many verdicts of code the sessions of a run took from a file, and how many they gave by running it: `Verdicts of
 * code: 90 of 100 were taken from verdicts.jsonl.gz (SHA-256 0123456789ab); for 10 the code was run.` Null without such a file.
 */
export function verdictsText(sessions: readonly PastSession[]): string | null {
  const files = sessions.flatMap(({ verdicts }) => verdicts ?? [])
  const last = files.at(-1)
  if (!last) return null
  const counts = sessions.flatMap(({ end }) => end?.verdicts ?? [])
  const sum = (of: keyof VerdictCounts) => counts.reduce((total, one) => total + one[of], 0)
  const [taken, graded, proved] = [sum('taken'), sum('graded'), sum('proved')]
  const digests = new Set(files.flatMap(({ digest }) => digest?.slice(0, 12) ?? []))
  const named = `${basename(last.file)}${digests.size > 0 ? ` (SHA-256 ${[...digests].join(', then ')})` : ''}`
  const parts = present([
    `Verdicts of code: ${formatCount(taken)} of ${formatCount(taken + graded)} were taken from ${named}; for ${formatCount(graded)} the code was run`,
    proved > 0 && `${formatCount(proved)} of those taken were proved by running it again`,
    counts.length < files.length && 'sessions that were killed are not counted',
  ])
  return `${parts.join('; ')}.`
}

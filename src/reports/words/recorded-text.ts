import type { RecordedFacts } from '../../schema/ledger/recorded-replies.ts'
import type { PastSession } from '../../schema/ledger/session.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { counted, formatCount } from './numbers.ts'

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

/**
 * Returns in a sentence how many verdicts of code the sessions of a run took from a file, and how many they graded: `Verdicts of code: 90
 * of 100 were taken from verdicts.jsonl.gz (SHA-256 0123456789ab) and not run here; 10 were graded here.` Null without such a file.
 */
export function verdictsText(sessions: readonly PastSession[]): string | null {
  const using = sessions.filter(({ verdicts }) => verdicts)
  const last = using.findLast(({ verdicts }) => verdicts?.digest != null)?.verdicts ?? using.at(-1)?.verdicts
  if (!last) return null
  const counts = using.flatMap(({ end }) => end?.verdicts ?? [])
  const sum = (of: 'taken' | 'graded' | 'proved') => counts.reduce((total, one) => total + one[of], 0)
  const [taken, graded, proved] = [sum('taken'), sum('graded'), sum('proved')]
  const digests = new Set(using.flatMap(({ verdicts }) => verdicts?.digest ?? []))
  const named =
    last.digest === null
      ? last.file
      : `${last.file} (SHA-256 ${last.digest.slice(0, 12)}${digests.size > 1 ? ', changed between sessions' : ''})`
  return [
    `Verdicts of code: ${formatCount(taken)} of ${formatCount(taken + graded)} were taken from ${named}, which an earlier run of the same code made; ${formatCount(graded)} ${graded === 1 ? 'was' : 'were'} graded here`,
    ...(proved > 0
      ? [
          `${counted(proved, 'verdict')} of the file ${proved === 1 ? 'was' : 'were'} proved by running the code again`,
        ]
      : []),
    ...(counts.length < using.length ? ['sessions that were killed are not counted'] : []),
  ]
    .join('; ')
    .concat('.')
}

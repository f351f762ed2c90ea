import { basename } from 'node:path'
import { evidence } from '../../analysis/evidence.ts'
import type { RecordedFacts } from '../../schema/ledger/recorded-replies.ts'
import type { PastSession } from '../../schema/ledger/session.ts'
import type { VerdictCounts } from '../../schema/ledger/verdict.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { pricesText } from './bill-text.ts'
import { counted, formatCount, formatPercent, present } from './numbers.ts'

/** Things of one kind that are named one by one. */
const mostNamed = 3

/** Returns what a run says of the origin of its numbers, if they did not come from calls of its own: of recorded replies, or of an import. */
export const originTexts = ({
  recorded,
  imported,
  prices,
}: Pick<RunManifest, 'recorded' | 'imported' | 'prices'>): string[] => [
  ...recordedTexts(recorded),
  ...importedTexts(imported, prices),
]

/**
 * Returns what is known of the recorded replies of a run, a sentence for each source: `Recorded replies of m from S (MIT, 2025): 1 sample a
 * task at most; the prompts are the source's; their time is unknown.` Empty for a run whose replies are its own.
 */
function recordedTexts(recorded: RunManifest['recorded'] = {}): string[] {
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
 * Returns what is known of an import, in sentences: `Imported from swe-bench: 2 files. Verdicts, tokens, costs and times are those of the files.`, what
 * was left out, and each total that the files state and that differs from what was counted.
 */
function importedTexts(imported: RunManifest['imported'], prices: RunManifest['prices']): string[] {
  if (!imported) return []
  const {
    format,
    versions,
    files,
    copies,
    asFailed = 0,
    droppedAnswers = 0,
    leftOut,
    differing,
    rows,
    priced,
    stories,
    untested = [],
  } = imported
  const version = versions.length > 0 ? ` ${versions.join(' and ')}` : ''
  const states = rows.flatMap(({ row, notGraded, error, notRun }) => {
    const parts = present([
      notGraded > 0 && `${notGraded} not graded`,
      error > 0 && `${error} in error`,
      notRun > 0 && `${notRun} not run`,
    ])
    return parts.length > 0 ? [`${row} ${parts.join(', ')}`] : []
  })
  return present([
    `${evidence.imported.title} from ${format}${version}: ${counted(files.length, 'file')}. Verdicts, tokens and times are those of the files; so are costs${priced ? ', but for those that bench computed' : ''}.`,
    untested.length > 0 &&
      `Bench was not tried with version ${untested.join(' and ')} of this format: compare the numbers with those of its harness.`,
    ...(priced ? [pricedText(priced, prices)] : []),
    states.length > 0 && `Without a verdict: ${states.join('; ')}.`,
    asFailed > 0 &&
      `${counted(asFailed, 'trial')} without a verdict count${asFailed === 1 ? 's' : ''} as failed.`,
    droppedAnswers > 0 &&
      `The answers of ${counted(droppedAnswers, 'trial')} are not kept: together they are longer than 16 MiB.`,
    stories !== undefined &&
      stories.leftOut > 0 &&
      `The transcripts of ${counted(stories.leftOut, 'trial')} are not kept: run.json names them with reasons.`,
    copies > 0 && `${counted(copies, 'trial')} found twice, counted once.`,
    leftOut.count > 0 &&
      `Left out: ${leftOut.count} (${leftOut.items
        .slice(0, mostNamed)
        .map(({ where, what }) => `${where}: ${what}`)
        .join('; ')}${leftOut.count > mostNamed ? '; …' : ''}).`,
    ...differing.slice(0, mostNamed).map(differingText),
    differing.length > mostNamed &&
      `${differing.length - mostNamed} further totals differ: run.json has them.`,
  ])
}

function pricedText(
  { rows, unpriced }: NonNullable<NonNullable<RunManifest['imported']>['priced']>,
  prices: RunManifest['prices'],
): string {
  const own = rows.map(({ row, trials }) => `${row} ${trials}`).join(', ')
  const without = unpriced
    .slice(0, mostNamed)
    .map(({ why, trials }) => `${trials}, since ${why}`)
    .join('; ')
  return `Priced by bench, from tokens by ${pricesText(prices ?? {})}, as if nothing was cached where a file does not say: ${own || 'no trial'}${without && `; without a cost: ${without}`}.`
}

function differingText({
  where,
  row,
  what,
  stated,
  counted: own,
}: NonNullable<RunManifest['imported']>['differing'][number]): string {
  const text = (value: number) => (what === 'success rate' ? formatPercent(value) : String(value))
  return `${where} states ${what} ${text(stated)}${row === '' ? '' : ` of ${row}`}; counted: ${text(own)}.`
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

/** Returns in a sentence that the times of a run come from several kinds of machine; null if they come from one. */
export function machinesText(sessions: readonly Pick<PastSession, 'machine'>[]): string | null {
  const kinds = [...new Set(sessions.flatMap(({ machine }) => machine ?? []))].sort()
  if (kinds.length < 2) return null
  const more = kinds.length > mostNamed ? `, and ${kinds.length - mostNamed} more` : ''
  return `Times come from ${kinds.length} kinds of machine: ${kinds.slice(0, mostNamed).join(', ')}${more}.`
}

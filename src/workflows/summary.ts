import { z } from 'zod'
import type { TraceEvent } from '../strategy.ts'
import { AgentError } from '../text/errors.ts'
import { estimateTokens, splitBulk, tokenizer } from '../text/token-estimate.ts'
import { factsThatMatter, missingFacts, recall } from './facts.ts'
import { joinSegments, segments, trimToTokens, withBulk } from './work-context.ts'

/** What one summary did. Tokens are estimates of the named tokenizer. */
export interface SummaryMeasure {
  /** The kind of text, such as `contract`. */
  kind: string
  /** Tokens of the text. */
  before: number
  /** Tokens of the summary. */
  after: number
  reductionPercent: number
  /** Share of the text's facts that the summary kept, 0 to 1. */
  recall: number
  /** `agent`: by one ask; `repaired`: by a second ask; `extractive`: without a model; `unchanged`: the text was short enough. */
  how: 'agent' | 'repaired' | 'extractive' | 'unchanged'
  tokenizer: string
}

/** The options of a summariser. Spread them into a strategy's options, and pass the values to `createSummariser`. */
export const summaryOptions = {
  summarizer: z
    .enum(['agent', 'extractive'])
    .default('agent')
    .describe('what shortens texts above their target: an agent, or a program that extracts lines'),
  recall: z
    .number()
    .min(0)
    .max(1)
    .default(0.7)
    .describe('a summary that keeps a smaller share of the facts is repaired, then replaced'),
}

/** Asks a role for a summary, and shows it these texts: `(prompt, show) => ask('summarizer', prompt, { show })`. */
export type AskSummary = (prompt: string, show: Record<string, string>) => Promise<string>

/** How a summariser works. */
export interface SummariserSetup {
  /** Whether an agent is asked. */
  summarizer: 'agent' | 'extractive'
  /** The least share of facts, 0 to 1, that a summary must keep. */
  recall: number
  /** The context's `note`; it gets an event of type `summary` for each text. */
  note: (event: TraceEvent) => void
}

/**
 * Returns a summariser, which shortens texts and measures what is lost. A summary that loses too many facts is repaired by one
 * more ask, then replaced by an extract of the text's own lines.
 */
export function createSummariser(ask: AskSummary, { summarizer, recall: threshold, note }: SummariserSetup) {
  const measured: SummaryMeasure[] = []
  return {
    /** What each text lost, in order. */
    measured: measured as readonly SummaryMeasure[],
    /** Returns the sums, for the state in the record. */
    totals: () => summaryTotals(measured),
    /** Returns the text in at most `target` estimated tokens. Asks nobody if it is short enough. */
    async summarise(kind: string, text: string, target: number): Promise<string> {
      const summary = await shorten(kind, text, target, threshold, summarizer === 'agent' ? ask : undefined)
      const before = estimateTokens(text)
      const after = estimateTokens(summary.text)
      const reductionPercent = before === 0 ? 0 : round(100 * (1 - after / before), 1)
      const { how } = summary
      const measure = {
        kind,
        before,
        after,
        reductionPercent,
        recall: round(summary.recall, 4),
        how,
        tokenizer,
      }
      measured.push(measure)
      note({ type: 'summary', ...measure })
      return summary.text
    },
  }
}

/** See `createSummariser`. */
export type Summariser = ReturnType<typeof createSummariser>

/** Returns the sums of a trial. `fallbackShare` is the share of extractive summaries among shortened texts; null without any. */
function summaryTotals(measured: readonly SummaryMeasure[]) {
  const sum = (field: 'before' | 'after') => measured.reduce((total, measure) => total + measure[field], 0)
  const before = sum('before')
  const after = sum('after')
  const shortened = measured.filter(({ how }) => how !== 'unchanged').length
  const fallbacks = measured.filter(({ how }) => how === 'extractive').length
  return {
    summaries: measured.length,
    shortened,
    before,
    after,
    reductionPercent: before === 0 ? 0 : round(100 * (1 - after / before), 1),
    fallbacks,
    fallbackShare: shortened === 0 ? null : round(fallbacks / shortened, 4),
    tokenizer,
  }
}

interface Shortened {
  text: string
  recall: number
  how: SummaryMeasure['how']
}

async function shorten(
  kind: string,
  text: string,
  target: number,
  threshold: number,
  ask: AskSummary | undefined,
): Promise<Shortened> {
  if (estimateTokens(text) <= target) return { text, recall: 1, how: 'unchanged' }
  const facts = factsThatMatter(text, target)
  const rate = (how: Shortened['how'], summary: string): Shortened => {
    const trimmed = trimToTokens(summary, target)
    return { text: trimmed, recall: recall(facts, trimmed), how }
  }
  const tries: Shortened[] = []
  try {
    if (ask) tries.push(rate('agent', await ask(request(kind, target), { text })))
    const [first] = tries
    if (ask && first && first.recall < threshold) {
      const missing = missingFacts(facts, first.text).join('\n')
      const show = { text, summary: first.text, 'missing facts': trimToTokens(missing, target) }
      tries.push(rate('repaired', await ask(repair(kind, target), show)))
    }
  } catch (error) {
    // The fallback is for agents that give no usable reply. Limits end the method.
    if (!(error instanceof AgentError)) throw error
  }
  if (!tries.some((one) => one.recall >= threshold))
    tries.push(rate('extractive', extractiveSummary(text, target)))
  // An extract that keeps fewer facts than the agent's summary does not replace it. Among equals the later one wins.
  return tries.reduce((best, one) => (one.recall >= best.recall ? one : best))
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

const request = (kind: string, target: number) =>
  `Summarise the ${kind} below in at most ${target} tokens. Keep every requirement id, identifier, path and number ` +
  'that matters, word for word. Reply with the summary only.'
const repair = (kind: string, target: number) =>
  `Your summary of the ${kind} lost the facts listed below. Write it again with them, in at most ${target} tokens. ` +
  'Reply with the summary only.'

/**
 * Summarises a text without a model, in at most `target` estimated tokens: the lines and sentences with the most new facts for
 * their length, then what else fits from the top, all in their order.
 */
export function extractiveSummary(text: string, target: number): string {
  const { plain, bulkTokens } = splitBulk(text)
  const all = segments(plain).map((segment, order) => {
    const facts = factsThatMatter(segment.text)
    return { ...segment, order, facts, density: facts.length / segment.text.length }
  })
  const picked = new Set<(typeof all)[number]>()
  const covered = new Set<string>()
  let room = target * 4
  const pick = (segment: (typeof all)[number]) => {
    // One character more, for the separator.
    if (segment.text.length + 1 > room) return
    room -= segment.text.length + 1
    picked.add(segment)
    for (const fact of segment.facts) covered.add(fact)
  }
  for (const segment of all.toSorted((a, b) => b.density - a.density || a.order - b.order)) {
    if (segment.facts.some((fact) => !covered.has(fact))) pick(segment)
  }
  for (const segment of all) if (!picked.has(segment)) pick(segment)
  return withBulk(joinSegments(all.filter((segment) => picked.has(segment))), bulkTokens, target)
}

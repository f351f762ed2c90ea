import { z } from 'zod'
import type { TraceEvent } from '../strategy.ts'
import { AgentError } from '../text/errors.ts'
import { estimateTokens, tokenizer } from '../text/token-estimate.ts'
import { extractiveSummary } from './extractive.ts'
import { factsThatMatter, missingFacts, recall } from './facts.ts'
import { trimToTokens } from './trim.ts'

/** What one summary did. Tokens are estimates of the named tokenizer. */
interface SummaryMeasure {
  kind: string
  before: number
  after: number
  reductionPercent: number
  /** Share of the facts that matter which the summary kept, 0 to 1. */
  recall: number
  /** `agent` at the first ask, `repaired` after one more, `extractive` without a model, `unchanged` under the target. */
  how: 'agent' | 'repaired' | 'extractive' | 'unchanged'
  tokenizer: string
}

/** Options of a strategy that summarises. */
export const summaryOptions = {
  summarizer: z
    .enum(['agent', 'extractive'])
    .default('agent')
    .describe('who shortens what is over its target'),
  recall: z
    .number()
    .min(0)
    .max(1)
    .default(0.7)
    .describe('share of facts below which a summary is repaired, then replaced'),
}

/** Asks an agent for a summary; the texts that it leans on go as named context. */
export type AskSummary = (prompt: string, context: Record<string, string>) => Promise<string>

/** What a summariser works with: `recall` is the least that passes; `note` gets an event of type `summary` for each. */
interface SummariserSetup {
  summarizer: 'agent' | 'extractive'
  recall: number
  note: (event: TraceEvent) => void
}

/** Shortens texts to a target and keeps the measures of all that it shortened. */
export function createSummariser(ask: AskSummary, { summarizer, recall: threshold, note }: SummariserSetup) {
  const measured: SummaryMeasure[] = []
  return {
    measured: measured as readonly SummaryMeasure[],
    totals: () => summaryTotals(measured),
    /** The text in at most `target` estimated tokens; one that is no longer is passed on as it is, without an ask. */
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

/** Summarises texts and measures what that does. */
export type Summariser = ReturnType<typeof createSummariser>

/** Sums of a trial. `fallbackShare` is extractive ones among all that had to be shortened; null when none had to. */
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
      const context = { text, summary: first.text, 'missing facts': trimToTokens(missing, target) }
      tries.push(rate('repaired', await ask(repair(kind, target), context)))
    }
  } catch (error) {
    // No usable reply is what the fallback is for; limits and aborts are not.
    if (!(error instanceof AgentError)) throw error
  }
  if (!tries.some((one) => one.recall >= threshold))
    tries.push(rate('extractive', extractiveSummary(text, target)))
  // The last resort must not lose more than what it stands in for: of equals the later one.
  return tries.reduce((best, one) => (one.recall >= best.recall ? one : best))
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

const request = (kind: string, target: number) =>
  `Summarise the ${kind} below in at most ${target} tokens. Keep every requirement id, identifier, path and number ` +
  'that matters, word for word. Reply with the summary only.'
const repair = (kind: string, target: number) =>
  `Your summary of the ${kind} lost the facts listed below. Write it again with them, in at most ${target} tokens. ` +
  'Reply with the summary only.'

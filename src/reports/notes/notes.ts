import type { Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import type { SkippedItems } from '../../schema/run/run.ts'
import { shellWord } from '../../text/shell-word.ts'
import { shorten } from '../../text/shorten.ts'
import type { Note } from '../tables/table.ts'
import { methodName } from '../tables/task-columns.ts'
import { skippedTexts } from '../words/amendments-text.ts'
import { pricesText, reportedText } from '../words/bill-text.ts'
import { profileText } from '../words/evidence-text.ts'
import { counted, present } from '../words/numbers.ts'
import { oneProcessNotes } from '../words/trial-text.ts'
import { conductNotes } from './conduct-notes.ts'
import {
  baselineNotes,
  baselineTexts,
  noIntervalNotes,
  spendingNotes,
  spendingTexts,
  successTexts,
} from './spending-notes.ts'
import {
  boundTexts,
  groupByText,
  matchNotes,
  missingNotes,
  noVerdictNotes,
  trialNotes,
} from './trial-notes.ts'

interface MethodFacts {
  run: string
  prices: RunPrices | null
  limits: string
  /** How the plan was changed during the run; null if it was not. */
  amended: string | null
  skipped: readonly SkippedItems[]
  /** What the numbers come from, if not from calls of the run. */
  origin?: readonly string[]
  /** How many verdicts of code were taken from a file; null: the run had none. */
  verdicts?: string | null
  /** From which machines the times come, if from several kinds. */
  machines?: string | null
  /** A comparison has the intervals and verdicts of pairs. */
  compared: boolean
  /** A stop rule ended the run as planned. */
  settled: boolean
}

/** Returns the notes of the table of methods: facts, then definitions, last the commands that lead to the records. */
export function methodNotes(summary: Summary, facts: MethodFacts): Note[] {
  const path = shellWord(facts.run)
  return [
    ...factTexts(summary, facts).map((text): Note => ({ text })),
    ...definitionTexts(summary, facts).map((text): Note => ({ text, kind: 'definition' })),
    {
      text: 'Every number comes from these records:',
      kind: 'definition',
      commands: [`bench show ${path}`, `jq . ${shellWord(`${facts.run.replace(/\/+$/, '')}/records.jsonl`)}`],
    },
  ]
}

function factTexts(summary: Summary, facts: MethodFacts): string[] {
  const { amended, limits, compared } = facts
  const legend = [...new Set(summary.methods.flatMap(({ agentLegend = [] }) => agentLegend))]
  return present([
    amended,
    ...(facts.origin ?? []),
    facts.verdicts ?? null,
    facts.machines ?? null,
    ...skippedTexts(facts.skipped),
    legend.length > 0 && `Agents: ${legend.join('; ')}.`,
    ...trialNotes(summary, facts),
    ...errorNotes(summary),
    ...missingNotes(summary, facts),
    ...noVerdictNotes(summary),
    ...conductNotes(summary),
    ...matchNotes(summary),
    ...noIntervalNotes(summary),
    ...baselineNotes(summary, compared),
    ...spendingNotes(summary),
    ...priceNotes(summary),
    limits !== '' && `Limits of the run: ${limits}.`,
    summary.faults !== null &&
      `Faults were injected on purpose (${summary.faults}): these numbers describe the faults and the methods.`,
    summary.unsandboxed !== undefined &&
      `In ${counted(summary.unsandboxed, 'trial')} code or an agent ran without a sandbox, with the rights of the user who started bench.`,
    ...oneProcessNotes(summary.oneProcess),
    profileText(summary) !== '' && `These numbers ${profileText(summary)}s.`,
  ])
}

/** What the columns mean, and how their numbers are computed. */
function definitionTexts(summary: Summary, { prices }: MethodFacts): string[] {
  return [
    ...successTexts(summary),
    ...baselineTexts(summary),
    ...spendingTexts(summary),
    ...priceTexts(summary, prices),
    ...boundTexts(summary),
  ]
}

/** Most characters of what a server said. */
const longestWords = 300

/** Most characters of the name of an agent, which may be a whole command; the reason after it matters more. */
const longestAgent = 60

const withShortAgent = (words: string) =>
  words.replace(
    /^(\[agent )(.*?)(?=\] )/s,
    (_, before: string, name: string) => before + shorten(name, longestAgent),
  )

function errorNotes(summary: Summary): string[] {
  const reasons = new Map<string, { trials: number; first: string; rows: string[] }>()
  for (const row of summary.methods)
    for (const { reason, trials, first } of row.errors ?? []) {
      if (first === '') continue
      const known = reasons.get(reason) ?? { trials: 0, first, rows: [] }
      known.trials += trials
      known.rows.push(`${methodName(row, summary)} ${trials}`)
      reasons.set(reason, known)
    }
  return [...reasons].map(([reason, { trials, first, rows }]) => {
    const name = reason === 'other' ? '' : ` (${reason})`
    return `${counted(trials, 'trial')} ended in error${name}: ${rows.join(', ')}. The first: ${shorten(withShortAgent(first), longestWords)}`
  })
}

function priceTexts(summary: Summary, prices: RunPrices | null): string[] {
  if (summary.simulated) return []
  const compared = summary.methods.some((row) => row.againstBaseline !== null)
  if (summary.recorded)
    return [
      `Cost: the recorded tokens by ${prices ? pricesText(prices) : 'no prices'}; nobody paid it now. Unknown where there is no price.`,
    ]
  if (summary.imported)
    return [
      `Cost and list price: as the source states${prices ? `, else its tokens by ${pricesText(prices)}` : ''}; unknown where ${prices ? 'neither tells' : 'it does not'}.`,
    ]
  return [
    `Cost and bill: as billed, ${prices ? `by prices of ${pricesText(prices)}` : 'without a price list'}. List price: the same calls with nothing cached${compared ? '; ratios and comparisons use it, because a cache hit is not an achievement of a method' : ''}.`,
  ]
}

function priceNotes(summary: Summary): string[] {
  if (summary.simulated) return []
  return [
    ...groupByText(summary, ({ unreported }) =>
      unreported.listCalls > 0
        ? `the list price of ${summary.imported ? counted(unreported.listTrials, 'trial') : counted(unreported.listCalls, 'call')} is unknown, so comparisons of cost leave out ${counted(unreported.listTrials, 'trial')}`
        : '',
    ),
    ...groupByText(summary, ({ reported }) => (reported ? reportedText(reported) : '')),
  ]
}

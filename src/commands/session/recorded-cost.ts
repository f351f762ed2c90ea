import type { Agent, RecordedReplies } from '../../agents/agent.ts'
import { loadPriceBook } from '../../agents/price-book.ts'
import { findRowAgents } from '../../loop/plan/row-agents.ts'
import { taskAsks, wantedSamples } from '../../loop/plan/task-asks.ts'
import { counted, formatCount, formatUsd, unknown } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import { fittingTable } from '../terminal/terminal-width.ts'
import type { NewRun } from './new-run.ts'

/** What a row of a run of recorded replies asks for, and what that costs, before it runs. */
interface RecordedCost {
  method: string
  trials: number
  /** Replies that its trials use; without `isExact` the most that they may use. */
  replies: number
  isExact: boolean
  /** US dollars of these replies by their tokens and the user's prices; null: unknown. */
  costUsd: number | null
  /** Agents without a price, and replies without tokens. */
  unpriced: string[]
  uncounted: number
}

/**
 * Returns what each row of a run costs by the recorded tokens: exactly where the number of asks is fixed, else at most. A reply that is not
 * there costs nothing, since its trial is missing.
 */
export async function recordedCosts({
  manifest,
  strategies,
  agents,
  tasks,
}: Pick<NewRun, 'manifest' | 'strategies' | 'agents' | 'tasks'>): Promise<RecordedCost[]> {
  const rows = findRowAgents(manifest, strategies, agents, { allowMissing: true })
  const book = await loadPriceBook(manifest.prices?.file)
  const all: RecordedCost[] = []
  for (const method of manifest.methods)
    for (const { label } of agentSetsOf(manifest)) {
      const row = rowName(method.label, label)
      const strategy = strategies.find((one) => one.strategy.name === method.strategy)?.strategy
      const counts = strategy && taskAsks(strategy, method.options)
      if (!counts) continue
      const trials = tasks.length * manifest.epochs
      const found: RecordedCost = {
        ...{ method: row, trials, replies: 0, isExact: true, costUsd: 0, unpriced: [], uncounted: 0 },
      }
      for (const [name, agent] of byName(rows.get(row) ?? {})) {
        const replies = await agent.recorded?.()
        const { least, most } = wantedSamples(counts, (role) => rows.get(row)?.[role]?.name === name)
        if (!replies || most === 0) continue
        if (least < most) found.isExact = false
        for (const { tokens } of repliesUsed(replies, tasks, manifest.epochs * most)) {
          found.replies++
          const priced = { agent: name, model: replies.facts.model }
          const { costUsd } = book.bill(priced, { cached: null, ...tokens })
          if (tokens.input === null || tokens.output === null) found.uncounted++
          else if (costUsd === null && !found.unpriced.includes(name)) found.unpriced.push(name)
          found.costUsd = found.costUsd === null || costUsd === null ? null : found.costUsd + costUsd
        }
      }
      all.push(found)
    }
  return all
}

const byName = (own: Readonly<Record<string, Agent>>) =>
  new Map(Object.values(own).map((agent) => [agent.name, agent]))

const repliesUsed = ({ find }: RecordedReplies, tasks: NewRun['tasks'], samples: number) =>
  tasks.flatMap(({ ref }) => Array.from({ length: samples }, (_, i) => find(ref, i + 1) ?? []).flat())

/** Formats these costs, in lines of at most `width` columns: a line for each row, and what is unknown. */
export function recordedCostText(rows: readonly RecordedCost[], width: number): string[] {
  const most = ({ isExact }: RecordedCost, text: string) => (isExact ? text : `at most ${text}`)
  const cells = rows.map((row) => ({
    method: row.method,
    trials: formatCount(row.trials),
    replies: most(row, formatCount(row.replies)),
    dollars: row.costUsd === null ? unknown : most(row, formatUsd(row.costUsd)),
  }))
  const headings = { method: 'method', trials: 'trials', replies: 'replies', dollars: 'dollars' }
  const unpriced = [...new Set(rows.flatMap((row) => row.unpriced))]
  const uncounted = rows.reduce((sum, row) => sum + row.uncounted, 0)
  return [
    ...fittingTable(width, headings, cells, 'method'),
    '',
    ...(unpriced.length > 0 ? [safeLine(`no price of ${unpriced.join(', ')}: give one with --prices`)] : []),
    ...(uncounted > 0 ? [`${counted(uncounted, 'reply', 'replies')} without known tokens`] : []),
  ]
}

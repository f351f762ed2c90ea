import { evidenceOf } from '../../analysis/evidence.ts'
import type { PredictedSum } from '../../analysis/planning/tasks-needed.ts'
import { counted, formatCount, formatMs, formatUsd, nothing, unknown } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { fittingTable } from '../terminal/terminal-width.ts'
import type { AgentPrice } from './agent-price-list.ts'
import { highestCost, highestOf, type MethodEstimate } from './estimate.ts'

/** An estimate and what its text says beside it. */
export interface ShownEstimate {
  methods: readonly MethodEstimate[]
  /** What it was estimated from: a run folder, or a simulation in words. */
  source: string
  prices: readonly AgentPrice[]
  /** Trials that the run has in parallel. */
  parallel: number
  /** The run's agents are simulated: its clock is virtual. */
  simulated: boolean
}

/** Formats an estimate, in lines of at most `width` columns: a line for each method, the total, the prices, and notes. */
export function estimateText(estimate: ShownEstimate, width: number): string {
  const { methods, prices, source } = estimate
  const table = fittingTable(
    width,
    headings,
    methods.map((one) => cellsOf(one, estimate)),
    'method',
  )
  const notes = [`Estimated from ${source}.`, ...methods.flatMap((one) => notesOf(one, source))]
  return [
    ...table,
    '',
    ...wrapWords(`total: ${totalText(estimate)}`, width),
    ...wrapWords(timeText(estimate), width),
    ...priceLines(prices, width),
    '',
    ...notes.flatMap((note) => wrapWords(note, width)),
  ].join('\n')
}

const headings = {
  ...{ method: 'method', trials: 'trials', calls: 'calls', tokens: 'tokens' },
  ...{ dollars: 'dollars', time: 'time' },
}

function cellsOf(
  { method, trials, calls, tokens, costUsd, durationMs }: MethodEstimate,
  { parallel }: ShownEstimate,
): Record<keyof typeof headings, string> {
  return {
    method,
    trials: formatCount(trials),
    calls: calls ? formatCount(calls.middle) : unknown,
    tokens: tokens ? formatCount(tokens.middle) : unknown,
    dollars: costUsd ? formatSum(costUsd) : unknown,
    time: durationMs ? formatMs(durationMs.middle / parallel) : nothing,
  }
}

function formatSum({ middle, range }: PredictedSum): string {
  const text = formatUsd(middle)
  if (!range || range.low === range.high) return text
  return `${text} (${formatUsd(range.low)} to ${formatUsd(range.high)})`
}

/** Says what the estimate of a method lacks. */
function notesOf({ method, seen, lacking, otherTools }: MethodEstimate, source: string): string[] {
  const name = safeLine(method)
  if (seen === 0) return [`${name}: ${source} has no trials of it`]
  return [
    ...(lacking > 0
      ? [`${name}: ${counted(lacking, 'call')} without a known price or tokens not counted`]
      : []),
    ...(otherTools ? [`${name}: its agents had other tools in ${source}, so it may use more or less`] : []),
  ]
}

function totalText({ methods, simulated }: ShownEstimate): string {
  const totalOf = (usdOf: (one: MethodEstimate) => number) =>
    formatUsd(methods.reduce((sum, one) => sum + usdOf(one), 0)) + evidenceOf({ simulated }).mark
  if (methods.some(({ costUsd, lacking }) => costUsd === null || lacking > 0))
    return methods.some(({ leastUsd }) => leastUsd > 0)
      ? `${unknown}, at least ${totalOf(({ leastUsd }) => leastUsd)}`
      : unknown
  const middle = totalOf(({ costUsd }) => costUsd?.middle ?? 0)
  const high = highestCost(methods)
  if (high !== undefined) return `about ${middle}, 95% prediction interval up to ${formatUsd(high)}`
  const single = methods.filter(({ costUsd }) => highestOf(costUsd) === undefined)
  const names = safeLine(single.map(({ method }) => method).join(', '))
  return `about ${middle}, upper limit unknown: one trial of ${names} does not show how much trials vary. Estimate from a run with at least two: --estimate-from RUN`
}

function timeText({ methods, parallel, simulated }: ShownEstimate): string {
  if (methods.some(({ durationMs }) => durationMs === null)) return `time: ${unknown}`
  const all = methods.reduce((sum, { durationMs }) => sum + (durationMs?.middle ?? 0), 0)
  const clock = simulated
    ? ' by the simulated clock; the run itself waits for no model'
    : ', without waits for rate limits'
  return `time: about ${formatMs(all / parallel)} with ${counted(parallel, 'trial')} in parallel${clock}`
}

function priceLines(prices: readonly AgentPrice[], width: number): string[] {
  if (prices.length === 0) return []
  const known = prices.filter(({ input }) => input !== null)
  const usd = (value: number | null) => (value === null ? unknown : formatUsd(value))
  const rows = known.map(({ agent, input, output, from }) => ({
    ...{ agent: `${agent} (${from})`, input: usd(input), output: usd(output) },
  }))
  const titles = { agent: 'price per million tokens', input: 'input', output: 'output' }
  return [
    ...(known.length === 0 ? [] : ['', ...fittingTable(width, titles, rows, 'agent')]),
    ...(known.length === prices.length ? [] : ['']),
    ...prices.flatMap(({ input, agent, from }) =>
      input === null ? wrapWords(safeLine(`${agent}: ${from}`), width) : [],
    ),
  ]
}

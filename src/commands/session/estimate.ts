import { type PredictedSum, predictedSum } from '../../analysis/planning/tasks-needed.ts'
import { allSteps } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import { verifyLedger } from '../../loop/record/verify-ledger.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { MethodTools } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { presentBills } from '../agents/known-bill.ts'
import { openRun } from '../open/open-run.ts'
import { simulatedCosts } from './agent-price-list.ts'

/** The estimated use of one method of a run. */
export interface MethodEstimate {
  /** The method's label, with its agents if the run has several sets. */
  method: string
  trials: number
  /** Number of trials of the earlier run that the estimate uses; 0 means that nothing is known. */
  seen: number
  calls: PredictedSum | null
  /** From the trials whose tokens are all known; null without such a trial. */
  tokens: PredictedSum | null
  /** From the trials whose calls all have a known cost; null without such a trial. */
  costUsd: PredictedSum | null
  /** Time of the trials one after another, in ms; null if nothing is known. */
  durationMs: PredictedSum | null
  /** US dollars of the calls with a known cost alone, scaled like the sums: less than the cost if a cost is unknown. */
  leastUsd: number
  /** Number of calls without reported tokens or without a known price. */
  lacking: number
  /** Number of calls without reported tokens. */
  lackingTokens: number
  /** The agents of the method had other tools in the earlier run: with tools, an ask is several calls. */
  otherTools?: true
}

/** What a trial has used, as far as it is known, and the number of its calls whose tokens, or whose cost, are unknown. */
interface Used {
  durationMs: number
  calls: number
  tokens: number
  costUsd: number
  without: { tokens: number; costUsd: number }
}

const nothingUsed = (durationMs: number): Used => ({
  durationMs,
  calls: 0,
  tokens: 0,
  costUsd: 0,
  without: { tokens: 0, costUsd: 0 },
})

/**
 * Estimates what a run will use from the trials of an earlier one: with the earlier calls and tokens, at the prices of the new
 * run's agents. Methods are matched by label, else by strategy; sets of agents by label, else all earlier sets are used.
 */
export async function estimateRun(manifest: RunManifest, earlier: string): Promise<MethodEstimate[]> {
  const { manifest: before } = openRun(earlier)
  verifyLedger(earlier)
  const ended = new Map<string, EndedTrial>()
  for (const { trial, method, agentSet, durationMs } of readRecords(earlier))
    ended.set(trial, { row: rowName(method, agentSet), durationMs })
  const rows = rowsToEstimate(manifest, before, ended)
  const costOf = await costsNow(manifest)
  const judging = openJudging(manifest, before, ended)
  for (const step of allSteps(earlier)) {
    if (step.kind !== 'ask') continue
    if (judging && step.payer === 'grading')
      addJudging(judging, step, (agent) => costOf(step, { '*': agent }))
    if (step.payer !== 'method') continue
    for (const row of rows) {
      const sum = row.trials.get(step.trial)
      if (!sum) continue
      addCall(row, sum, step.tokens, costOf(step, row.agents))
    }
  }
  return [
    ...rows.map((row) => estimateOf(row, manifest.trials / rows.length)),
    ...(judging ? [estimateOf(judging.row, manifest.trials)] : []),
  ]
}

/** The name of the judges in an estimate, where the names of methods stand. */
export const judgesName = '(judges)'

/** The judges of a new run, and what those of the earlier run have used. */
interface Judging {
  row: EstimatedRow
  judges: readonly string[]
  before: number
}

/** Returns the row of a run's judges, whose sums are still 0; undefined without judges. */
function openJudging(
  { judges }: RunManifest,
  before: RunManifest,
  ended: ReadonlyMap<string, EndedTrial>,
): Judging | undefined {
  if (!judges) return undefined
  const trials = new Map(before.judges ? [...ended.keys()].map((trial) => [trial, nothingUsed(0)]) : [])
  const row = { label: judgesName, agents: {}, trials, lacking: 0, hasOtherTools: false }
  return { row, judges, before: before.judges?.length ?? 1 }
}

/** Adds a call of a judge: each judge of the new run will make as many calls as one of the earlier run, at its own price. */
function addJudging(
  { row, judges, before }: Judging,
  { trial, tokens, durationMs }: AskStep,
  costOf: (agent: string) => number | null,
): void {
  const sum = row.trials.get(trial)
  if (!sum) return
  // Judges are asked beside each other.
  sum.durationMs += durationMs / before
  for (const judge of judges) addCall(row, sum, tokens, costOf(judge), before)
}

/** Adds a call, or the part of it that one of `among` makes. */
function addCall(
  row: EstimatedRow,
  sum: Used,
  { input, output }: AskStep['tokens'],
  costUsd: number | null,
  among = 1,
): void {
  sum.calls += 1 / among
  sum.tokens += ((input ?? 0) + (output ?? 0)) / among
  sum.costUsd += (costUsd ?? 0) / among
  const isUncounted = input === null || output === null
  if (isUncounted) sum.without.tokens++
  if (costUsd === null) sum.without.costUsd++
  if (isUncounted || costUsd === null) row.lacking++
}

/** A trial of the earlier run. */
interface EndedTrial {
  row: string
  /** Null: unknown, since its replies were recorded. */
  durationMs: number | null
}

/** A row of the new run, with the use of the matching trials of the earlier run. */
interface EstimatedRow {
  label: string
  agents: Readonly<Record<string, string>>
  trials: Map<string, Used>
  lacking: number
  hasOtherTools: boolean
  untimed?: true
}

/** Returns the rows of the new run, each with the matching trials of the earlier run; their sums are still 0. */
function rowsToEstimate(
  manifest: RunManifest,
  before: RunManifest,
  ended: ReadonlyMap<string, EndedTrial>,
): EstimatedRow[] {
  const rowsBefore = (label: string, set: string | undefined) => {
    const sets = agentSetsOf(before)
    const same = sets.filter((one) => one.label !== undefined && one.label === set)
    return (same.length > 0 ? same : sets).map((one) => rowName(label, one.label))
  }
  return manifest.methods.flatMap(({ label, strategy, agents, tools }) =>
    agentSetsOf(manifest).map((set) => {
      const source =
        before.methods.find((one) => one.label === label) ??
        before.methods.find((one) => one.strategy === strategy)
      const like = source ? rowsBefore(source.label, set.label) : []
      const seen = like.flatMap((name) => [...ended].filter(([, { row }]) => row === name))
      return {
        label: rowName(label, set.label),
        agents: { ...set.agents, ...agents },
        trials: new Map(seen.map(([trial, { durationMs }]) => [trial, nothingUsed(durationMs ?? 0)])),
        ...(seen.some(([, { durationMs }]) => durationMs === null) && { untimed: true as const }),
        lacking: 0,
        hasOtherTools: source !== undefined && toolsText(source.tools) !== toolsText(tools),
      }
    }),
  )
}

const toolsText = (tools: MethodTools | undefined) => canonicalJson(tools ?? null)

/** Returns a function that gives the cost of a step with the agents of the new run. */
async function costsNow(manifest: RunManifest) {
  const bill = await presentBills(manifest.prices?.file)
  const simulatedCost = await simulatedCosts(manifest)
  return (step: AskStep, agents: EstimatedRow['agents']) => {
    const agent = ofRole(agents, step.role) ?? ''
    return simulatedCost(step, agent) ?? bill({ step, agent, endpoint: manifest.endpoints?.[agent] }).costUsd
  }
}

/** Returns the estimated use of a row over a number of further trials. */
export function estimateOf(
  { label, trials: seen, lacking, hasOtherTools, untimed }: EstimatedRow,
  trials: number,
): MethodEstimate {
  const all = [...seen.values()]
  const total = (countOf: (one: Used) => number) => all.reduce((sum, one) => sum + countOf(one), 0)
  return {
    method: label,
    trials,
    seen: all.length,
    calls: all.length === 0 ? null : sumOf(all, 'calls', trials),
    durationMs: all.length === 0 || untimed ? null : sumOf(all, 'durationMs', trials),
    tokens: knownSum(all, 'tokens', trials),
    costUsd: knownSum(all, 'costUsd', trials),
    leastUsd: all.length === 0 ? 0 : (total(({ costUsd }) => costUsd) / all.length) * trials,
    lacking,
    lackingTokens: total(({ without }) => without.tokens),
    ...(hasOtherTools && { otherTools: true as const }),
  }
}

const sumOf = (seen: readonly Used[], field: 'calls' | 'tokens' | 'costUsd' | 'durationMs', trials: number) =>
  predictedSum(
    seen.map((one) => one[field]),
    trials,
  )

/** Predicts a sum from the trials in which it is wholly known; null without such a trial. A trial without calls tells nothing of the others. */
function knownSum(seen: readonly Used[], field: keyof Used['without'], trials: number): PredictedSum | null {
  const known = seen.filter(({ without }) => without[field] === 0)
  const tells = known.some(({ calls }) => calls > 0) || known.length === seen.length
  return known.length > 0 && tells ? sumOf(known, field, trials) : null
}

/** Returns the upper limit of a run's estimated cost in US dollars; undefined if a part of it is unknown. */
export function highestCost(methods: readonly MethodEstimate[]): number | undefined {
  return highestSum(methods.map(({ costUsd, lacking }) => (lacking > 0 ? null : costUsd)))
}

/** Returns the upper limit of several sums together; undefined if one of them has none. */
export function highestSum(sums: readonly (PredictedSum | null)[]): number | undefined {
  return sums
    .map(highestOf)
    .reduce<number | undefined>(
      (all, high) => (all === undefined || high === undefined ? undefined : all + high),
      0,
    )
}

/** Returns the upper limit of a sum; undefined if it is unknown. */
export function highestOf(sum: PredictedSum | null): number | undefined {
  // A method that is free in one trial is free in all.
  return sum?.middle === 0 ? 0 : sum?.range?.high
}

import { pairCount } from '../../analysis/compare/rows.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import { type ComparisonPlan, defaultComparison, type StopRule } from '../../schema/run/comparison-plan.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { settings } from '../../schema/settings/settings.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { configAgentProblems } from '../agents/config-agents.ts'
import { unpricedLimits } from '../agents/known-bill.ts'
import { selfPreferenceNotes } from '../agents/select-judges.ts'
import { applyBudgetOptions, type BudgetOption } from '../config/budget-options.ts'
import { countedLimits, timeLimitProblems } from '../config/counted-limits.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { parseRetries, type RunOptions, readWhole } from '../config/run-options.ts'
import { parseLimits, trialLimits } from '../config/trial-limits.ts'
import { type Condition, conditionProblems } from '../values/fail-if.ts'
import { parseChoice, parseDecimal } from '../values/parse-values.ts'
import type { CreatedAgents, NamedAgents } from './new-agents.ts'
import type { ManifestParts } from './new-manifest.ts'
import type { OpenedRun, SessionOptions } from './session-options.ts'

/** The plan of a run is held in memory. */
const mostTrials = 2_000_000

/** Reads the settings that do not depend on tasks, methods and agents. Adds every problem. */
export function parseSettings(
  { options, config }: MergedOptions,
  problems: Problem[],
): ManifestParts['settings'] {
  if (config) problems.push(...configAgentProblems(config, options.methods))
  if (options.dev && options.mode !== undefined && options.mode !== 'dev')
    problems.push({
      where: '--dev',
      what: `conflicts with --mode ${options.mode}`,
      fix: 'Use one of them.',
    })
  const mode = options.dev ? 'dev' : parseChoice(problems, '--mode', options.mode, settings.mode.value, 'dev')
  const seed = readWhole(problems, options, 'seed', 1)
  const epochs = readWhole(problems, options, 'epochs', 1)
  const limits = trialLimits(mode, config?.config.limits?.trial, parseLimits(problems, options.limit))
  return { mode, seed, epochs, ...limits, retries: parseRetries(problems, options) }
}

type CheckedParts = Pick<ManifestParts, 'given' | 'settings' | 'named' | 'budgets'> &
  Pick<CreatedAgents, 'rows' | 'judges' | 'prices' | 'recorded'> & { tasks: readonly Task[] }

/** Checks that the limits in dollars and tokens can hold. Returns warnings of those that cannot, if the user allows it, and of biased judges. */
export async function checkLimits(
  { given, settings, named, budgets, tasks, rows, judges, prices, recorded }: CheckedParts,
  problems: Problem[],
): Promise<string[]> {
  const { options, config } = given
  const { methods, settings: agentSettings } = named
  const askLimits = config?.config.limits?.ask
  const isCounted = settings.mode === 'live' || recorded !== undefined
  const limits = isCounted ? countedLimits({ ...settings, methods, budgets, askLimits, tasks }, given) : []
  if (recorded) problems.push(...timeLimitProblems({ ...settings, methods, budgets, askLimits }))
  const run = { ...named, agentSettings, rows, judges, prices: prices.file }
  const unpriced = await unpricedLimits(limits, run, options.allowUnpriced, problems)
  return [...unpriced, ...selfPreferenceNotes(named)]
}

/** Checks the conditions of a resumed run, and what it may spend. Returns its budgets, and warnings of limits that cannot hold. */
export async function checkResumed(
  { session, manifest }: OpenedRun,
  { given, conditions, problems }: SessionOptions,
  changed: { before: ManifestParts['budgets']; limits: readonly BudgetOption[]; isAllowed: boolean },
): Promise<{ budgets: ManifestParts['budgets']; warnings: string[] }> {
  const labels = rowNames(manifest)
  const { comparison = defaultComparison } = manifest
  problems.push(...conditionProblems(conditions, { ...manifest, labels, comparison }))
  const methods = manifest.methods.map(({ label }) => label)
  const budgets = applyBudgetOptions(problems, changed.before, changed.limits, methods)
  if (manifest.mode !== 'live') return { budgets, warnings: [] }
  const { judges, agents: rows } = session
  const limits = countedLimits({ ...manifest, budgets, tasks: [...session.tasks.values()] }, given)
  const priced = { ...manifest, judges, rows, prices: manifest.prices?.file }
  return { budgets, warnings: await unpricedLimits(limits, priced, changed.isAllowed, problems) }
}

/** Returns how many trials a run has; adds a problem if they are too many. */
export function countTrials(perEpoch: number, epochs: number, problems: Problem[]): number {
  const trials = perEpoch * epochs
  if (trials > mostTrials)
    problems.push({
      where: `--epochs ${epochs}`,
      what: `plans ${trials} trials, but a run can have at most ${mostTrials}`,
      fix: 'Use fewer epochs, tasks or methods, or split the run.',
    })
  return trials
}

/** Reads how the rows of a run are compared, and checks the conditions of `--fail-if` on it. Adds every problem. */
export function decideComparison(
  options: MergedOptions['options'],
  run: {
    named: NamedAgents
    tasks: number
    epochs: number
    simulated: boolean
    baseline: string | null
  },
  conditions: readonly Condition[],
  problems: Problem[],
): RunManifest['comparison'] {
  const { named, tasks, epochs, simulated, baseline } = run
  const counts = { methods: named.methods.length, agentSets: named.agentSets?.length ?? 1 }
  const comparison = parseComparison(problems, options, { simulated, epochs, tasks, ...counts })
  const compared = { labels: rowNames(named), simulated, comparison, baseline }
  if (named.methods.length > 0) problems.push(...conditionProblems(conditions, compared))
  return comparison
}

/** Parses the plan of the comparison. Adds all mistakes to `problems`. */
function parseComparison(
  problems: Problem[],
  options: RunOptions,
  run: { simulated: boolean; methods: number; agentSets: number; tasks: number; epochs: number },
): ComparisonPlan {
  const family = parseChoice(problems, '--family', options.family, settings.family.value, 'all')
  if (options.calibration && !run.simulated)
    problems.push({
      where: '--calibration',
      what: 'is only for simulated agents, whose true differences are known',
      fix: 'Remove it: live results are always tested.',
    })
  const outcome = parseChoice(problems, '--outcome', options.outcome, settings.outcome.value, 'success')
  const kind = family === 'all' ? 'all-pairs' : 'baseline'
  const pairs = pairCount(kind, run.methods, run.agentSets)
  const stop = parseStop(problems, options.stopWhen, { ...run, outcome, pairs })
  return {
    family: kind,
    outcome,
    margin: parseMargin(problems, options.margin),
    ...(stop && { stop }),
    ...(options.calibration && { calibration: true }),
  }
}

/** Parses percentage points. Returns a share. */
function parseMargin(problems: Problem[], text: string | undefined): number | null {
  if (text === undefined) return null
  const points = parseDecimal(text)
  if (points > 0 && points < 100) return points / 100
  problems.push({
    where: `--margin ${text}`,
    what: 'is not a margin between 0 and 100 percentage points',
    fix: 'Write for example --margin 5: a method that is at most 5 points worse counts as not worse.',
  })
  return null
}

const sequences = ['mcnemar', 'empirical-bernstein', 'asymptotic'] as const

/** Parses `settled` or `settled:SEQUENCE` into a stop rule with everything that the rule depends on. */
function parseStop(
  problems: Problem[],
  text: string | undefined,
  run: { outcome: ComparisonPlan['outcome']; pairs: number; tasks: number; epochs: number },
): StopRule | undefined {
  if (text === undefined) return undefined
  const where = `--stop-when ${text}`
  const single = run.epochs === 1 && run.outcome === 'success'
  const [word, named] = text.split(':')
  const sequence = sequences.find((one) => one === (named ?? (single ? 'mcnemar' : 'empirical-bernstein')))
  if (word !== 'settled' || sequence === undefined) {
    const known = ['settled', ...sequences.map((one) => `settled:${one}`)]
    parseChoice(problems, '--stop-when', text, known, 'settled')
    return undefined
  }
  if (sequence === 'mcnemar' && !single)
    problems.push({
      where,
      what: 'requires one epoch and --outcome success',
      fix: 'Remove :mcnemar, or use --epochs 1 --outcome success.',
    })
  if (run.pairs < 1)
    problems.push({
      where,
      what: 'requires at least one pair to compare',
      fix: 'Give several methods, or --agents A,B.',
    })
  // The expected number of tasks, half of all, only shapes the asymptotic sequence.
  return {
    ...{ sequence, alpha: 0.05, comparisons: Math.max(1, run.pairs) },
    hopedTasks: Math.max(1, Math.ceil(run.tasks / 2)),
  }
}

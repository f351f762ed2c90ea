import { rowNames } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { settings } from '../../schema/settings/settings.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { configAgentProblems } from '../agents/config-agents.ts'
import { unpricedLimits } from '../agents/known-bill.ts'
import { selfPreferenceNotes } from '../agents/select-judges.ts'
import { parseComparison } from '../config/comparison-options.ts'
import { countedLimits } from '../config/counted-limits.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { parseRetries, readWhole } from '../config/run-options.ts'
import { parseLimits, trialLimits } from '../config/trial-limits.ts'
import { type Condition, conditionProblems } from '../values/fail-if.ts'
import { parseChoice } from '../values/parse-values.ts'
import type { CreatedAgents, NamedAgents } from './new-agents.ts'
import type { ManifestParts } from './new-manifest.ts'

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
  Pick<CreatedAgents, 'rows' | 'judges' | 'prices'> & { tasks: readonly Task[] }

/** Checks that the limits in dollars and tokens can hold. Returns warnings of those that cannot, if the user allows it, and of biased judges. */
export async function checkLimits(
  { given, settings, named, budgets, tasks, rows, judges, prices }: CheckedParts,
  problems: Problem[],
): Promise<string[]> {
  const { options, config } = given
  const { methods, settings: agentSettings } = named
  const askLimits = config?.config.limits?.ask
  const limits =
    settings.mode === 'live' ? countedLimits({ ...settings, methods, budgets, askLimits, tasks }, given) : []
  const run = { ...named, agentSettings, rows, judges, prices: prices.file }
  const unpriced = await unpricedLimits(limits, run, options.allowUnpriced, problems)
  return [...unpriced, ...selfPreferenceNotes(named)]
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
    /** Number of tasks. */
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

import { endsText } from '../../reports/mixes/bracket.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { orderBracket, planBracket } from '../agents/bracket.ts'
import { applyBudgetOptions, parseBudgets } from '../config/budget-options.ts'
import { parseKeepWorkspaces } from '../config/keep-option.ts'
import { configBudgets, type MergedOptions } from '../config/merge-options.ts'
import { checkConditions } from '../methods/conditions.ts'
import { selectBaseline } from '../methods/matched-budgets.ts'
import { selectMethods } from '../methods/select-methods.ts'
import { selectRunTasks, skipTasksWithoutTools } from '../tasks/select-run-tasks.ts'
import { requireTasksInside } from '../trust/config-tasks.ts'
import { foreignGraders, foreignInTables } from '../trust/grader-code.ts'
import { collectProblems } from '../values/parse-values.ts'
import { agentPriceList } from './agent-price-list.ts'
import { type EarlierAgents, type NamedAgents, nameAgents } from './new-agents.ts'
import type { ManifestParts } from './new-manifest.ts'
import { type Split, splitRun, takePart } from './new-shard.ts'
import { filesBeforeMethods, settleTrust } from './settle-trust.ts'

/** Chooses what a run consists of: its tasks, its methods with their agents, and what these may spend. Adds every problem. */
export async function chooseCells(
  given: MergedOptions,
  { mode, seed }: Pick<ManifestParts['settings'], 'mode' | 'seed'>,
  parts: {
    redact: Redactor | undefined
    estimates: boolean | undefined
    before: EarlierAgents | undefined
    signal: AbortSignal
  },
  problems: Problem[],
) {
  const { options, config } = given
  const { redact, estimates, before, signal } = parts
  const keepWorkspaces = await parseKeepWorkspaces(problems, options.keepWorkspaces, undefined)
  const selectTasks = async () => {
    if (config && given.isFromFile('tasks')) requireTasksInside(config)
    return selectRunTasks(options, seed, problems, redact)
  }
  const chosen = await collectProblems(problems, selectTasks, noTasks)
  const trust = { trusted: options.trustCode === true, signal: signal, lists: estimates === true }
  const graders = (given.isFromFile('tasks') ? foreignGraders : foreignInTables)(chosen.programs)
  await settleTrust([...filesBeforeMethods(given), ...graders], trust, problems)
  const selected = await selectMethods(options, config, problems, given.isFromFile('methods'))
  const asked = await nameAgents(given, { mode, before }, selected, chosen.tasks, problems)
  const bracket = options.bracket ? planBracket(asked, selected.strategies, problems) : undefined
  const named: NamedAgents = { ...asked, methods: bracket?.methods ?? asked.methods }
  const methods = { ...selected, strategies: bracket?.strategies ?? selected.strategies }
  const labels = named.methods.map(({ label }) => label)
  const baseline = selectBaseline(options.baseline, named.methods, problems)
  const fileBudgets = configBudgets(config, labels, methods.entryOf)
  const budgets = applyBudgetOptions(problems, fileBudgets, parseBudgets(problems, options), labels)
  const split = splitRun(options, budgets, problems)
  const { tasks, warnings } = await skipTasksWithoutTools(chosen.tasks, problems, redact)
  const idle = checkConditions(named.methods, methods.strategies, tasks, problems)
  const rows = named.methods.length * (named.agentSets?.length ?? 1)
  const mixes = bracket?.mixes ?? []
  return {
    chosen,
    tasks,
    warnings: [...warnings, ...idle],
    methods,
    named,
    labels,
    rows,
    baseline,
    budgets,
    split,
    keepWorkspaces,
    trust,
    mixes,
  }
}

const noTasks = {
  tasks: [],
  selectors: [],
  taskFilter: undefined,
  request: undefined,
  notes: [],
  programs: [],
}

/** Adds to a manifest how the agents of mixed methods are ordered from cheap to dear, and which part of the run it is; with notes. */
export async function completeManifest(
  plain: RunManifest,
  { mixes, split }: { mixes: Parameters<typeof orderBracket>[0]; split: Split },
): Promise<{ manifest: RunManifest; notes: string[] }> {
  const bracket = mixes.length === 0 ? undefined : orderBracket(mixes, await agentPriceList(plain))
  const { manifest, notes } = takePart({ ...plain, ...(bracket && { bracket }) }, split)
  return { manifest, notes: [...(bracket ?? []).map(endsText), ...notes] }
}

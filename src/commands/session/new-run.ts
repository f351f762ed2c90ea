import type { Agent } from '../../agents/agent.ts'
import { includesSimulated, isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import type { KnownStrategy } from '../../loop/plan/known-strategy.ts'
import { runFolderProblems } from '../../loop/record/run-folder.ts'
import { redactTask } from '../../loop/state/redact-inputs.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { settings } from '../../schema/settings/settings.ts'
import type { Task } from '../../schema/task.ts'
import { formatProblem, type Problem, UserError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { configAgentProblems } from '../agents/config-agents.ts'
import { liveManifest } from '../agents/live-manifest.ts'
import type { AgentTools } from '../agents/make-agents.ts'
import { selfPreferenceNotes } from '../agents/self-preference.ts'
import { unpricedLimits } from '../agents/unpriced-limits.ts'
import { applyBudgetOptions, parseBudgets } from '../config/budget-options.ts'
import { parseComparison } from '../config/comparison-options.ts'
import { countedLimits } from '../config/counted-limits.ts'
import { parseKeepWorkspaces } from '../config/keep-option.ts'
import { configBudgets, type MergedOptions } from '../config/merge-options.ts'
import { parseRetries, readWhole } from '../config/run-options.ts'
import { parseLimits, trialLimits } from '../config/trial-limits.ts'
import { selectBaseline } from '../methods/matched-budgets.ts'
import { selectMethods } from '../methods/select-methods.ts'
import { gitStates } from '../open/git-state.ts'
import { requireSandbox, type SandboxCheck, type SelectedSandbox } from '../open/sandbox-option.ts'
import { selectRunTasks, skipTasksWithoutTools } from '../tasks/select-run-tasks.ts'
import { type ReadTools, readTools, resolveTools } from '../tools/resolve-tools.ts'
import { selectTools } from '../tools/select-tools.ts'
import { toolUseNotes, withTools } from '../tools/tool-use.ts'
import { requireTasksInside } from '../trust/config-tasks.ts'
import { type Condition, conditionProblems } from '../values/fail-if.ts'
import { collectProblems, parseChoice } from '../values/parse-values.ts'
import { type CreatedAgents, createNamedAgents, type NamedAgents, nameAgents } from './new-agents.ts'
import { createManifest, type ManifestParts, nameRun } from './new-manifest.ts'
import { filesBeforeMethods, filesOfRun, listedNotes, settleTrust } from './settle-trust.ts'

/** The plan of a run is held in memory. */
const mostTrials = 2_000_000

/** A requested run, resolved but not started. */
export interface NewRun {
  folder: string
  manifest: RunManifest
  tasks: Task[]
  strategies: KnownStrategy[]
  agents: ReadonlyMap<string, Agent>
  /** The agents that at least one role of one method asks. */
  asked: readonly Agent[]
  /** The profile of simulated agents. */
  profile: Profile | undefined
  /** Contents of the files that tools declare, by SHA-256. */
  toolFiles: ReadonlyMap<string, string>
  /** What its code will run in; undefined if it has none. */
  sandboxed: SandboxCheck['sandboxed']
  /** Warnings to print before the run starts. */
  warnings: string[]
}

/** What a run is resolved with. */
interface ResolveTools extends AgentTools {
  redact: Redactor | undefined
  sandbox: SelectedSandbox
  /** The run is only estimated: what agents lack before they can be asked, such as a key, is a warning. */
  estimates?: boolean
}

/**
 * Resolves a requested run without writing anything. Throws `UserError` with every problem, including those found before.
 */
export async function resolveRun(
  given: MergedOptions,
  problems: Problem[],
  conditions: readonly Condition[],
  { redact, sandbox, estimates, ...rest }: ResolveTools,
): Promise<NewRun> {
  const { options, config } = given
  const settings = parseSettings(given, problems)
  const tools: AgentTools = { ...rest, sandbox }
  const { mode, seed, epochs } = settings
  const keepWorkspaces = await parseKeepWorkspaces(problems, options.keepWorkspaces, undefined)
  const selectTasks = async () => {
    if (config && given.isFromFile('tasks')) requireTasksInside(config)
    return selectRunTasks(options, seed, problems, redact)
  }
  const chosen = await collectProblems(problems, selectTasks, noTasks)
  const trust = { trusted: options.trustCode === true, signal: rest.signal, lists: estimates === true }
  await settleTrust(filesBeforeMethods(given), trust, problems)
  const methods = await selectMethods(options, config, problems, given.isFromFile('methods'))
  const { strategies } = methods
  const named = await nameAgents(given, mode, methods, chosen.tasks, problems)
  const labels = named.methods.map(({ label }) => label)
  const baseline = selectBaseline(options.baseline, named.methods, problems)
  const fileBudgets = configBudgets(config, labels, methods.entryOf)
  const budgets = applyBudgetOptions(problems, fileBudgets, parseBudgets(problems, options), labels)
  const { tasks: whole, warnings } = await skipTasksWithoutTools(chosen.tasks, problems)
  const tasks = whole.map((task) => redactTask(task, redact))
  const rowCount = named.methods.length * (named.agentSets?.length ?? 1)
  const trials = countTrials(tasks.length * rowCount, epochs, problems)
  const name = nameRun(options.out)
  problems.push(...runFolderProblems(name.folder))
  const run = { given, mode, id: name.id, tasks, strategies }
  const chosenTools = readTools(selectTools(given, methods, problems), process.cwd(), problems)
  const { servers } = chosenTools
  const files = filesOfRun(given, mode, methods, Object.values(named.names), servers)
  const listed = await settleTrust(files, trust, problems)
  const answering = await createNamedAgents(named, run, tools, problems)
  const { created, asked, rows, prices, providers } = answering
  const simulated = includesSimulated(asked)
  // The agents decide which options are allowed. If none could be created, only that is reported.
  const optionProblems = created.size > 0 ? problems : []
  const comparison = parseComparison(optionProblems, options, {
    ...{ simulated, epochs, tasks: chosen.tasks.length },
    ...{ methods: named.methods.length, agentSets: named.agentSets?.length ?? 1 },
  })
  const compared = { labels: rowNames(named), simulated, comparison, baseline }
  if (labels.length > 0) optionProblems.push(...conditionProblems(conditions, compared))
  const askable = [...created.values()].filter((agent) => mode === 'live' || !isPaidOrProgram(agent))
  const missing = { lacking: estimates ? [] : problems, isSilent: listed.length > 0 }
  const live = await liveManifest(askable, prices, options.prices !== undefined, problems, missing)
  const unpriced = await checkLimits({ given, settings, named, budgets, tasks, ...answering }, problems)
  const gated = { agents: asked, tasks, strategies: strategies.map(({ strategy }) => strategy), servers }
  const checked = await collectProblems(problems, () => requireSandbox(sandbox, gated), unchecked)
  // No server of tools is started before all else is right.
  if (problems.length > 0) throw new UserError(problems)
  const parts = { cwd: process.cwd(), sandbox: sandbox.run, signal: rest.signal, redact }
  const { equipped, notes } = await equip({ named, strategies, rows, chosenTools }, parts, problems)
  const manifest = createManifest({
    ...{ given, settings, name, chosen, tasks, named: equipped, simulated, providers, live },
    ...{ keepWorkspaces, budgets, baseline, comparison, redact, trials, git: await gitStates() },
  })
  return {
    ...{ folder: name.folder, manifest, tasks, strategies, profile: named.profile },
    ...{ agents: created, asked, toolFiles: chosenTools.files, sandboxed: checked.sandboxed },
    warnings: [
      ...[...(estimates ? missing.lacking : []).map(neededText), ...unpriced],
      ...[...listed.flatMap(listedNotes), ...warnings, ...chosen.notes, ...checked.notes],
      ...notes,
    ],
  }
}

/** Starts the servers of tools, and gives the methods their tools. Throws `UserError` if a tool is wrong. */
async function equip(
  {
    named,
    strategies,
    rows,
    chosenTools,
  }: { named: NamedAgents; chosenTools: ReadTools; strategies: KnownStrategy[] } & Pick<
    CreatedAgents,
    'rows'
  >,
  parts: Parameters<typeof resolveTools>[1],
  problems: Problem[],
): Promise<{ equipped: NamedAgents; notes: string[] }> {
  const { tools, notes } = await resolveTools(chosenTools, parts, problems)
  if (problems.length > 0) throw new UserError(problems)
  const equipped = { ...named, methods: withTools(named.methods, tools) }
  return { equipped, notes: [...notes, ...chosenTools.notes, ...toolUseNotes(equipped, strategies, rows)] }
}

const neededText = (problem: Problem) => `the run needs this: ${formatProblem(problem)}`

const noTasks = { tasks: [], selectors: [], taskFilter: undefined, request: undefined, notes: [] }

const unchecked: SandboxCheck = { notes: [] }

/** Reads the settings that do not depend on tasks, methods and agents. Adds every problem. */
function parseSettings({ options, config }: MergedOptions, problems: Problem[]): ManifestParts['settings'] {
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
async function checkLimits(
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

function countTrials(perEpoch: number, epochs: number, problems: Problem[]): number {
  const trials = perEpoch * epochs
  if (trials > mostTrials)
    problems.push({
      where: `--epochs ${epochs}`,
      what: `plans ${trials} trials, but a run can have at most ${mostTrials}`,
      fix: 'Use fewer epochs, tasks or methods, or split the run.',
    })
  return trials
}

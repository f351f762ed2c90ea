import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { withoutLabel } from '../agents/agent-name.ts'
import { loadProfile } from '../agents/load-profile.ts'
import { areSimulated, isGated } from '../agents/what-answers.ts'
import { digest } from '../canonical.ts'
import { type Problem, UserError } from '../errors.ts'
import { hasLimits } from '../loop/admission.ts'
import type { KnownStrategy } from '../loop/methods.ts'
import { preambleHash } from '../loop/preamble.ts'
import { redactTask } from '../loop/redact-task.ts'
import { roleNames } from '../loop/roles-of.ts'
import { askedAgents, findRowAgents } from '../loop/row-agents.ts'
import { runFolderProblems } from '../loop/run-folder.ts'
import type { Redactor } from '../redact.ts'
import { rowNames } from '../schema/agent-set.ts'
import type { Profile } from '../schema/profile.ts'
import { schemaVersion } from '../schema/record.ts'
import type { RunManifest } from '../schema/run.ts'
import type { Task } from '../schema/task.ts'
import { baselineOf } from './baseline-option.ts'
import { parseBudgets, withGiven } from './budget-options.ts'
import { chosenAgents } from './chosen-agents.ts'
import { chosenMethods } from './chosen-methods.ts'
import { chosenTasks } from './chosen-tasks.ts'
import { parseComparison } from './comparison-options.ts'
import { configAgentProblems, withoutTold } from './config-agents.ts'
import { devProblems, takenInDev } from './dev-agents.ts'
import { type Condition, conditionProblems } from './fail-if.ts'
import { gitStates } from './git-state.ts'
import { budgetsOf, type Given } from './given-options.ts'
import { parseFaults } from './inject-option.ts'
import { livePart, pricesOf } from './live-part.ts'
import { mixedRows } from './new-agents.ts'
import { oneOf } from './one-of.ts'
import { provenance } from './provenance.ts'
import { parseLimits, parseRetries } from './run-options.ts'
import { keepSecretsOut } from './run-secrets.ts'
import { type AgentTools, makeAgents, namesOf } from './session.ts'
import { trialLimits } from './trial-limits.ts'
import { wholeNumber } from './whole-number.ts'
import { withTools } from './with-tools.ts'

/** The plan of a run stands in memory. */
const mostTrials = 2_000_000

/** A run as asked for, resolved and not yet begun. */
export interface NewRun {
  folder: string
  manifest: RunManifest
  tasks: Task[]
  strategies: KnownStrategy[]
  agents: ReadonlyMap<string, Agent>
  /** Those that some role of some method asks. */
  asked: readonly Agent[]
  /** Of simulated agents. */
  profile: Profile | undefined
  /** What the user should know before it starts. */
  warnings: string[]
}

/**
 * Resolves what was asked for; writes nothing yet. Throws `UserError` with all that is wrong at once, the problems
 * found so far included.
 */
export async function resolveRun(
  given: Given,
  problems: Problem[],
  conditions: readonly Condition[],
  tools: AgentTools & { redact: Redactor | undefined },
): Promise<NewRun> {
  const { options, config } = given
  if (config) problems.push(...configAgentProblems(config))
  const attempt = async <T>(read: () => T | Promise<T>, fallback: T): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
      return fallback
    }
  }
  if (options.dev && options.mode !== undefined && options.mode !== 'dev')
    problems.push({
      where: `--dev --mode ${options.mode}`,
      what: 'say two things',
      fix: 'Leave one of them out.',
    })
  const mode = options.dev ? 'dev' : oneOf(problems, '--mode', options.mode, ['dev', 'live'], 'dev')
  const seed = wholeNumber(problems, '--seed', options.seed, 1, 0)
  const epochs = wholeNumber(problems, '--epochs', options.epochs, 1)
  const limits = trialLimits(mode, config?.config.limits?.trial, parseLimits(problems, options.limit))
  const retries = parseRetries(problems, options.retries)
  const {
    tasks: selected,
    selectors,
    request,
    notes,
  } = await attempt(() => chosenTasks(options, seed, problems, tools.redact), {
    tasks: [],
    selectors: [],
    request: undefined,
    notes: [],
  })
  const chosen = await chosenMethods(options, config, problems, attempt)
  const { strategies, entryOf } = chosen
  const roles = [...new Set(chosen.methods.flatMap((method) => roleNames(method, strategies)))]
  const {
    agents,
    agentSets,
    methods,
    settings,
    named,
    prices: ownPrices,
  } = chosenAgents(given, mode, chosen, problems)
  const faults = parseFaults(problems, options.inject ?? [], roles)
  const names = namesOf({ agents, agentSets, methods })
  const hasProfile = Object.values(names).some((name) => withoutLabel(name) === 'simulated')
  const profile = hasProfile
    ? await attempt(() => loadProfile(options.profile ?? 'default'), undefined)
    : undefined
  if (options.profile !== undefined && !hasProfile && !given.isFromFile('profile'))
    problems.push({
      where: `--profile ${options.profile}`,
      what: 'is only for simulated agents',
      fix: 'Leave it out, or use --agents simulated.',
    })
  const baseline = baselineOf(options.baseline, methods, problems)
  const labels = methods.map(({ label }) => label)
  const budgets = withGiven(
    problems,
    budgetsOf(config, labels, entryOf),
    parseBudgets(problems, options),
    labels,
  )
  const { redact, ...rest } = tools
  const { tasks: whole, warnings } = await withTools(selected, problems)
  const tasks = whole.map((task) => redactTask(task, redact))
  const trials = tasks.length * methods.length * (agentSets?.length ?? 1) * epochs
  if (trials > mostTrials)
    problems.push({
      where: `--epochs ${epochs}`,
      what: `plans ${trials} trials, more than the ${mostTrials} that one run may hold`,
      fix: 'Give fewer epochs, tasks or methods, or several runs.',
    })
  const createdAt = new Date()
  const id = `${createdAt.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}-${randomBytes(3).toString('hex')}`
  const folder = options.out ?? join('results', id)
  problems.push(...runFolderProblems(folder))
  // A profile that cannot be read is told already; the agents need some profile to be looked at.
  const filePrices = { ...config?.config.prices, ...ownPrices }
  const prices = await attempt(() => pricesOf(options.prices, filePrices), undefined)
  const used = providersUsed(config?.config.providers, Object.values(names))
  const looked = profile ?? loadProfile('default')
  const told = withoutTold(names, config)
  const made = await attempt<ReadonlyMap<string, Agent>>(
    () =>
      makeAgents(mode === 'dev' ? takenInDev(told) : told, {
        tasks,
        profile: looked,
        cwd: process.cwd(),
        run: id,
        prices,
        settings,
        endpoints: used,
        ...rest,
      }),
    new Map(),
  )
  if (mode === 'dev') problems.push(...devProblems(named, made, options))
  const rows = findRowAgents({ methods, agents, agentSets, faults }, strategies, made, { mayLack: true })
  const asked = askedAgents(rows)
  problems.push(...mixedRows(rows))
  const simulated = areSimulated(asked)
  // Who answers decides what may be asked for: where nobody could be made, only that is told.
  const judged = made.size > 0 ? problems : []
  const comparison = parseComparison(judged, options, {
    ...{ simulated, epochs },
    ...{ methods: methods.length, agentSets: agentSets?.length ?? 1, tasks: selected.length },
  })
  if (labels.length > 0)
    judged.push(
      ...conditionProblems(conditions, {
        labels: rowNames({ methods, agents, agentSets }),
        ...{ simulated, comparison, baseline },
      }),
    )
  const askable = [...made.values()].filter((agent) => mode === 'live' || !isGated(agent))
  const live = await livePart(askable, prices, options.prices !== undefined, problems)
  if (problems.length > 0) throw new UserError(problems)

  const manifest: RunManifest = {
    schemaVersion,
    id,
    createdAt: createdAt.toISOString(),
    ...provenance(gitStates()),
    mode,
    simulated,
    cwd: process.cwd(),
    seed,
    epochs,
    taskSelectors: selectors,
    tasks: tasks.map(({ ref, digest }) => ({ ref, digest })),
    methods: redact
      ? methods.map((method) => ({ ...method, options: redact.data(method.options) }))
      : methods,
    agents,
    ...(agentSets && { agentSets }),
    ...(Object.keys(settings).length > 0 && { agentSettings: settings }),
    ...(Object.keys(used).length > 0 && { providers: used }),
    ...(config && { config: { file: config.file, digest: config.digest } }),
    ...(config?.config.capture && { capture: config.config.capture }),
    ...(options.gradeCandidates && { gradeCandidates: true as const }),
    profile: profile
      ? { id: `${profile.id}@${profile.version}`, digest: digest(profile), content: profile }
      : null,
    ...limits,
    ...(config?.config.limits?.ask && { askLimits: config.config.limits.ask }),
    retries,
    ...(faults && { faults }),
    ...(hasLimits(budgets) && { budgets }),
    ...live,
    preamble: preambleHash,
    baseline,
    comparison,
    ...(request && { request }),
    ...(redact && { secrets: [...redact.names] }),
    trials,
  }
  if (redact) keepSecretsOut(manifest, redact)
  return {
    ...{ folder, manifest, tasks, strategies, profile },
    agents: made,
    asked,
    warnings: [...warnings, ...notes],
  }
}

/** What is set of the providers of these agents. */
function providersUsed(
  settings: RunManifest['providers'] = {},
  names: readonly string[],
): NonNullable<RunManifest['providers']> {
  const used = names.map((name) => withoutLabel(name).split(':')[0])
  return Object.fromEntries(Object.entries(settings).filter(([provider]) => used.includes(provider)))
}

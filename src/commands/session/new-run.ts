import { includesSimulated, isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { runFolderProblems } from '../../loop/record/run-folder.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { formatProblem, type Problem, UserError } from '../../text/errors.ts'
import { liveManifest } from '../agents/live-manifest.ts'
import type { AgentTools } from '../agents/make-agents.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { gitStates } from '../open/git-state.ts'
import { requireSandbox, type SandboxCheck, type SelectedSandbox } from '../open/sandbox-option.ts'
import type { Condition } from '../values/fail-if.ts'
import { collectProblems } from '../values/parse-values.ts'
import { chooseCells, completeManifest } from './choose-cells.ts'
import { equip, readGivenTools } from './equip.ts'
import { modelProgramProblems } from './model-programs.ts'
import { type CreatedAgents, createNamedAgents, type EarlierAgents, type NamedAgents } from './new-agents.ts'
import { createManifest, type ManifestParts, nameRun } from './new-manifest.ts'
import { checkLimits, countTrials, decideComparison, parseSettings } from './run-settings.ts'
import { filesOfRun, listedNotes, settleTrust } from './settle-trust.ts'

/** A requested run, resolved but not started. */
export interface NewRun {
  folder: string
  manifest: RunManifest
  tasks: Task[]
  strategies: KnownStrategy[]
  agents: CreatedAgents['created']
  /** The agents that at least one role of one method asks. */
  asked: CreatedAgents['asked']
  profile: NamedAgents['profile']
  /** Contents of the files that tools declare, by SHA-256. */
  toolFiles: ReadonlyMap<string, string>
  /** What its code will run in; undefined if it has none. */
  sandboxed: SandboxCheck['sandboxed']
  /** The limits of its session. */
  budgets: ManifestParts['budgets']
  /** Warnings to print before the run starts. */
  warnings: string[]
}

/** What a run is resolved with. */
interface ResolveTools extends AgentTools {
  redact: ManifestParts['redact']
  sandbox: SelectedSandbox
  /** The run is only estimated: what agents lack before they can be asked, such as a key, is a warning. */
  estimates?: boolean
  /** Who answers in the run that this is added to: the same, unless others are given. */
  before?: EarlierAgents
}

/**
 * Resolves a requested run without writing anything. Throws `UserError` with every problem, including those found before.
 */
export async function resolveRun(
  given: MergedOptions,
  problems: Problem[],
  conditions: readonly Condition[],
  { redact, sandbox, estimates, before, ...rest }: ResolveTools,
): Promise<NewRun> {
  const { options } = given
  const settings = parseSettings(given, problems)
  const tools: AgentTools = { ...rest, sandbox }
  const { mode, epochs } = settings
  const cells = await chooseCells(
    given,
    settings,
    { redact, estimates, before, signal: rest.signal },
    problems,
  )
  const { chosen, methods, named, tasks, baseline, budgets, trust } = cells
  const { strategies } = methods
  const trials = countTrials(tasks.length * cells.rows, epochs, problems)
  const name = nameRun(options, cells.split.shard)
  problems.push(...runFolderProblems(name.folder))
  const run = { given, mode, epochs, id: name.id, tasks, strategies }
  const chosenTools = readGivenTools(given, methods, problems)
  const { servers } = chosenTools
  const files = filesOfRun(given, mode, methods, Object.values(named.names), servers)
  const listed = await settleTrust(files, trust, problems)
  const answering = await createNamedAgents(named, run, tools, problems)
  const { created, asked, rows, prices, providers, recorded } = answering
  problems.push(
    ...modelProgramProblems({
      ...{ named, strategies, mode, rows, tasks: options.tasks },
      tools: chosenTools.selected.byMethod,
    }),
  )
  const simulated = includesSimulated(asked)
  // The agents decide which options are allowed. If none could be created, only that is reported.
  const optionProblems = created.size > 0 ? problems : []
  const compared = { named, tasks: chosen.tasks.length, epochs, simulated, baseline }
  const comparison = decideComparison(options, compared, conditions, optionProblems)
  const askable = [...created.values()].filter((agent) => mode === 'live' || !isPaidOrProgram(agent))
  const missing = { lacking: estimates ? [] : problems, isSilent: listed.length > 0 }
  const typed = { isTyped: options.prices !== undefined, leftForLive: named.leftForLive }
  const live = await liveManifest(askable, prices, typed, problems, missing)
  const unpriced = await checkLimits({ given, settings, named, budgets, tasks, ...answering }, problems)
  const gated = { agents: asked, tasks, strategies: strategies.map(({ strategy }) => strategy), servers }
  const checked = await collectProblems(problems, () => requireSandbox(sandbox, gated), unchecked)
  // No server of tools is started before all else is right.
  if (problems.length > 0) throw new UserError(problems)
  const parts = { cwd: process.cwd(), sandbox: sandbox.run, signal: rest.signal, redact }
  const { equipped, notes } = await equip({ named, strategies, rows, chosenTools }, parts, problems)
  const plain = createManifest({
    ...{ given, settings, name, chosen, tasks, named: equipped, simulated, recorded, providers, live },
    ...{ keepWorkspaces: cells.keepWorkspaces, budgets, baseline, comparison, redact, trials },
    git: await gitStates(),
  })
  const completed = await completeManifest(plain, cells)
  const { manifest } = completed
  return {
    ...{ folder: name.folder, manifest, tasks, strategies, profile: named.profile },
    ...{ agents: created, asked, toolFiles: chosenTools.files, sandboxed: checked.sandboxed },
    budgets: cells.split.share,
    warnings: [
      ...[...(estimates ? missing.lacking : []).map(neededText), ...unpriced],
      ...[...listed.flatMap(listedNotes), ...cells.warnings, ...chosen.notes, ...checked.notes],
      ...[...answering.notes, ...notes],
      ...completed.notes,
    ],
  }
}

const neededText = (problem: Problem) => `the run needs this: ${formatProblem(problem)}`

const unchecked: SandboxCheck = { notes: [] }

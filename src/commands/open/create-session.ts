import type { Agent } from '../../agents/agent.ts'
import type { ResultMemory } from '../../graders/result-memory.ts'
import type { Verdicts } from '../../graders/verdicts/verdicts.ts'
import type { Session } from '../../loop/branch/run-session.ts'
import { blocksOfShard } from '../../loop/plan/block-order.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { makePlan, type Plan, type PlanInput } from '../../loop/plan/plan.ts'
import { distinctAgents, findRowAgents } from '../../loop/plan/row-agents.ts'
import type { Approvals } from '../../loop/record/people.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import { Profile } from '../../schema/agent/profile.ts'
import type { Budgets } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { needsJudges, type Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import type { Redactor } from '../../text/redact.ts'
import { usualLimitText } from '../config/trial-limits.ts'

/** The tasks, strategies and agents that run.json names, and the settings that it does not hold. */
interface SessionParts {
  tasks: readonly Task[]
  strategies: readonly KnownStrategy[]
  agents: ReadonlyMap<string, Agent>
  /** The profile of simulated agents. */
  profile: Profile | undefined
  /** Contents of the files that tools declare, by SHA-256; undefined for a replay. */
  toolFiles?: ReadonlyMap<string, string> | undefined
  approvals: Approvals
  redact: Redactor | undefined
  /** None by default. */
  budgets?: Budgets | undefined
  sandbox: SandboxRun
  /** Opens that sandbox, for programs that ask models themselves. */
  openSandbox?: Session['openSandbox']
  /** Results of graders and checks to use again, in a simulation that plans a run. */
  memory?: ResultMemory | undefined
  /** Verdicts of code that a file keeps. */
  verdicts?: Verdicts | undefined
}

/** Creates a session from a run's manifest. New, resumed and replayed runs all use it, so that they plan the same trials. */
export function createSession(folder: string, manifest: RunManifest, parts: SessionParts): Session {
  const { tasks, strategies, agents, profile, approvals, redact, budgets, sandbox } = parts
  const blocks = manifest.shard && new Set(blocksOfShard(manifest, manifest.shard))
  const known = new Map(tasks.flatMap((task) => (blocks?.has(task.ref) === false ? [] : [[task.ref, task]])))
  const rows = findRowAgents(manifest, strategies, agents)
  const judges = (manifest.judges ?? []).flatMap((name) => agents.get(name) ?? [])
  const asked = [...new Set([...distinctAgents(rows), ...judges])]
  return {
    folder,
    mode: manifest.mode,
    planned: usualLimitText(manifest),
    plan: planFromManifest(manifest, known),
    tasks: known,
    strategies: new Map(strategies.map(({ strategy }) => [strategy.name, strategy])),
    agents: rows,
    judges,
    uniqueAgents: asked,
    sandbox,
    openSandbox: parts.openSandbox,
    toolFiles: parts.toolFiles,
    checkMs: profile?.checkMs ?? 1000,
    approvals,
    redact,
    budgets,
    ...(manifest.mode === 'live' && { allowUnpriced: manifest.allowUnpriced ?? false }),
    ...(manifest.shard && { shard: { index: manifest.shard.index, of: manifest.shard.of } }),
    keepWorkspaces: manifest.keepWorkspaces,
    capture: manifest.capture,
    gradeCandidates: manifest.gradeCandidates,
    memory: parts.memory,
    verdicts: parts.verdicts,
    ...(manifest.recorded && { recorded: true }),
    ...((manifest.methods.some(({ file }) => file !== undefined) ||
      asked.some(({ userCode }) => userCode)) && {
      userCode: true,
    }),
  }
}

/** Plans the trials of a manifest. Tasks that are not in `tasks` are left out. */
export function planFromManifest(manifest: RunManifest, tasks: ReadonlyMap<string, Task>): Plan {
  return makePlan({
    tasks: manifest.tasks.flatMap(({ ref, digest }) => {
      const task = tasks.get(ref)
      return task ? [{ ref, digest, limits: task.spec.limits, hasRubric: needsJudges(task.spec) }] : []
    }),
    methods: manifest.methods,
    agents: manifest.agents,
    agentSets: manifest.agentSets,
    agentSettings: manifest.agentSettings,
    judges: manifest.judges,
    profile: manifest.profile && { name: manifest.profile.id, digest: manifest.profile.digest },
    ...limitsOf(manifest),
    askLimits: manifest.askLimits,
    retries: manifest.retries,
    faults: manifest.faults,
    seed: manifest.seed,
    epochs: manifest.epochs,
    blocks: manifest.shard && blocksOfShard(manifest, manifest.shard),
  })
}

function limitsOf({ limits, usualLimits }: RunManifest): Pick<PlanInput, 'limits' | 'usualLimits'> {
  if (!usualLimits) return { limits }
  const { calls, ...given } = limits
  return { limits: given, usualLimits: { calls } }
}

/** Returns the profile that the run's simulated agents had when it started. Throws `UserError` if run.json holds an invalid one. */
export function profileFromManifest(manifest: RunManifest): Profile | undefined {
  if (!manifest.profile) return undefined
  const { data, error } = Profile.safeParse(manifest.profile.content, { ...inWords, jitless: true })
  if (data) return data
  throw new UserError({
    where: 'run.json profile.content',
    what: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    fix: 'Restore run.json from a copy of the run folder, or use the version of bench that created the run.',
  })
}

import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import type { KnownStrategy } from '../../loop/plan/method-spec.ts'
import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { redactTask } from '../../loop/state/redact-inputs.ts'
import type { Session } from '../../loop/state/run-session.ts'
import type { LazySandbox } from '../../sandbox/open-sandbox.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { agentNamesByRole, createSession, makeAgents, profileOf } from '../agents/session.ts'
import { secretsOfRun } from '../config/run-secrets.ts'
import { strategyFromFile } from '../methods/own-strategy.ts'
import { builtInStrategies } from '../methods/sources.ts'
import { savedRequest } from '../tasks/request-task.ts'
import { openRun } from './open-run.ts'
import { requireTrustedCode } from './trust-code.ts'

/**
 * Opens a run that was begun before, to resume or replay it. Ids come from run.json; a task or strategy that has
 * changed since is told, and shows as a divergence only where a request really differs.
 */
export async function reopenRun(
  run: string,
  parts: {
    approvals?: 'approved' | 'abort'
    /** Whose files count where the run was begun in another folder; there. */
    prefer?: 'here' | 'there'
    signal?: AbortSignal
    /** The user has said that the run's own code may run. */
    trusted?: boolean
    /** What code runs in; none is opened before something runs. */
    sandbox: LazySandbox
    /** Further variables whose values are redacted. */
    secrets?: readonly string[]
    onWarning(message: string): void
  },
): Promise<{ session: Session; manifest: RunManifest; agents: ReadonlyMap<string, Agent> }> {
  const { folder, manifest: asBegun } = openRun(run)
  const manifest = relocateRun(asBegun, parts.prefer ?? 'there')
  await requireTrustedCode(folder, manifest, {
    trusted: parts.trusted === true,
    signal: parts.signal ?? new AbortController().signal,
  })
  const { redact } = secretsOfRun([...(manifest.secrets ?? []), ...(parts.secrets ?? [])])
  const tasks = tasksOf(folder, manifest).map((task) => redactTask(task, redact))
  const strategies = await strategiesOf(manifest)
  for (const what of findChanges(folder, manifest, { tasks, strategies }))
    parts.onWarning(`${what} has changed since this run began`)
  const profile = profileOf(manifest)
  const agents = await makeAgents(agentNamesByRole(manifest), {
    tasks,
    profile,
    cwd: manifest.cwd,
    run: manifest.id,
    prices: manifest.prices?.file,
    settings: manifest.agentSettings,
    endpoints: manifest.providers,
    sandbox: parts.sandbox,
    signal: parts.signal ?? new AbortController().signal,
    onWarning: parts.onWarning,
  })
  const { approvals = 'approved', sandbox } = parts
  const session = createSession(folder, manifest, {
    tasks,
    strategies,
    agents,
    profile,
    approvals,
    redact,
    sandbox: sandbox.run,
  })
  return { session, manifest, agents }
}

/**
 * The manifest of a run as it is to be read in the folder that bench is called in. What lay below the folder in which the
 * run was begun (tasks, strategies, agents) is looked for below the present one: with `prefer` here, wherever it is there,
 * so that a checkout is held against its own files; with there, only where the old place is gone.
 */
function relocateRun(manifest: RunManifest, prefer: 'here' | 'there'): RunManifest {
  const { cwd: old, methods, taskSelectors } = manifest
  const here = process.cwd()
  if (here === old) return manifest
  const moved = (path: string) => {
    const below = relative(old, path)
    if (below.startsWith('..') || join(old, below) !== path) return path
    const own = join(here, below)
    return existsSync(own) && (prefer === 'here' || !existsSync(path)) ? own : path
  }
  return {
    ...manifest,
    cwd: prefer === 'here' || !existsSync(old) ? here : old,
    methods: methods.map((method) => (method.file ? { ...method, file: moved(method.file) } : method)),
    taskSelectors: taskSelectors.map((selector) => {
      // FORMAT:PATH, and for some a slice after another colon.
      const [, format = '', path = '', slice = ''] = /^([\w-]+:)(.+?)(:[^:/\\]*)?$/.exec(selector) ?? []
      return format === '' ? selector : `${format}${moved(path)}${slice}`
    }),
  }
}

/** What is not as it was when the run began. Throws `UserError` where a task is gone. */
function findChanges(
  folder: string,
  manifest: RunManifest,
  now: { tasks: readonly Task[]; strategies: readonly KnownStrategy[] },
): string[] {
  const tasks = manifest.tasks.flatMap(({ ref, digest }) => {
    const task = now.tasks.find((task) => task.ref === ref)
    if (task) return task.digest === digest ? [] : [`task ${ref}`]
    throw new UserError({
      where: folder,
      what: `task "${ref}" of this run is not there any more`,
      fix: 'Put it back where it was when the run began.',
    })
  })
  const methods = manifest.methods.flatMap(({ label, strategy, digest }) => {
    const known = now.strategies.find((one) => one.strategy.name === strategy)
    return known && known.digest !== digest ? [`the source of method ${label}`] : []
  })
  return [...tasks, ...methods]
}

/** The tasks that a run was made of, as they are now. Throws `UserError` when some cannot be read. */
export function tasksOf(folder: string, manifest: RunManifest): Task[] {
  if (manifest.request) return [savedRequest(folder)]
  const wanted = new Set(manifest.tasks.map(({ ref }) => ref))
  return selectTasks(manifest.taskSelectors.join(','), manifest.seed).tasks.filter(({ ref }) =>
    wanted.has(ref),
  )
}

async function strategiesOf(manifest: RunManifest): Promise<KnownStrategy[]> {
  const known = builtInStrategies()
  const strategies = new Map<string, KnownStrategy>()
  for (const { strategy, file, label } of manifest.methods) {
    const found = file
      ? await strategyFromFile(file, `run.json, method ${label}: ${file}`)
      : known.find((one) => one.strategy.name === strategy)
    if (!found)
      throw new UserError({
        where: 'run.json',
        what: `this bench has no strategy "${strategy}" (method ${label})`,
        fix: 'Use the version of bench that made the run.',
      })
    strategies.set(strategy, found)
  }
  return [...strategies.values()]
}

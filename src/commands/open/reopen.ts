import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import type { Verdicts } from '../../graders/verdicts/verdicts.ts'
import type { Session } from '../../loop/branch/run-session.ts'
import { type Approvals, alwaysYes } from '../../loop/record/people.ts'
import type { LazySandbox } from '../../sandbox/open-sandbox.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { parseSource, sourceText } from '../../suites/select.ts'
import { agentNamesByRole, makeAgents } from '../agents/make-agents.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { strategiesOf } from '../methods/own-strategy.ts'
import { rereadToolFiles } from '../tools/tool-files.ts'
import { createSession, profileFromManifest } from './create-session.ts'
import { openOwnRun } from './open-run.ts'
import { keepRecordedTrials, plannedTasks, replayablePlan, selectedTasks } from './run-tasks.ts'
import { settleChanges } from './settle-changes.ts'
import { requireTrustedCode } from './trust-code.ts'

/**
 * Opens an existing run to resume or replay it. Ids come from run.json and amendments.jsonl. What has changed since then stops a
 * run that goes on, unless the user accepts it: throws `UserError` with every change. In a replay it gets a warning, and is a
 * divergence only if a request differs.
 */
export async function reopenRun(
  run: string,
  parts: {
    approvals?: Approvals
    /** Which files to use if the run was started in another folder; default `there`. */
    prefer?: 'here' | 'there'
    signal?: AbortSignal
    /** The user allows the run's own code to run. */
    trusted?: boolean
    /** The run goes on: servers of tools may start, and the files that tools declare must be as they were. */
    goesOn?: boolean
    /** The manifest with what the run is to gain; nothing of that is written yet. */
    planned?: RunManifest | undefined
    /** Goes on with tasks, agents and methods as they are now. */
    acceptChanges?: boolean
    /** The sandbox that code runs in; it is opened when something runs. */
    sandbox: LazySandbox
    /** Opens the file of verdicts of a run that goes on. */
    openVerdicts?: (manifest: RunManifest) => Promise<Verdicts | undefined>
    /** Names of further variables whose values are redacted. */
    secrets?: readonly string[]
    onWarning(message: string): void
  },
): Promise<{ session: Session; manifest: RunManifest; agents: ReadonlyMap<string, Agent> }> {
  const { folder, manifest: asBegun } = openOwnRun(run, 'resumed or replayed')
  const moved = relocateRun(parts.planned ?? asBegun, parts.prefer ?? 'there')
  const { redact, unset } = findRunSecrets([...(moved.secrets ?? []), ...(parts.secrets ?? [])])
  const { tasks: selected, programs } = await selectedTasks(folder, moved, redact)
  await requireTrustedCode(folder, moved, {
    trusted: parts.trusted === true,
    startsServers: parts.goesOn === true,
    graders: programs,
    signal: parts.signal ?? new AbortController().signal,
  })
  const strategies = await strategiesOf(moved)
  const manifest = await settleChanges(folder, moved, { tasks: selected, strategies, unset }, parts)
  const planned = plannedTasks(manifest, selected)
  const profile = profileFromManifest(manifest)
  const agents = await makeAgents(agentNamesByRole(manifest), {
    // Agents know a task by its ref in every version.
    tasks: planned.map((task) => ({ ...task, ref: refOfVersion(task.ref) })),
    profile,
    cwd: manifest.cwd,
    run: manifest.id,
    prices: manifest.prices?.file,
    settings: manifest.agentSettings,
    endpoints: manifest.providers,
    providerTools: manifest.allowProviderTools,
    sandbox: parts.sandbox,
    signal: parts.signal ?? new AbortController().signal,
    onWarning: parts.onWarning,
  })
  const { approvals = alwaysYes, sandbox } = parts
  const { earlierTasks } = manifest
  const readable =
    earlierTasks && !parts.goesOn ? replayablePlan(folder, manifest, selected, planned) : undefined
  const tasks = readable?.tasks ?? planned
  const session = createSession(folder, manifest, {
    tasks,
    strategies,
    agents,
    profile,
    approvals,
    redact,
    ...(parts.goesOn && { toolFiles: rereadToolFiles(manifest) }),
    sandbox: sandbox.run,
    openSandbox: sandbox.open,
    verdicts: await parts.openVerdicts?.(manifest),
  })
  const replan = () => keepRecordedTrials(folder, manifest, session.plan)
  return {
    session: {
      ...session,
      ...(readable && { plan: readable.plan }),
      ...(earlierTasks && { replan, earlierTasks: new Set(earlierTasks.map(({ ref }) => ref)) }),
    },
    manifest,
    agents,
  }
}

/**
 * Returns the manifest with its paths adapted to the present folder. Files that were below the folder where the run started
 * (tasks, strategies, agents) are looked for below the present folder: with `here` whenever they exist there, so that a
 * checkout is checked against its own files; with `there` only if the old path is gone.
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
      if (!selector.includes(':')) return selector
      const source = parseSource(selector)
      return sourceText({ ...source, path: moved(source.path) })
    }),
  }
}

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Agent, withoutLabel } from '../../agents/agent.ts'
import { createAgents } from '../../agents/registry.ts'
import { cacheFolder } from '../../base/cache-folder.ts'
import type { ResultMemory } from '../../graders/result-memory.ts'
import { shippedVerdicts } from '../../graders/verdicts/shipped-verdicts.ts'
import { trySubmission } from '../../loop/proof/try-submission.ts'
import { findReplyFiles, readReplies } from '../../recorded/read-replies.ts'
import type { LazySandbox } from '../../sandbox/open-sandbox.ts'
import type { AgentSettings } from '../../schema/agent/agent-settings.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { digest } from '../../text/canonical-json.ts'
import { isPlainFile, readSources } from '../../user-code/read-sources.ts'

/** What every agent is created with. */
export interface AgentTools {
  /** Runs the submissions that simulated agents try, and agents that are programs. */
  sandbox: LazySandbox
  signal: AbortSignal
  onWarning(message: string): void
  /** Keeps what the submissions showed, in a simulation that plans a run. */
  memory?: ResultMemory | undefined
}

/** Creates the agents that roles name. Throws `UserError` with the problems of all names. */
export function makeAgents(
  names: Readonly<Record<string, string>>,
  parts: AgentTools & {
    tasks: readonly Task[]
    profile: Profile | undefined
    /** Base of relative paths. */
    cwd: string
    run: string
    /** The user's own prices. */
    prices: PriceFile | undefined
    settings: AgentSettings | undefined
    endpoints: RunManifest['providers']
    /** Agents that are programs may use what their provider runs. */
    providerTools?: boolean | undefined
  },
): Promise<ReadonlyMap<string, Agent>> {
  const { signal, memory, ...environment } = parts
  const submissions = trySubmission(parts.sandbox.run, signal, memory, shippedVerdicts())
  const tasks = new Set(parts.tasks.map(({ ref }) => ref))
  return createAgents(names, {
    ...environment,
    endpoints: parts.endpoints ?? {},
    trySubmission: submissions,
    readRecorded: (files) => readReplies(files, { tasks, cwd: parts.cwd }),
    cache: cacheFolder(),
  })
}

/** Returns every agent that a run names, by its role (`ROLE`, `ROLE of METHOD`, `ROLE of SET` or `judge N`). */
export function agentNamesByRole({
  agents,
  agentSets = [],
  methods,
  judges = [],
}: Pick<RunManifest, 'agents' | 'agentSets' | 'methods' | 'judges'>): Record<string, string> {
  const own = methods.flatMap(({ label, agents = {} }) =>
    Object.entries(agents).map(([role, name]) => [`${role} of ${label}`, name]),
  )
  const others = agentSets.flatMap(({ label, agents }) =>
    Object.entries(agents).map(([role, name]) => [`${role} of ${label}`, name]),
  )
  const judging = judges.map((name, place) => [`judge ${place + 1}`, name])
  return { ...agents, ...Object.fromEntries([...others, ...own, ...judging]) }
}

/**
 * Returns the SHA-256 of the module of each scripted agent, and of the files of each recorded one, by the agent's name. It covers the
 * files that a module imports by a relative path. What is gone has none. `cwd` is the base of relative paths.
 */
export function agentDigests(names: Iterable<string>, cwd: string): Record<string, string> {
  const digests: Record<string, string> = {}
  for (const name of new Set(names)) {
    const file = moduleOf(name, cwd)
    if (file !== undefined && isPlainFile(file)) digests[name] = digest(readSources(file))
    const replies = repliesOf(name, cwd).filter(isPlainFile)
    if (replies.length > 0) digests[name] = digest(replies.map((path) => hash('sha256', readFileSync(path))))
  }
  return digests
}

/** Whether a file imports others by a relative path, so that its digest covers them, too. */
export const importsFiles = (file: string) => isPlainFile(file) && Object.keys(readSources(file)).length > 1

/** Returns the files of an agent with recorded replies; none for every other agent, and where they are gone. */
export function repliesOf(name: string, cwd: string): string[] {
  const [kind, ...path] = withoutLabel(name).split(':')
  return kind === 'recorded' ? (findReplyFiles(path.join(':'), cwd) ?? []) : []
}

/** Returns the file of a scripted agent's module; undefined for every other agent. */
export function moduleOf(name: string, cwd: string): string | undefined {
  const [kind, ...path] = withoutLabel(name).split(':')
  return kind === 'scripted' ? resolve(cwd, path.join(':')) : undefined
}

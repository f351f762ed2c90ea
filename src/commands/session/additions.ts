import { agentSetsOf, agentsAsked } from '../../schema/agent/agent-set.ts'
import type { Amendment, Extension } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { equalSetProblems } from '../agents/select-agents.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'
import { profileFromManifest } from '../open/create-session.ts'
import { resolveRun } from './new-run.ts'
import type { SessionOptions } from './session-options.ts'

/** The options that add to a run. */
export const extendable = ['epochs', 'tasks', 'methods', 'agents'] as const

/** What is added to a run: its tasks as changes, and the new values of fields of run.json. */
export type Additions = Pick<Required<Amendment>, 'changes' | 'extended'>

/** Returns what the options add to a run; undefined for nothing. Adds every problem. */
export async function findAdditions(
  manifest: RunManifest,
  asked: RunOptions,
  options: SessionOptions,
): Promise<Additions | undefined> {
  const { problems } = options
  const epochs = readWhole(problems, asked, 'epochs', manifest.epochs)
  if (epochs < manifest.epochs)
    problems.push({
      where: `--epochs ${epochs}`,
      what: `is less than the ${manifest.epochs} that the run has`,
      fix: 'Write how many epochs it should have in all.',
    })
  if (asked.agents !== undefined && manifest.agentSets?.some(({ instructions }) => instructions))
    problems.push({
      where: '--agents',
      what: 'cannot be added to a run with several wordings (--instructions)',
      fix: 'Start a new run.',
    })
  const parts = extendable.some((name) => name !== 'epochs' && asked[name] !== undefined)
    ? await resolveParts(manifest, asked, options)
    : undefined
  const known = new Set(manifest.tasks.map(({ ref }) => ref))
  const tasks = asked.tasks === undefined ? [] : (parts?.tasks ?? []).filter(({ ref }) => !known.has(ref))
  const extended: Extension = {
    ...(epochs > manifest.epochs && { epochs }),
    ...(tasks.length > 0 && parts && { taskSelectors: [...manifest.taskSelectors, ...parts.taskSelectors] }),
    ...(asked.methods !== undefined && parts && moreMethods(manifest, parts, problems)),
    ...(asked.agents !== undefined && parts && moreSets(manifest, parts, asked.agents)),
  }
  if (tasks.length === 0 && Object.keys(extended).length === 0) return undefined
  const { agentSets = [], methods } = { ...manifest, ...extended }
  if (!agentSets.some(({ instructions }) => instructions))
    for (const one of equalSetProblems(agentSets, methods))
      problems.push({ ...one, fix: 'Run the other methods with these agents in a new run.' })
  return {
    changes: tasks.map(({ ref: name, digest: after, properties, cluster }) => ({
      ...{ kind: 'task', name, before: '', after },
      ...(properties && { properties }),
      ...(cluster && { cluster }),
    })),
    extended: { ...extended, ...(parts && agentFields(manifest, parts)) },
  }
}

/** Resolves what is added as a run of its own, with the rest as in the run. Without a method, one of a single role asks each of its agents. */
async function resolveParts(
  manifest: RunManifest,
  { tasks = manifest.taskSelectors.join(), methods, agents, ...rest }: RunOptions,
  { given, problems, redact, sandbox, signal, onWarning }: SessionOptions,
): Promise<RunManifest> {
  const ofTasks = methods === undefined ? agentsAsked(manifest).join() : undefined
  const options: RunOptions = {
    ...rest,
    ...{ tasks, methods: methods ?? 'baseline', mode: manifest.mode, seed: String(manifest.seed) },
    ...{ epochs: '1', retries: undefined, agents: agents ?? ofTasks },
    judges: manifest.judges?.join() ?? given.options.judges,
  }
  const isFromFile: typeof given.isFromFile = (name) =>
    name === 'judges' || (given.isFromFile(name) && (name !== 'agents' || methods !== undefined))
  const before = { agents: manifest.agents, profile: profileFromManifest(manifest) }
  const tools = { redact, sandbox, signal, onWarning, before }
  const resolved = await resolveRun({ ...given, isFromFile, options }, problems, [], tools)
  const { manifest: parts } = resolved
  for (const warning of resolved.warnings) onWarning(warning)
  const kinds = [manifest, parts].map(({ simulated, recorded }) => `${simulated} ${recorded !== undefined}`)
  if (kinds[0] !== kinds[1])
    problems.push({
      where: '--extend',
      what: 'would mix simulated, recorded and live replies in one run',
      fix: 'Add agents of the kind that the run has.',
    })
  return parts
}

function moreMethods(manifest: RunManifest, parts: RunManifest, problems: Problem[]): Extension {
  const known = new Map(manifest.methods.map((method) => [method.label, method]))
  const added = parts.methods.filter((method) => {
    const before = known.get(method.label)
    if (before && canonicalJson(before) !== canonicalJson(method))
      problems.push({
        where: `--methods ${method.label}`,
        what: 'is the name of another method of this run',
        fix: `Give it another name: NAME=${method.label}.`,
      })
    return !before
  })
  return added.length > 0 ? { methods: [...manifest.methods, ...added] } : {}
}

/** A run with one set of agents gets a second one: its records are those of the first. Single roles keep their agents in all. */
function moreSets(manifest: RunManifest, parts: RunManifest, typed: string): Extension {
  const labelled = (run: RunManifest, label: string) =>
    agentSetsOf(run).map((set) => ({ ...set, label: set.label ?? label }))
  const before = labelled(manifest, manifest.agents['*'] ?? 'first')
  const known = new Set(before.map(({ agents }) => canonicalJson(agents)))
  const added = labelled(parts, typed)
    .map((set) => ({ ...set, agents: { ...manifest.agents, ...set.agents } }))
    .filter(({ agents }) => !known.has(canonicalJson(agents)))
  return added.length > 0 ? { agentSets: [...before, ...added] } : {}
}

/** The fields of run.json by agent, with those of the added ones. */
function agentFields(manifest: RunManifest, parts: RunManifest): Extension {
  const names = ['agentDigests', 'agentSettings', 'providers', 'endpoints', 'agentVersions'] as const
  const merged = names.map((name) => [name, { ...parts[name], ...manifest[name] }] as const)
  const prices = manifest.prices ?? parts.prices
  const judges = manifest.judges ?? parts.judges
  return {
    ...Object.fromEntries(merged.filter(([, fields]) => Object.keys(fields).length > 0)),
    ...(prices && { prices }),
    ...(judges && { judges }),
  }
}

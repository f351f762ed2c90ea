import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { harnessDigest, packageVersion } from '../../base/package-root.ts'
import { preambleHash } from '../../loop/ask/prompt.ts'
import { hasLimits } from '../../loop/budget/run-budget.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import type { Budgets } from '../../schema/limits.ts'
import type { GuessedGraders, RunManifest, SkippedItems } from '../../schema/run/run.ts'
import { statedNumbers, type Task } from '../../schema/task.ts'
import type { NamedProgram } from '../../suites/suite.ts'
import { digest } from '../../text/canonical-json.ts'
import type { Redactor } from '../../text/redact.ts'
import type { LiveManifest } from '../agents/live-manifest.ts'
import { agentDigests } from '../agents/make-agents.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { requireNoSecrets } from '../config/run-secrets.ts'
import type { GitStates } from '../open/git-state.ts'
import type { CreatedAgents, NamedAgents } from './new-agents.ts'

/** The time, id and folder of a run. */
interface RunName {
  createdAt: Date
  id: string
  folder: string
}

/** Names a run that starts now. Its folder is `out`, or one in the folder that workers see, or in results/. */
export function nameRun(
  { out, share = 'results' }: { out?: string; share?: string },
  shard?: { index: number; of: number },
): RunName {
  const createdAt = new Date()
  const time = createdAt.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  const id = `${time}-${randomBytes(3).toString('hex')}`
  return { createdAt, id, folder: out ?? join(share, shard ? `${id}-${shard.index}-of-${shard.of}` : id) }
}

/** The parts of run.json. */
export interface ManifestParts {
  given: MergedOptions
  settings: Pick<RunManifest, 'mode' | 'seed' | 'epochs' | 'limits' | 'usualLimits' | 'retries'>
  name: RunName
  chosen: Pick<RunManifest, 'taskFilter' | 'request'> & {
    selectors: string[]
    skipped?: SkippedItems[]
    guessed?: GuessedGraders[]
    programs?: readonly Pick<NamedProgram, 'file'>[]
  }
  tasks: readonly Pick<Task, 'ref' | 'digest' | 'spec' | 'instruction' | 'files'>[]
  named: NamedAgents
  simulated: boolean
  recorded: RunManifest['recorded']
  providers: CreatedAgents['providers']
  live: LiveManifest
  keepWorkspaces: KeepWorkspaces | undefined
  budgets: Budgets
  baseline: string | null
  comparison: RunManifest['comparison']
  git: GitStates
  redact: Redactor | undefined
  trials: number
}

/** Creates the content of run.json from a resolved request. Throws `UserError` if it would contain a secret. */
export function createManifest(parts: ManifestParts): RunManifest {
  const { given, settings, name, named, live, budgets, redact, keepWorkspaces } = parts
  const { config, options } = given
  const { mode, seed, epochs, retries, ...limits } = settings
  const { agentSets, faults, settings: agentSettings } = named
  const { request, selectors, taskFilter, guessed = [], programs = [] } = parts.chosen
  const digests = agentDigests(Object.values(named.names), process.cwd())
  const manifest: RunManifest = {
    schemaVersion,
    id: name.id,
    createdAt: name.createdAt.toISOString(),
    ...(options.note !== undefined && { note: options.note }),
    ...provenance(parts.git),
    mode,
    simulated: parts.simulated,
    ...(parts.recorded && { recorded: parts.recorded }),
    cwd: process.cwd(),
    seed,
    epochs,
    taskSelectors: selectors,
    ...(taskFilter && { taskFilter }),
    tasks: taskEntries(parts.tasks),
    methods: methodsOf(named, redact),
    agents: named.agents,
    ...(hasFields(digests) && { agentDigests: digests }),
    ...(agentSets && { agentSets }),
    ...(named.judges && { judges: named.judges }),
    ...(hasFields(agentSettings) && { agentSettings }),
    ...(hasFields(parts.providers) && { providers: parts.providers }),
    ...(options.skipInvalid && { skipInvalid: parts.chosen.skipped ?? [] }),
    ...(guessed.length > 0 && { guessedGraders: guessed }),
    ...(programs.length > 0 && { graderFiles: [...new Set(programs.map(({ file }) => file))] }),
    ...(config && { config: { file: config.file, digest: config.digest } }),
    ...(config?.config.capture && { capture: config.config.capture }),
    ...(options.gradeCandidates && { gradeCandidates: true as const }),
    ...(options.verdicts !== undefined && { verdicts: options.verdicts }),
    ...(keepWorkspaces && keepWorkspaces !== 'none' && { keepWorkspaces }),
    profile: profileEntry(named.profile),
    ...limits,
    ...(config?.config.limits?.ask && { askLimits: config.config.limits.ask }),
    retries,
    ...(faults && { faults }),
    ...(hasLimits(budgets) && { budgets }),
    ...(options.allowUnpriced && mode === 'live' && { allowUnpriced: true as const }),
    ...(options.allowProviderTools && mode === 'live' && { allowProviderTools: true as const }),
    ...live,
    preamble: preambleHash,
    baseline: parts.baseline,
    comparison: parts.comparison,
    ...(request && { request }),
    ...(redact && { secrets: [...redact.names] }),
    trials: parts.trials,
  }
  if (redact) requireNoSecrets(manifest, redact)
  return manifest
}

function taskEntries(tasks: ManifestParts['tasks']): RunManifest['tasks'] {
  const like = findAlike(tasks)
  return tasks.map(({ ref, digest, spec }) => {
    const properties = statedNumbers(spec)
    const first = like.get(ref)
    return {
      ...{ ref, digest, ...(properties && { properties }) },
      ...(spec.cluster && { cluster: spec.cluster }),
      ...(first && { like: first }),
    }
  })
}

/** Returns for each task the first one whose texts are the same but for numbers, spaces and capitals, if that is another. */
function findAlike(tasks: ManifestParts['tasks']): Map<string, string> {
  const seen = new Map<string, string>()
  const alike = new Map<string, string>()
  for (const { ref, instruction, files } of tasks) {
    const texts = [instruction, ...Object.values(files)].join(' ')
    const key = digest(texts.toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ').trim())
    const first = seen.get(key)
    if (first === undefined) seen.set(key, ref)
    else alike.set(ref, first)
  }
  return alike
}

const hasFields = (record: object) => Object.keys(record).length > 0

function methodsOf({ methods }: NamedAgents, redact: Redactor | undefined): RunManifest['methods'] {
  return redact ? methods.map((method) => ({ ...method, options: redact.data(method.options) })) : methods
}

function profileEntry(profile: Profile | undefined): RunManifest['profile'] {
  return profile
    ? { id: `${profile.id}@${profile.version}`, digest: digest(profile), content: profile }
    : null
}

/** Returns the versions, commits and digests of what creates a run. */
export function provenance(git: GitStates): Pick<RunManifest, 'versions' | 'git' | 'harness'> {
  const digests = harnessDigest()
  return {
    versions: {
      bench: packageVersion(),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    },
    git: git.here,
    harness: digests && { ...digests, ...(git.harness && { git: git.harness }) },
  }
}

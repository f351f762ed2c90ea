import { amendManifest, appendAmendment, readAmendments } from '../../loop/record/amendments.ts'
import { noteInterimLook } from '../../loop/record/interim-looks.ts'
import { assertNotLocked } from '../../loop/record/lock.ts'
import { readPeople } from '../../loop/record/people-file.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import { readFirstManifest } from '../../loop/record/run-folder.ts'
import { holdRunFolder } from '../../loop/record/sessions.ts'
import { verifyLedger } from '../../loop/record/verify-ledger.ts'
import { agentSetsOf, agentsAsked, rowNames } from '../../schema/agent/agent-set.ts'
import type { Amendment, Extension } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { settingsIn } from '../../schema/settings/settings.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { equalSetProblems } from '../agents/select-agents.ts'
import { fixedOptionProblems } from '../config/merge-options.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'
import { openOwnRun } from '../open/open-run.ts'
import { resolveRun } from './new-run.ts'
import { resumeRun } from './resume-run.ts'
import type { OpenedRun, SessionOptions } from './session-options.ts'

/** The options that add to a run. */
const extendable = ['epochs', 'tasks', 'methods', 'agents'] as const

/** Opens an existing run to go on, with more epochs, tasks, methods or sets of agents if asked. Throws `UserError`. */
export const goOn = ({ resume = '', extend }: RunOptions, options: SessionOptions): Promise<OpenedRun> =>
  extend === undefined ? resumeRun(resume, options) : extendRun(extend, options)

async function extendRun(run: string, options: SessionOptions): Promise<OpenedRun> {
  const { problems, given } = options
  const { folder, manifest } = openOwnRun(run, 'extended')
  assertNotLocked(folder, { takeOver: false })
  const asked: RunOptions = Object.fromEntries(
    Object.entries(given.options).filter(([name]) => !given.isFromFile(name as keyof RunOptions)),
  )
  if (asked.resume !== undefined)
    problems.push({ where: '--extend', what: 'conflicts with --resume', fix: 'Use one of them.' })
  problems.push(...fixedOptionProblems(asked, { by: '--extend', free: extendable }))
  if (asked.acceptChanges)
    problems.push({
      where: '--accept-changes',
      what: 'conflicts with --extend: trials before and after a change would not pair',
      fix: 'Restore what has changed, or start a new run.',
    })
  problems.push(...unextendableProblems(folder, manifest))
  refuse(problems)
  const more = await additions(manifest, asked, options)
  refuse(problems)
  if (!more) options.onWarning('--extend: the run has all of that already, so it only goes on')
  const kept = Object.entries(asked).filter(([name]) => !(settingsIn('fixed') as string[]).includes(name))
  const resumed = { ...options, given: { ...given, options: Object.fromEntries(kept) } }
  return resumeRun(folder, resumed, more && prepareExtension(folder, manifest, more, resumed))
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new UserError([...problems])
}

/** Returns why nothing can be added to a run. */
function unextendableProblems(folder: string, { shard, comparison, request }: RunManifest): Problem[] {
  const reasons: [holds: unknown, what: string, fix: string][] = [
    [
      shard,
      'is a shard: the shards of a run have one plan',
      'Join them with bench runs join, then extend the run.',
    ],
    [comparison?.stop, 'has a stop rule, which was fixed for its plan', 'Start a new run.'],
    [request, 'is a free request', 'Start a new run.'],
    [
      readAmendments(folder).some(({ changes }) => changes.some(({ before }) => before !== '')),
      'has tasks, agents or methods that were changed (--accept-changes), so old and new trials would not pair',
      'Start a new run.',
    ],
  ]
  return reasons.flatMap(([holds, what, fix]) => (holds ? [{ where: `--extend ${folder}`, what, fix }] : []))
}

type Additions = Pick<Required<Amendment>, 'changes' | 'extended'>

/** Returns what the options add to a run; undefined for nothing. Adds every problem. */
async function additions(
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
  const tools = { redact, sandbox, signal, onWarning, before: manifest }
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

/** Returns the plan of an extended run, and what writes it. */
function prepareExtension(
  folder: string,
  manifest: RunManifest,
  { changes, extended }: Additions,
  options: SessionOptions,
): { planned: RunManifest; write(): Promise<void> } {
  const next = { ...manifest, ...extended }
  const after = (manifest.tasks.length + changes.length) * rowNames(next).length * next.epochs
  const amendment = { changes, extended, planned: { before: manifest.trials, after } }
  const whole = { ...amendment, at: new Date().toISOString(), records: 0 }
  return {
    planned: amendManifest(readFirstManifest(folder), [...readAmendments(folder), whole]),
    async write() {
      // What a session refuses only when it has begun.
      await readPeople(folder)
      if (!options.given.options.retryErrors) verifyLedger(folder)
      await appendExtension(folder, manifest, amendment, options)
    },
  }
}

/**
 * Writes an extension. Whoever adds to a run may have seen its results, so it counts as a look, which is recorded first. Both can be
 * repeated after a crash in between.
 */
async function appendExtension(
  folder: string,
  manifest: RunManifest,
  amendment: Omit<Amendment, 'at' | 'records'>,
  { onWarning }: SessionOptions,
): Promise<void> {
  const lock = holdRunFolder(folder)
  try {
    const records = [...recordedTrials(folder)].length
    if (records > 0 && !manifest.simulated) {
      onWarning(
        `results of ${records} trials could be seen before this: it counts as a look, so the run has no p-values and no verdicts for a fixed number of tasks. For these, plan all of it in a new run, or use --stop-when settled there`,
      )
      noteInterimLook(folder, { records, command: 'bench run --extend' })
    }
    await appendAmendment(folder, { at: new Date().toISOString(), records, ...amendment })
  } finally {
    lock.release()
  }
}

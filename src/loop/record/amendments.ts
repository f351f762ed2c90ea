import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Amendment, type Extension } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { nameTaskVersion, refOfVersion } from '../../schema/run/task-version.ts'
import { addTimesum } from '../journal/checksum.ts'
import { damagedLine, parseLine, readJournalLines } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'
import { runFiles } from '../journal/run-files.ts'

/** The digests of a run's tasks by ref, of its scripted agents by name, and of its methods by label. */
type Digests = Record<'task' | 'agent' | 'method', Map<string, string>>

/**
 * Returns a run's manifest as its amendments changed it: the digests of tasks, agents and methods, the number of trials, and the
 * names of the tasks. A task that is not as it was at the start is another task with another name; `earlierTasks` lists the names
 * that records of earlier plans have.
 */
export function amendManifest(first: RunManifest, amendments: readonly Amendment[]): RunManifest {
  if (amendments.length === 0) return first
  return planVersions(first, amendments).at(-1) as RunManifest
}

/** Returns the manifest at the start, and after each amendment. */
export function planVersions(first: RunManifest, amendments: readonly Amendment[]): RunManifest[] {
  const start = digestsOf(first)
  const now = digestsOf(first)
  const versions = [first]
  // What else is stated of a task belongs to its digest. Runs of older versions do not keep it of a task that was changed or added.
  const stated = new Map(first.tasks.map(({ ref: _, digest, ...rest }) => [digest, rest]))
  let fields = first
  for (const { changes, planned, extended } of amendments) {
    for (const { kind, name, after, properties, cluster } of changes) {
      if (properties || cluster)
        stated.set(after, { ...(properties && { properties }), ...(cluster && { cluster }) })
      if (after === '') now[kind].delete(name)
      else now[kind].set(name, after)
      // A task that was added has no digest in run.json; its first one counts.
      if (kind === 'task' && !start.task.has(name)) start.task.set(name, after)
    }
    if (extended) {
      fields = { ...fields, ...extended }
      addDigests(extended, [start, now])
    }
    versions.push({
      ...versionOf(fields, now, { start, stated }),
      trials: planned.after,
      earlierTasks: namesBefore(versions),
    })
  }
  return versions
}

function digestsOf({ tasks, agentDigests = {}, methods }: RunManifest): Digests {
  return {
    task: new Map(tasks.map(({ ref, digest }) => [refOfVersion(ref), digest])),
    agent: new Map(Object.entries(agentDigests)),
    method: new Map(methods.map(({ label, digest }) => [label, digest])),
  }
}

/** Adds agents and methods that a plan has gained: they are as at the start, so no task becomes another one by them. */
function addDigests({ agentDigests = {}, methods = [] }: Extension, known: readonly Digests[]): void {
  for (const { agent, method } of known) {
    for (const [name, digest] of Object.entries(agentDigests)) if (!agent.has(name)) agent.set(name, digest)
    for (const { label, digest } of methods) if (!method.has(label)) method.set(label, digest)
  }
}

interface Known {
  /** The first digest of each task, agent and method. */
  start: Digests
  /** What is stated of a task, by its digest. */
  stated: ReadonlyMap<string, Omit<RunManifest['tasks'][number], 'ref' | 'digest'>>
}

function versionOf(first: RunManifest, now: Digests, { start, stated }: Known): RunManifest {
  const others = (['agent', 'method'] as const).flatMap((kind) =>
    [...now[kind]].flatMap(([name, digest]) =>
      start[kind].get(name) === digest ? [] : [`${kind} ${name} ${digest}`],
    ),
  )
  return {
    ...first,
    tasks: [...now.task].map(([ref, digest]) => ({
      ref: nameTaskVersion(ref, {
        first: start.task.get(ref) ?? digest,
        now: digest,
        others: others.sort(),
      }),
      digest,
      ...stated.get(digest),
    })),
    methods: first.methods.map((method) => ({
      ...method,
      digest: now.method.get(method.label) ?? method.digest,
    })),
    ...(now.agent.size > 0 && { agentDigests: Object.fromEntries(now.agent) }),
  }
}

/** Returns the tasks of earlier plans by name. One that is planned again under the same name is listed, too. */
function namesBefore(versions: readonly RunManifest[]): RunManifest['tasks'] {
  return [...new Map(versions.flatMap(({ tasks }) => tasks.map((task) => [task.ref, task]))).values()]
}

const file = runFiles.amendments

const remedy =
  'Restore the file from a copy of the run folder: it says which tasks, agents and methods the later trials had.'

/** Reads the amendments of a run's plan, in order. Throws `UserError` for a damaged line. */
export function readAmendments(folder: string): Amendment[] {
  return [...readJournalLines(join(folder, file), remedy)].map(({ text, place, hasChecksum }) => {
    if (!hasChecksum) throw damagedLine('has no checksum', place)
    return parseLine(text, Amendment, place)
  })
}

/** Returns the label of the set of agents that records without one have, since the run had no other set then; undefined if it has none. */
export function firstAgentSet(folder: string): string | undefined {
  if (!hasAmendments(folder)) return undefined
  return readAmendments(folder).find(({ extended }) => extended?.agentSets)?.extended?.agentSets?.[0]?.label
}

/** Reports whether the plan of a run was ever changed. */
export const hasAmendments = (folder: string): boolean => existsSync(join(folder, file))

/** Appends an amendment. Resolves when it is durable. The caller holds the folder's lock. */
export async function appendAmendment(folder: string, amendment: Amendment): Promise<void> {
  const out = openLineFile(join(folder, file))
  try {
    out.append(addTimesum(JSON.stringify(amendment)))
    await out.sync()
  } finally {
    out.close()
  }
}

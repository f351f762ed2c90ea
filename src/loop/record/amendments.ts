import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Amendment } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { nameTaskVersion, refOfVersion } from '../../schema/run/task-version.ts'
import { addTimesum } from '../journal/checksum.ts'
import { damagedLine, parseLine, readJournalLines } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'

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
  // A task that was added has no digest in run.json; its first one counts.
  const firstTasks = new Map(start.task)
  const now: Digests = {
    task: new Map(start.task),
    agent: new Map(start.agent),
    method: new Map(start.method),
  }
  const versions = [first]
  // A digest covers the properties. Runs of older versions do not keep those of a task that was changed or added.
  const stated = new Map(first.tasks.map(({ digest, properties }) => [digest, properties]))
  for (const { changes, planned } of amendments) {
    for (const { kind, name, after, properties } of changes) {
      if (properties) stated.set(after, properties)
      if (after === '') now[kind].delete(name)
      else now[kind].set(name, after)
      if (kind === 'task' && !firstTasks.has(name)) firstTasks.set(name, after)
    }
    versions.push({
      ...versionOf(first, now, { firstTasks, start, stated }),
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

interface Known {
  /** The first digest of each task. */
  firstTasks: ReadonlyMap<string, string>
  start: Digests
  /** Properties by digest of a task. */
  stated: ReadonlyMap<string, RunManifest['tasks'][number]['properties']>
}

function versionOf(first: RunManifest, now: Digests, { firstTasks, start, stated }: Known): RunManifest {
  const others = (['agent', 'method'] as const).flatMap((kind) =>
    [...now[kind]].flatMap(([name, digest]) =>
      start[kind].get(name) === digest ? [] : [`${kind} ${name} ${digest}`],
    ),
  )
  return {
    ...first,
    tasks: [...now.task].map(([ref, digest]) => {
      const properties = stated.get(digest)
      return {
        ref: nameTaskVersion(ref, {
          first: firstTasks.get(ref) ?? digest,
          now: digest,
          others: others.sort(),
        }),
        digest,
        ...(properties && { properties }),
      }
    }),
    methods: first.methods.map((method) => ({
      ...method,
      digest: now.method.get(method.label) ?? method.digest,
    })),
    ...(first.agentDigests && { agentDigests: Object.fromEntries(now.agent) }),
  }
}

/** Returns the tasks of earlier plans by name. One that is planned again under the same name is listed, too. */
function namesBefore(versions: readonly RunManifest[]): RunManifest['tasks'] {
  return [...new Map(versions.flatMap(({ tasks }) => tasks.map((task) => [task.ref, task]))).values()]
}

const file = 'amendments.jsonl'

const remedy =
  'Restore the file from a copy of the run folder: it says which tasks, agents and methods the later trials had.'

/** Reads the amendments of a run's plan, in order. Throws `UserError` for a damaged line. */
export function readAmendments(folder: string): Amendment[] {
  return [...readJournalLines(join(folder, file), remedy)].map(({ text, place, hasChecksum }) => {
    if (!hasChecksum) throw damagedLine('has no checksum', place)
    return parseLine(text, Amendment, place)
  })
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

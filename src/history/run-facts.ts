import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { evidenceOf, kinds } from '../analysis/evidence.ts'
import { runFiles } from '../loop/journal/run-files.ts'
import { firstAgentSet } from '../loop/record/amendments.ts'
import { foreignFile } from '../loop/record/find-runs.ts'
import { resumeCommand } from '../loop/record/in-blocks.ts'
import { isPart, isTested } from '../loop/record/interim-looks.ts'
import { checkRecords } from '../loop/record/records.ts'
import { readManifest } from '../loop/record/run-folder.ts'
import { assertImportWhole, findLostRecords } from '../loop/record/verify-ledger.ts'
import { counted } from '../reports/words/numbers.ts'
import { agentSetsOf, ofRole } from '../schema/agent/agent-set.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { digest } from '../text/canonical-json.ts'
import { UserError } from '../text/errors.ts'

/** A task of a plan: its ref, the first digits of its digest, and its cluster. */
export const PlanTask = z.object({ ref: z.string(), digest: z.string(), cluster: z.string().optional() })
export type PlanTask = z.infer<typeof PlanTask>

/** What a history needs to know of a run, besides its records. */
export const RunFacts = z.object({
  /** The name of its folder. */
  run: z.string(),
  /** Equal for copies of a run. */
  identity: z.string(),
  createdAt: z.string(),
  kind: z.enum(kinds),
  note: z.string().optional(),
  /** Trials of its plan, and its records. */
  trials: z.int(),
  recorded: z.int(),
  /** Bytes of its longest record. */
  longest: z.int(),
  /** See `checkRecords`. */
  tail: z.string().optional(),
  /** The set of agents of records that name none. */
  firstSet: z.string().optional(),
  /** Its tasks, by digest. */
  plan: z.string(),
  /** The profile of its simulated agents. */
  profile: z.string().optional(),
  /** The digest of the graders; absent where bench ran from source. */
  graders: z.string().optional(),
  methods: z.array(z.string()),
  /** Who answers for each role. */
  roles: z.array(z.object({ method: z.string(), set: z.string(), role: z.string(), agent: z.string() })),
})
export type RunFacts = z.infer<typeof RunFacts>

/** Returns the sizes and times of what `readFacts` reads, or what it refuses to read: while they are the same, its result is. */
export function signatureOf(folder: string): string {
  const foreign = foreignFile(folder)
  if (foreign) return `${foreign.where} ${foreign.what}`
  const files = [runFiles.manifest, runFiles.amendments, runFiles.records, runFiles.sessions]
  const stats = files.map((file) => statSync(join(folder, file), { throwIfNoEntry: false }))
  return stats.map((stat) => (stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '-')).join(', ')
}

/**
 * Reads the facts of a run. Throws `UserError` if `bench report` could not show it: it is damaged, holds a link, is of a newer bench, no run of bench, a shard, or a
 * live run before its end, whose results by method would be a look.
 */
export function readFacts(folder: string): { facts: RunFacts; tasks: PlanTask[] } {
  const foreign = foreignFile(folder)
  if (foreign) throw new UserError(foreign)
  const manifest = readManifest(folder)
  const { shard, imported } = manifest
  if (shard)
    throw leftOut(
      folder,
      `is shard ${shard.index} of ${shard.of} of a run`,
      'Join its shards: bench runs join.',
    )
  const { count, longest, tail } = checkRecords(folder)
  const lost = findLostRecords(folder)
  if (lost) throw new UserError(lost)
  if (imported) assertImportWhole(folder, imported)
  if (isTested(manifest) && isPart(manifest, count))
    throw leftOut(
      folder,
      `is a live run of which ${count} of ${counted(manifest.trials, 'trial')} have ended: its results by method are not looked at before its end`,
      `Go on with it: ${resumeCommand(folder)}`,
    )
  const tasks = planOf(manifest)
  const firstSet = firstAgentSet(folder)
  const graders = manifest.harness?.graders
  const { id, createdAt, note, trials, methods, profile } = manifest
  return {
    facts: {
      ...{ run: basename(folder), identity: `${id} ${createdAt}`, createdAt, trials },
      kind: kindOfRun(manifest),
      ...(note !== undefined && { note }),
      ...{ recorded: count, longest, plan: digest(tasks).slice(0, 16), roles: rolesOf(manifest) },
      ...(tail !== undefined && { tail }),
      ...(firstSet !== undefined && { firstSet }),
      ...(graders !== undefined && { graders }),
      ...(profile && { profile: profile.id }),
      methods: methods.map(({ label }) => label),
    },
    tasks,
  }
}

const leftOut = (where: string, what: string, fix: string) => new UserError({ where, what, fix })

/** Returns the kind of a run's numbers. */
export const kindOfRun = (manifest: RunManifest) => {
  const name = evidenceOf(manifest).name
  return kinds.find((kind) => kind === name) ?? 'live'
}

const planOf = ({ tasks, earlierTasks = [] }: RunManifest): PlanTask[] =>
  [...new Map([...earlierTasks, ...tasks].map((task) => [task.ref, task])).values()].map(
    ({ ref, digest, cluster }) => ({ ref, digest: digest.slice(0, 8), ...(cluster && { cluster }) }),
  )

function rolesOf(manifest: RunManifest): RunFacts['roles'] {
  return manifest.methods.flatMap(({ label, agents, roles = [] }) =>
    agentSetsOf(manifest).flatMap((set) => {
      const byRole = { ...set.agents, ...agents }
      return roles.flatMap((role) => {
        const agent = ofRole(byRole, role)
        return agent === undefined ? [] : [{ method: label, set: set.label ?? '', role, agent }]
      })
    }),
  )
}

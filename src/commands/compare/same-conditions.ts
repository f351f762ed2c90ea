import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { ComparedSide } from './compared-side.ts'

/** Throws `UserError` where two sides of one run are one, or differ in more than one thing. */
export function requireSinglePair(a: ComparedSide, b: ComparedSide, where: string): void {
  if (a.label === b.label)
    throw new UserError({
      where,
      what: 'names one method of one run twice',
      fix: 'Name another method, or another run: an A/A run has the method under two labels.',
    })
  if (a.method !== b.method && a.set !== b.set)
    throw new UserError({
      where,
      what: 'names two methods with two sets of agents: nobody could tell which of the two made a difference',
      fix: 'Compare the methods with the same agents, or one method with both.',
    })
}

/** Throws `UserError` with every reason why two runs measured different things: tasks, graders, harness. */
export function requireComparableRuns(a: ComparedSide, b: ComparedSide): void {
  const where = `${a.folder} and ${b.folder}`
  const [ours, theirs] = [a.manifest, b.manifest]
  const problems: Problem[] = []
  const other = new Map(theirs.tasks.map(({ ref, digest }) => [ref, digest]))
  const shared = ours.tasks.filter(({ ref }) => other.has(ref))
  const changed = shared.filter(({ ref, digest }) => other.get(ref) !== digest)
  if (shared.length === 0) problems.push({ where, what: 'share no task', fix: 'Run both on the same tasks.' })
  if (changed.length > 0)
    problems.push({
      where,
      what: `ran other versions of ${changed.map(({ ref }) => ref).join(', ')}: their digests differ`,
      fix: 'Run one of them again on the tasks as they are now.',
    })
  const again = 'Run one of them again with the bench that made the other.'
  if (!ours.harness || !theirs.harness)
    problems.push({
      where,
      what: 'do not both say which harness made them',
      fix: 'Run both with this bench.',
    })
  else if (ours.harness.graders !== theirs.harness.graders)
    problems.push({ where, what: 'were graded by different graders: their digests differ', fix: again })
  else if (ours.harness.code !== theirs.harness.code || ours.versions.bench !== theirs.versions.bench)
    problems.push({
      where,
      what: `were made by different harnesses (bench ${ours.versions.bench} and ${theirs.versions.bench}): their digests differ`,
      fix: again,
    })
  if (ours.preamble !== theirs.preamble)
    problems.push({ where, what: 'told their agents different preambles', fix: again })
  if (problems.length > 0) throw new UserError(problems)
}

/** Settings that may explain a difference, in words, and do not forbid to look at it. */
export function differingSettings(a: RunManifest, b: RunManifest): string[] {
  const texts: string[] = []
  const compare = (name: string, ours: unknown, theirs: unknown) => {
    const [x, y] = [canonicalJson(ours ?? null), canonicalJson(theirs ?? null)]
    if (x !== y) texts.push(`${name} differ, ${x} and ${y}`)
  }
  compare('agents', a.agentSets ?? a.agents, b.agentSets ?? b.agents)
  compare('versions of agents', a.agentVersions, b.agentVersions)
  compare('profiles', a.profile?.id, b.profile?.id)
  if (a.profile?.id === b.profile?.id && a.profile?.digest !== b.profile?.digest)
    texts.push(`profiles differ, though both are called ${a.profile?.id}`)
  compare('limits of a trial', a.limits, b.limits)
  compare('retries', a.retries, b.retries)
  compare('prices', a.prices?.table, b.prices?.table)
  compare('seeds', a.seed, b.seed)
  compare('versions of Node', a.versions.node, b.versions.node)
  const refs = new Set(b.tasks.map(({ ref }) => ref))
  const shared = a.tasks.filter(({ ref }) => refs.has(ref)).length
  if (shared < a.tasks.length || shared < b.tasks.length)
    texts.push(
      `tasks differ, ${a.tasks.length} and ${b.tasks.length} with ${shared} in both; the others are left out of the pair`,
    )
  return texts
}

/**
 * A check for records of two runs, one by one: throws `UserError` on a trial that stands in both. Equal ids alone are no
 * sign of it in live runs, where the same plan may be run twice; simulated ones come out the same each time.
 */
export function requireDistinctTrials(): (record: TrialRecord, side: ComparedSide) => void {
  const seen = new Map<string, string>()
  return ({ trial, simulated, wall }, { folder }) => {
    const made = simulated ? 'simulated' : `${wall.startedAt} ${wall.ms}`
    const before = seen.get(`${trial} ${made}`)
    if (before !== undefined && before !== folder)
      throw new UserError({
        where: `${before} and ${folder}`,
        what: `hold the same trial ${trial}: counting it twice is false evidence`,
        fix: 'Compare runs of their own; simulated ones need another --seed.',
      })
    seen.set(`${trial} ${made}`, folder)
  }
}

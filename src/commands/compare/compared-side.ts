import { basename } from 'node:path'
import { boundName } from '../../analysis/method-row.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import { findLabel } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { agentSetsOf, rowName, rowNames } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { latestRun, namesRun } from '../open/named-runs.ts'
import { openRun } from '../open/open-run.ts'
import { noteUnjoined, requireJoined } from '../open/require-joined.ts'

/** One method of one run. */
export interface ComparedSide {
  folder: string
  /** The run's short name, for labels. */
  name: string
  manifest: RunManifest
  method: string
  /** Label of the set of agents, where the run has several. */
  set: string | undefined
  /** The method and its set of agents, as tables name them. */
  label: string
}

/** Reads the two sides of a comparison, and prints what their runs do not have yet. Throws `UserError` where one of them is a run, with the commands that compare its methods. */
export function resolveSides(first: string, second: string): readonly [ComparedSide, ComparedSide] {
  const texts = [first, second] as const
  const runs = texts.filter((text) => isWholeRun(text))
  if (runs.length > 0) {
    const unknown = texts.find(
      (text) => !runs.includes(text) && endOfRun(text) < 1 && !isMethodOf(text, runs),
    )
    if (unknown !== undefined)
      throw new UserError({
        where: `bench compare ${unknown}`,
        what: `is no run, and no method of ${runs.join(' and ')}`,
        fix: `Methods there: ${runs.flatMap((run) => rowNames(openRun(run).manifest)).join(', ')}. Runs: bench runs.`,
      })
    throw new UserError(wholeRuns(texts, runs))
  }
  const sides = [resolveSide(first), resolveSide(second)] as const
  for (const folder of new Set(sides.map(({ folder }) => folder))) noteUnjoined(folder)
  return sides
}

const isMethodOf = (text: string, runs: readonly string[]) =>
  runs.some((run) => findLabel(text, rowNames(openRun(run).manifest)) !== undefined)

/** Whether a text names a run and, unlike a name alone, no method of the latest run. */
function isWholeRun(text: string): boolean {
  if (!namesRun(text)) return false
  const last = namesRun('latest') ? openRun(latestRun(text)).manifest : undefined
  return last === undefined || findLabel(text, rowNames(last)) === undefined
}

/**
 * Reads what a method of `run` is compared with: another method of it, or `RUN:METHOD`. Throws `UserError` if there is no such run or
 * method.
 */
export const resolveAgainst = (text: string, run: string): ComparedSide =>
  findLabel(text, rowNames(openRun(run).manifest)) !== undefined || endOfRun(text) < 1
    ? resolveSide(`${run}:${text}`)
    : resolveSide(text)

/** Reads `[RUN:]METHOD[@AGENTS]`; `@AGENTS` selects one of several sets of agents. The default run is the latest in results/. Throws `UserError` if there is no such run or method. */
function resolveSide(text: string): ComparedSide {
  const at = endOfRun(text)
  const written = text.slice(at + 1)
  const { folder, manifest } = openRun(at < 1 ? latestRun(text, named(text)) : text.slice(0, at))
  const rows = manifest.methods.flatMap((method) =>
    agentSetsOf(manifest).map((set) => ({ method: method.label, set: set.label })),
  )
  const label = findLabel(written, rowNames(manifest)) ?? written
  const row = rows.find(({ method, set }) => rowName(method, set) === label)
  if (!row)
    throw new UserError(
      unknownName(text, `method of ${folder}`, label, rowNames(manifest), `bench show ${folder}`),
    )
  return { folder, name: basename(folder), manifest, ...row, label }
}

/** The problem of runs in the place of their methods, with the commands that compare these. */
function wholeRuns(texts: readonly [string, string], runs: readonly string[]): Problem {
  const [a, b] = texts.map((text) => (runs.includes(text) ? rowNames(openRun(text).manifest) : undefined))
  const [run = ''] = runs
  const alone = texts.find((text) => !runs.includes(text) && endOfRun(text) < 1)
  if (alone !== undefined) {
    const other = rowNames(openRun(run).manifest).find((row) => row !== alone) ?? 'METHOD'
    return {
      where: run,
      what: 'is a run, and methods are compared',
      fix: `Write RUN:METHOD twice: bench compare ${shellWord(`${run}:${other}`)} ${shellWord(`${run}:${alone}`)}.`,
    }
  }
  const isOne = texts[0] === texts[1]
  const shared = a && b && !isOne ? a.filter((row) => b.includes(row)) : []
  // Two runs are compared by a method of both; one run, or runs without one, by the first methods that differ.
  const pairs =
    shared.length > 0 ? shared.map((row) => [row, row]) : [[a?.[0], isOne ? (b?.[1] ?? 'METHOD') : b?.[0]]]
  const side = (text: string, method: string | undefined) =>
    shellWord(method === undefined ? text : `${text.replace(/\/+$/, '')}:${method}`)
  const commands = pairs
    .slice(0, 2)
    .map(([x, y]) => `bench compare ${side(texts[0], x)} ${side(texts[1], y)}`)
  const named = [...new Set(runs)]
  return {
    where: named.join(' and '),
    what: named.length === 2 ? 'are runs, and methods are compared' : 'is a run, and methods are compared',
    fix: `Write RUN:METHOD: ${commands.join(' or ')}. All methods of a run: bench report ${shellWord(named[0] as string)}.`,
  }
}

const named = (text: string) =>
  `Write RUN:${text}, where RUN is the folder that bench printed at the end of a run.`

/** Returns the place of the colon between run and method. Colons in options and agents are others, and so is one before a document. */
function endOfRun(text: string): number {
  const [head = ''] = text.split(/[[@]/)
  // `self-consistency=sequential:calls` is a label without a run, unless a run has that name.
  const last = head.lastIndexOf(':')
  for (let at = last; at > 0; at = head.lastIndexOf(':', at - 1)) if (namesRun(text.slice(0, at))) return at
  return /=[^:]*:\w+$/.test(head) ? -1 : last
}

/** Says which agents of these rows are reference bounds, and so excluded from comparisons; undefined if there are none. */
export function describeExcludedBounds(rows: readonly Pick<MethodSummary, 'agents'>[]): string | undefined {
  const bounds = new Set(rows.map(({ agents }) => agents).filter((agents) => boundName(agents) !== undefined))
  if (bounds.size === 0) return undefined
  return `${[...bounds].join(' and ')} ${bounds.size === 1 ? 'is a reference bound and is' : 'are reference bounds and are'} excluded from comparisons`
}

/** Throws `UserError` if two sides of one run are the same, or differ in both method and agents. */
export function requireSinglePair(a: ComparedSide, b: ComparedSide, where: string): void {
  if (a.label === b.label)
    throw new UserError({
      where,
      what: 'names the same method of the same run twice',
      fix: 'Name another method or another run. For an A/A comparison, run the method under two labels.',
    })
  if (a.method === b.method || a.set === b.set) return
  const isWorded = a.manifest.agentSets?.some(({ instructions }) => instructions)
  const [one, two] = isWorded ? ['wording', 'wordings'] : ['agents', 'sets of agents']
  throw new UserError({
    where,
    what: `names two methods with two ${two}, so a difference could come from either`,
    fix: `Compare two methods with the same ${one}, or one method with two ${two}.`,
  })
}

/** Throws `UserError` with every reason why two runs cannot be compared: other tasks, graders or harness. */
export function requireComparableRuns(a: ComparedSide, b: ComparedSide): void {
  const where = `${a.folder} and ${b.folder}`
  requireJoined(`bench compare ${a.folder} ${b.folder}`, [a, b])
  const [ours, theirs] = [a.manifest, b.manifest]
  const problems: Problem[] = []
  const other = new Map(allTasks(theirs).map(({ ref, digest }) => [ref, digest]))
  const shared = allTasks(ours).filter(({ ref }) => other.has(ref))
  const changed = shared.filter(({ ref, digest }) => other.get(ref) !== digest)
  if (shared.length === 0)
    problems.push({ where, what: 'have no task in common', fix: 'Run both on the same tasks.' })
  if (changed.length > 0)
    problems.push({
      where,
      what: `ran different versions of ${changed.map(({ ref }) => ref).join(', ')}: their digests differ`,
      fix: 'Run both again with the same version of the tasks.',
    })
  const again = 'Run one of them again with the version of bench that created the other.'
  if (!ours.harness || !theirs.harness)
    problems.push({
      where,
      what: 'cannot be compared, because at least one does not record the version of its code',
      fix: 'Run both again with this version of bench.',
    })
  else if (ours.harness.graders !== theirs.harness.graders)
    problems.push({ where, what: 'were graded by different graders: their digests differ', fix: again })
  else if (ours.harness.code !== theirs.harness.code || ours.versions.bench !== theirs.versions.bench)
    problems.push({
      where,
      what: `were created by different harnesses (bench ${ours.versions.bench} and ${theirs.versions.bench}): their digests differ`,
      fix: again,
    })
  if (ours.preamble !== theirs.preamble)
    problems.push({ where, what: 'gave their agents different preambles', fix: again })
  if (problems.length > 0) throw new UserError(problems)
}

/** Returns the tasks of a run in all versions that its records may name. */
export const allTasks = ({ tasks, earlierTasks = [] }: RunManifest) => [...earlierTasks, ...tasks]

/** Returns the suites of the tasks of a run. */
export const suitesOf = (manifest: RunManifest): string[] => [
  ...new Set(allTasks(manifest).map(({ ref }) => suiteOf(ref))),
]

/** Returns the suite of a task from the name that it has in records. */
export const suiteOf = (ref: string): string => ref.split('/', 1)[0] as string

/**
 * Returns a check for the records of two runs, one by one: it throws `UserError` on a trial that is in both. In live runs
 * equal ids are not enough, as the same plan may be run twice; simulated trials with equal ids are always the same.
 */
export function requireDistinctTrials(): (record: TrialRecord, side: ComparedSide) => void {
  const seen = new Map<string, string>()
  return ({ trial, simulated, wall }, { folder }) => {
    const identity = simulated ? 'simulated' : `${wall.startedAt} ${wall.ms}`
    const before = seen.get(`${trial} ${identity}`)
    if (before !== undefined && before !== folder)
      throw new UserError({
        where: `${before} and ${folder}`,
        what: `hold the same trial ${trial}; it must not be counted twice`,
        fix: 'Compare separate runs; simulated runs need different --seed values.',
      })
    seen.set(`${trial} ${identity}`, folder)
  }
}

import { passAtK } from '../analysis/tasks/variance-components.ts'
import { groupBy } from '../base/grouping.ts'
import { present } from '../reports/words/numbers.ts'
import type { ImportedFacts, ImportedRow } from '../schema/run/imported.ts'
import { digest } from '../text/canonical-json.ts'
import { UserError } from '../text/errors.ts'
import type { Finding, ForeignState, ForeignTrial, Importer, StatedTotal } from './foreign-trial.ts'
import { type Labelled, nameRows, type PlacedTrial, placeTrials, unknownModel } from './place-trials.ts'
import { countPriced } from './price-trials.ts'

/** The trials of an import, in the order of a plan: by task, row and repetition. */
export interface Collected {
  tasks: { ref: string; digest: string; cluster?: string }[]
  rows: { label: string; agent: string }[]
  trials: PlacedTrial[]
  facts: Pick<
    ImportedFacts,
    'rows' | 'copies' | 'asFailed' | 'droppedAnswers' | 'leftOut' | 'differing' | 'priced'
  >
}

/** Characters of all answers that are kept: a run is no archive of transcripts. */
const mostAnswers = 16 * 1024 * 1024
/** Names that are kept of what was left out. */
const mostLeftOut = 1000

interface Stated {
  source: string
  label: string | undefined
  total: StatedTotal
}

interface CollectOptions {
  /** Whether what cannot be read is left out and counted, instead of refused. */
  skipInvalid: boolean
  /** Whether trials without a verdict count as failed. */
  asFailed: boolean
  /** The cluster of a task whose source states none. */
  clusterOf: Importer['clusterOf']
}

/** Gathers the findings of an import. */
export function createCollection({ skipInvalid, asFailed, clusterOf }: CollectOptions) {
  const found: Labelled[] = []
  const stated: Stated[] = []
  const leftOut: ImportedFacts['leftOut'] = { count: 0, items: [] }
  const byId = new Map<string, Labelled>()
  let copies = 0
  // The files with copies of trials.
  const copied = new Set<string>()
  let answers = 0
  let droppedAnswers = 0

  function leave(where: string, what: string): void {
    leftOut.count++
    if (leftOut.items.length < mostLeftOut) leftOut.items.push({ where, what })
  }

  function addTrial(
    { content, answer, reply: _, ...rest }: ForeignTrial,
    place: Pick<Labelled, 'source' | 'label'>,
  ): boolean {
    answers += answer?.length ?? 0
    const isKept = answer !== undefined && answers <= mostAnswers
    if (answer !== undefined && !isKept) droppedAnswers++
    const trial = isKept ? { ...rest, answer } : rest
    const next: Labelled = { ...place, trial, content: content === undefined ? undefined : digest(content) }
    const id = trial.id && JSON.stringify([place.label, trial.suite, trial.task, trial.id])
    const before = id === undefined ? undefined : byId.get(id)
    if (!before) {
      if (id !== undefined) byId.set(id, next)
      found.push(next)
      return true
    }
    if (before.trial.state !== trial.state)
      throw new UserError({
        where: trial.where,
        what: `is the trial of ${before.trial.where} (${trial.id}), but ${trial.state} here and ${before.trial.state} there`,
        fix: 'Keep the correct one.',
      })
    copies++
    copied.add(place.source)
    return false
  }

  return {
    /** Adds a finding in a file, whose trials have the user's label, if there is one. Returns whether it is a trial that was not found before. */
    add(finding: Finding, place: Pick<Labelled, 'source' | 'label'>): boolean {
      if ('trial' in finding) return addTrial(finding.trial, place)
      if ('stated' in finding) stated.push({ ...place, total: finding.stated })
      else if ('leftOut' in finding) leave(finding.leftOut.where, finding.leftOut.what)
      else if (skipInvalid) leave(finding.problem.where, finding.problem.what)
      else
        throw new UserError({
          ...finding.problem,
          fix: `${finding.problem.fix} --skip-invalid leaves it out and counts it.`,
        })
      return false
    },
    /** Counts something that cannot be read. */
    leave,
    result: (): Collected => {
      const tried = withoutRetried(found)
      const failed = asFailed ? tried.filter(({ trial }) => trial.state === 'not graded') : []
      for (const one of failed) one.trial = withoutVerdict(one.trial)
      const facts = {
        ...{ copies: copies + found.length - tried.length, leftOut },
        ...(asFailed && { asFailed: failed.length }),
        ...(droppedAnswers > 0 && { droppedAnswers }),
      }
      // The totals of a file with copies speak also of trials that count in another file.
      const totals = stated.filter(({ source }) => !copied.has(source))
      return collect(tried, totals, { facts, clusterOf })
    },
  }
}

/** Returns the trials without those that were not run, or broke, and that were tried again. */
function withoutRetried(found: readonly Labelled[]): readonly Labelled[] {
  const isLost = ({ trial: { state } }: Labelled) => state === 'not run' || state === 'error'
  const keyOf = ({ label, trial }: Labelled) => trial.planned && JSON.stringify([label, trial.planned])
  const done = new Set(found.filter((one) => !isLost(one)).map(keyOf))
  return found.filter((one) => !isLost(one) || keyOf(one) === undefined || !done.has(keyOf(one)))
}

const withoutVerdict = (trial: Labelled['trial']): Labelled['trial'] => ({
  ...trial,
  ...{ state: 'failed', score: 0, reason: present(['it has no verdict', trial.reason]).join(': ') },
})

function collect(
  found: readonly Labelled[],
  stated: readonly Stated[],
  {
    facts,
    clusterOf,
  }: Pick<CollectOptions, 'clusterOf'> & {
    facts: Pick<ImportedFacts, 'copies' | 'asFailed' | 'droppedAnswers' | 'leftOut'>
  },
): Collected {
  const nameOf = nameRows(found)
  const placed = placeTrials(found, nameOf)
  const labels = [...new Set(placed.map(({ row }) => row))]
  const tasks = new Map(placed.map(({ ref, digest }) => [ref, digest]))
  const clusters = clustersOf(placed, clusterOf)
  const places = new Map([...tasks.keys(), ...labels].map((name, at) => [name, at]))
  const placeOf = (name: string) => places.get(name) as number
  const trials = placed.toSorted(
    (a, b) => placeOf(a.ref) - placeOf(b.ref) || placeOf(a.row) - placeOf(b.row) || a.epoch - b.epoch,
  )
  const counts = countRows(labels, trials)
  return {
    tasks: [...tasks].map(([ref, digest]) => ({ ref, digest, ...clusters.get(ref) })),
    rows: labels.map((label) => ({ label, agent: agentsOf(placed, label) })),
    trials,
    facts: {
      ...{ ...facts, rows: counts, differing: differingTotals(stated, placed, nameOf) },
      ...countPriced(trials),
    },
  }
}

/** The cluster of each task that has one. */
function clustersOf(placed: readonly PlacedTrial[], clusterOf: Importer['clusterOf']) {
  const clusters = new Map<string, { cluster: string }>()
  for (const { ref, trial } of placed) {
    const cluster = trial.cluster ?? clusterOf?.(trial.task)
    const known = clusters.get(ref)?.cluster ?? cluster
    if (cluster === undefined || known === undefined) continue
    if (known !== cluster)
      throw new UserError({
        where: trial.where,
        what: `the task ${trial.task} is of the cluster ${cluster} here and of ${known} elsewhere`,
        fix: 'Give all its trials one cluster.',
      })
    clusters.set(ref, { cluster })
  }
  return clusters
}

/** The agent of a row, for the column of agents: its models. */
function agentsOf(placed: readonly PlacedTrial[], label: string): string {
  const models = new Set(
    placed.filter(({ row }) => row === label).map(({ trial }) => trial.model ?? unknownModel),
  )
  return [...models].toSorted().join(' + ')
}

const fieldOf: Readonly<Record<ForeignState, Exclude<keyof ImportedRow, 'row'>>> = {
  passed: 'passed',
  failed: 'failed',
  'not graded': 'notGraded',
  error: 'error',
  'not run': 'notRun',
}

function countRows(labels: readonly string[], trials: readonly PlacedTrial[]): ImportedRow[] {
  const rows = new Map(
    labels.map((row): [string, ImportedRow] => [
      row,
      { row, passed: 0, failed: 0, notGraded: 0, error: 0, notRun: 0 },
    ]),
  )
  for (const { row, trial } of trials) (rows.get(row) as ImportedRow)[fieldOf[trial.state]]++
  return [...rows.values()]
}

/** Rates are compared to what their digits can show. */
const tolerance = 0.0006

/** Compares each total with the trials of its file and row; a file without trials, such as that of a job, speaks of all. */
function differingTotals(
  stated: readonly Stated[],
  placed: readonly (PlacedTrial & { source: string })[],
  nameOf: ReturnType<typeof nameRows>,
): ImportedFacts['differing'] {
  const bySource = groupBy(placed, ({ source }) => source)
  return stated.flatMap(({ source, label, total }) => {
    const own = bySource.get(source) ?? []
    const isWhole = own.length === 0
    const row = isWhole ? '' : nameOf(label, total.agent, total.model)
    const counted = countedTotal(total.what, isWhole ? placed : own.filter((one) => one.row === row))
    if (counted === null || Math.abs(total.value - counted) < tolerance) return []
    return [{ where: total.where, row, what: total.what, stated: total.value, counted }]
  })
}

/** A rate counts what is not graded as failed, as harnesses do. */
function countedTotal(what: StatedTotal['what'], placed: readonly PlacedTrial[]): number | null {
  const passed = countPassed(placed)
  if (what === 'passed') return passed
  const run = placed.filter(({ trial }) => trial.state !== 'not run')
  if (what === 'trials') return run.length
  if (what === 'success rate') return run.length === 0 ? null : passed / run.length
  const tasks = [...groupBy(run, ({ ref }) => ref).values()]
  const k = Number(what.slice('pass@'.length))
  return passAtK(
    tasks.map((trials) => trials.length),
    tasks.map(countPassed),
    k,
  ).estimate
}

const countPassed = (placed: readonly PlacedTrial[]) =>
  placed.filter(({ trial }) => trial.state === 'passed').length

import { seededRandom } from '../../base/random.ts'
import { kinshipOf } from '../../schema/agent/model-name.ts'
import type { RubricScale } from '../../schema/grader-spec.ts'
import type { JudgeScore, Score } from '../../schema/ledger/outcome.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { type Alpha, krippendorffAlpha, type Metric } from '../agreement/agreement.ts'
import { mean } from '../numeric/moments.ts'
import { percentileInterval } from '../resampling/bootstrap.ts'

interface JudgeMean {
  judge: string
  trials: number
  /** Trials for which it gave no readable verdict. */
  missing: number
  /** Mean score; null without a verdict. */
  mean: number | null
}

/** The judges of a grader, or of one of its criteria, and how far they agree. */
export interface JudgeAgreement {
  grader: string
  /** Null: the score of the whole grader. */
  criterion: string | null
  scale: RubricScale
  judges: JudgeMean[]
  metric: Metric
  agreement: Alpha
  /** 95% percentile interval of alpha, by a bootstrap over tasks; null with fewer than two tasks. */
  interval: { lower: number; upper: number } | null
  tasks: number
  /** Mean score of the verdicts in the second order minus that in the first; null without both. */
  orderEffect: number | null
}

/** A judge whose model is that of an agent whose work it judges, or of its family. */
export interface OwnWork {
  judge: string
  agent: string
  kinship: 'model' | 'family'
}

/** Takes records one by one. */
export interface JudgesBuilder {
  add(record: TrialRecord): void
  result(): { rows: JudgeAgreement[]; own: OwnWork[] }
}

interface Unit {
  task: string
  /** By judge: the score and its votes; null without a readable verdict. */
  scores: Map<string, { value: number; votes: readonly number[] } | null>
}

interface Tally {
  grader: string
  criterion: string | null
  scale: RubricScale
  units: Unit[]
}

/** Creates a builder of the agreement of judges. Only records with verdicts of judges count. */
export function createJudges(): JudgesBuilder {
  const tallies = new Map<string, Tally>()
  const own = new Map<string, OwnWork>()
  return {
    add(record) {
      for (const score of record.scores) {
        if (!score.judges) continue
        addScore(tallies, record.task, score, score.judges)
        for (const one of ownWork(record, score.judges)) own.set(JSON.stringify(one), one)
      }
    },
    result: () => ({
      rows: [...tallies.values()].map(agreementOf),
      own: [...own.values()],
    }),
  }
}

function addScore(
  tallies: Map<string, Tally>,
  task: string,
  { name: grader, scale = '0-1' }: Score,
  judges: readonly JudgeScore[],
): void {
  const criteria = [...new Set(judges.flatMap((one) => Object.keys(one.criteria ?? {})))]
  for (const criterion of [null, ...criteria]) {
    const key = JSON.stringify([grader, scale, criterion])
    const tally = tallies.get(key) ?? { grader, criterion, scale, units: [] }
    tallies.set(key, tally)
    tally.units.push({ task, scores: new Map(judges.map((one) => [one.judge, scoreOf(one, criterion)])) })
  }
}

function scoreOf({ value, criteria = {} }: JudgeScore, criterion: string | null) {
  if (value === null) return null
  const votes = criterion === null ? [] : (criteria[criterion] ?? [])
  return { value: criterion === null ? value : (mean(votes) ?? 0), votes }
}

function ownWork({ agents }: TrialRecord, judges: readonly JudgeScore[]): OwnWork[] {
  const asked = typeof agents === 'string' ? [agents] : Object.values(agents)
  return judges.flatMap(({ judge }) =>
    [...new Set(asked)].flatMap((agent) => {
      const kinship = kinshipOf(judge, agent)
      return kinship ? [{ judge, agent, kinship }] : []
    }),
  )
}

const resamples = 1000

function agreementOf({ units, ...named }: Tally): JudgeAgreement {
  const judges = [...new Set(units.flatMap(({ scores }) => [...scores.keys()]))]
  const ratings = units.map(({ scores }) => [...scores.values()].flatMap((score) => score?.value ?? []))
  const metric = metricOf(named, ratings)
  const byTask = new Map<string, number[][]>()
  for (const [place, { task }] of units.entries())
    byTask.set(task, [...(byTask.get(task) ?? []), ratings[place] as number[]])
  return {
    ...named,
    judges: judges.map((judge) => meanOfJudge(judge, units)),
    metric,
    agreement: krippendorffAlpha(ratings, metric),
    interval: alphaInterval([...byTask.values()], metric, JSON.stringify(named)),
    tasks: byTask.size,
    orderEffect: orderEffect(units),
  }
}

/** Votes of one judge that differ have a mean between yes and no, which has a size. */
function metricOf(
  { scale, criterion }: Omit<Tally, 'units'>,
  ratings: readonly (readonly number[])[],
): Metric {
  if (criterion === null || scale === '0-1') return 'interval'
  if (scale !== 'yes-no') return 'ordinal'
  return ratings.flat().every((value) => value === 0 || value === 1) ? 'nominal' : 'interval'
}

function meanOfJudge(judge: string, units: readonly Unit[]): JudgeMean {
  const own = units.flatMap(({ scores }) => (scores.has(judge) ? [scores.get(judge) ?? null] : []))
  const values = own.flatMap((score) => score?.value ?? [])
  return {
    judge,
    trials: values.length,
    missing: own.length - values.length,
    mean: mean(values),
  }
}

/** Draws whole tasks, since the trials of one task are alike. A draw without an alpha, such as one of equal scores, is left out. */
function alphaInterval(
  tasks: readonly (readonly (readonly number[])[])[],
  metric: Metric,
  label: string,
): JudgeAgreement['interval'] {
  if (tasks.length < 2) return null
  const random = seededRandom(`alpha/${label}`)
  const draw = () => tasks[Math.floor(random() * tasks.length)] as readonly (readonly number[])[]
  const replicates = Array.from(
    { length: resamples },
    () => krippendorffAlpha(tasks.flatMap(draw), metric).alpha,
  ).filter((alpha) => alpha !== null)
  const { lower, upper } = percentileInterval(replicates, 0.95)
  return lower === null || upper === null ? null : { lower, upper }
}

function orderEffect(units: readonly Unit[]): number | null {
  const votes = units.flatMap(({ scores }) =>
    [...scores.values()].flatMap((score) => (score ? [score.votes] : [])),
  )
  const inOrder = (order: number) => votes.flatMap((one) => one.filter((_, vote) => vote % 2 === order))
  const both = votes.filter((one) => one.length > 1)
  return both.length === 0 ? null : (mean(inOrder(1)) ?? 0) - (mean(inOrder(0)) ?? 0)
}

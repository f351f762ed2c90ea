import { mean } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import { wilsonInterval } from '../tasks/interval.ts'

/** A trial whose verdict is known, and the label of a person if there is one; 1 is passed, 0 is not. */
export interface JudgedTrial {
  task: string
  method: string
  verdict: number
  label: number | null
}

/** A corrected estimate with its interval, or why it cannot be given. */
export interface Corrected {
  estimate: number | null
  lower: number | null
  upper: number | null
  /** Trials with a label, and their tasks. */
  labels: number
  tasks: number
  because: 'too-few-labels' | null
}

/** Fewer labels of a method, or labels of fewer tasks, give no estimate: its interval would not hold. */
export const leastLabels = { trials: 20, tasks: 5 } as const

/**
 * Estimates the success that people would have found for a method, from the verdicts of all of its trials and the labels of some. It is
 * the regression estimator of double sampling (Cochran 1977, section 12.6), which prediction-powered inference calls PPI++
 * (Angelopoulos, Duchi and Zrnic 2023): the mean label, moved by how the verdicts of all trials differ from those of the labelled ones.
 * It is right on average however biased the judges are, if the labelled trials were drawn at random. The interval is Student's over
 * tasks, whose trials are alike.
 */
export function correctedSuccess(
  trials: readonly JudgedTrial[],
  method: string,
  confidence: number,
): Corrected {
  const own = trials.filter((one) => one.method === method)
  const part = influences(own, slopeOf(trials))
  return intervalOf([part], confidence)
}

/** Estimates the corrected success of one method minus that of another, over the same tasks. */
export function correctedDifference(
  trials: readonly JudgedTrial[],
  [method, other]: readonly [string, string],
  confidence: number,
): Corrected {
  const slope = slopeOf(trials)
  const [one, two] = [method, other].map((name) =>
    influences(
      trials.filter((trial) => trial.method === name),
      slope,
    ),
  ) as [Part, Part]
  return intervalOf([one, negated(two)], confidence)
}

interface Part {
  estimate: number
  byTask: Map<string, number>
  labels: number
  labelled: Set<string>
  /** Variance that the labels should at least show; see `leastVariance`. */
  hidden: number
}

function slopeOf(trials: readonly JudgedTrial[]): number {
  let [products, squares] = [0, 0]
  for (const method of new Set(trials.map((one) => one.method))) {
    const own = trials.filter((one) => one.method === method && one.label !== null)
    const verdict = mean(own.map((one) => one.verdict)) ?? 0
    const label = mean(own.map((one) => one.label ?? 0)) ?? 0
    for (const one of own) {
      products += (one.verdict - verdict) * ((one.label ?? 0) - label)
      squares += (one.verdict - verdict) ** 2
    }
  }
  return squares === 0 ? 1 : Math.min(1, Math.max(0, products / squares))
}

function influences(own: readonly JudgedTrial[], slope: number): Part {
  const labelled = own.filter((one) => one.label !== null)
  const all = mean(own.map(({ verdict }) => verdict)) ?? 0
  const rest = (one: JudgedTrial) => (one.label ?? 0) - slope * one.verdict
  const correction = mean(labelled.map(rest)) ?? 0
  const byTask = new Map<string, number>()
  const ofLabels = new Map<string, number>()
  const add = (sums: Map<string, number>, task: string, value: number) =>
    sums.set(task, (sums.get(task) ?? 0) + value)
  for (const one of own) add(byTask, one.task, (slope * (one.verdict - all)) / own.length)
  for (const one of labelled) {
    const moved = (rest(one) - correction) / labelled.length
    add(byTask, one.task, moved)
    add(ofLabels, one.task, moved)
  }
  return {
    estimate: slope * all + correction,
    byTask,
    labels: labelled.length,
    labelled: new Set(labelled.map(({ task }) => task)),
    hidden: Math.max(0, leastVariance(labelled) - sumOfSquares(ofLabels)),
  }
}

/**
 * Returns the variance of a mean of labels that one more disagreement each way would show (as Agresti and Coull 1998 do for shares). Where
 * a few labels all agree with the judges, their own variance is 0, and an interval by it would be a point.
 */
function leastVariance(labelled: readonly JudgedTrial[]): number {
  if (labelled.length === 0) return 0
  const wrong = labelled.reduce((sum, { label, verdict }) => sum + Math.abs((label ?? 0) - verdict), 0)
  const share = (wrong + 1) / (labelled.length + 2)
  return (share * (1 - share)) / labelled.length
}

const negated = (part: Part): Part => ({
  ...part,
  estimate: -part.estimate,
  byTask: new Map([...part.byTask].map(([task, value]) => [task, -value])),
})

function intervalOf(parts: readonly Part[], confidence: number): Corrected {
  const labels = Math.min(...parts.map((part) => part.labels))
  const tasks = Math.min(...parts.map((part) => part.labelled.size))
  const counts = { labels, tasks }
  if (labels < leastLabels.trials || tasks < leastLabels.tasks)
    return { estimate: null, lower: null, upper: null, ...counts, because: 'too-few-labels' }
  const together = new Map<string, number>()
  for (const { byTask } of parts)
    for (const [task, value] of byTask) together.set(task, (together.get(task) ?? 0) + value)
  const clusters = together.size
  const hidden = parts.reduce((sum, part) => sum + part.hidden, 0)
  const variance = (sumOfSquares(together) * clusters) / (clusters - 1) + hidden
  const half = studentQuantile((1 + confidence) / 2, tasks - 1) * Math.sqrt(variance)
  const estimate = parts.reduce((sum, part) => sum + part.estimate, 0)
  const [low, high] = parts.length > 1 ? [-1, 1] : [0, 1]
  const within = (value: number) => Math.min(high, Math.max(low, value))
  return {
    estimate: within(estimate),
    lower: within(estimate - half),
    upper: within(estimate + half),
    ...counts,
    because: null,
  }
}

const sumOfSquares = (sums: ReadonlyMap<string, number>) =>
  [...sums.values()].reduce((total, value) => total + value * value, 0)

interface Labelled {
  label: boolean
  verdict: boolean
}

/** A share with its interval; null without trials. */
export interface Rate {
  value: number | null
  lower: number | null
  upper: number | null
  /** Trials that count. */
  trials: number
}

/** How the judges' verdicts relate to labels of people. */
export interface JudgeRates {
  /** Of the trials that people pass, the share that the judges pass. */
  sensitivity: Rate
  /** Of the trials that people fail, the share that the judges fail. */
  specificity: Rate
  /** Share of trials with the same verdict. */
  agreement: Rate
}

/** Returns sensitivity, specificity and agreement of verdicts, with Wilson intervals. */
export function judgeRates(labelled: readonly Labelled[], confidence: number): JudgeRates {
  const rate = (of: readonly Labelled[], isRight: (one: Labelled) => boolean): Rate => {
    const right = of.filter(isRight).length
    if (of.length === 0) return { value: null, lower: null, upper: null, trials: 0 }
    const { lower, upper } = wilsonInterval(right, of.length, confidence)
    return { value: right / of.length, lower, upper, trials: of.length }
  }
  return {
    sensitivity: rate(
      labelled.filter(({ label }) => label),
      ({ verdict }) => verdict,
    ),
    specificity: rate(
      labelled.filter(({ label }) => !label),
      ({ verdict }) => !verdict,
    ),
    agreement: rate(labelled, ({ label, verdict }) => label === verdict),
  }
}

import type { JudgedTrial } from '../../../src/analysis/calibration/corrected-success.ts'
import { normal, seededRandom, shuffled } from '../../../src/base/random.ts'

/** A world in which the truth is known. */
export interface LabelWorld {
  tasks: number
  epochs: number
  /** Labels of all methods together, drawn at random from all trials. */
  labels: number
  /** By method: the mean of its logits, and the judges' rates. */
  methods: Readonly<Record<string, { logit: number; sensitivity: number; specificity: number }>>
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x))
/** How much tasks differ, and the part of it that methods share; logits. */
const [shared, own] = [1, 0.5]

/** Draws the trials of a run with a biased judge, some of which a person has labelled. */
export function drawTrials({ tasks, epochs, labels, methods }: LabelWorld, seed: string): JudgedTrial[] {
  const random = seededRandom(seed)
  const trials: { task: string; method: string; verdict: number; truth: number }[] = []
  for (let task = 0; task < tasks; task++) {
    const difficulty = shared * normal(random)
    for (const [method, { logit, sensitivity, specificity }] of Object.entries(methods)) {
      const p = logistic(logit + difficulty + own * normal(random))
      for (let epoch = 0; epoch < epochs; epoch++) {
        const truth = Number(random() < p)
        const verdict = Number(random() < (truth ? sensitivity : 1 - specificity))
        trials.push({ task: `t${task}`, method, verdict, truth })
      }
    }
  }
  const labelled = new Set(
    shuffled(
      trials.map((_, place) => place),
      random,
    ).slice(0, labels),
  )
  return trials.map(({ truth, ...trial }, place) => ({ ...trial, label: labelled.has(place) ? truth : null }))
}

/** Returns the success that a method has in the population of tasks, by integration over the difficulty. */
export function trueSuccess(logit: number): number {
  const sd = Math.hypot(shared, own)
  const steps = 2001
  let [sum, weights] = [0, 0]
  for (let i = 0; i < steps; i++) {
    const z = -6 + (12 * i) / (steps - 1)
    const weight = Math.exp((-z * z) / 2)
    sum += weight * logistic(logit + sd * z)
    weights += weight
  }
  return sum / weights
}

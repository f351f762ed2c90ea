import { describe, expect, it } from 'vitest'
import {
  correctedDifference,
  correctedSuccess,
  type JudgedTrial,
  judgeRates,
} from '../../../src/analysis/calibration/corrected-success.ts'
import { createJudges } from '../../../src/analysis/calibration/judges.ts'
import { judgesSection } from '../../../src/reports/judges/section.ts'
import { drawTrials, type LabelWorld, trueSuccess } from '../../helpers/graders/drawn-labels.ts'
import { aRecord } from '../records.ts'

const [one, two] = ['anthropic:claude-sonnet-4-5', 'openai:gpt-5']

/** A trial whose two judges gave these votes on one criterion; null: the second gave no verdict. */
const judged = (place: number, first: number[], second: number[] | null) =>
  aRecord({
    ...{ trial: `t${place}`, task: `s/t${place}`, agents: 'anthropic:claude-haiku-4-5' },
    scores: [
      {
        ...{ name: 'quality', value: 0.5, reason: '', scale: 'yes-no' as const },
        judges: [
          { judge: one, value: mean(first), criteria: { right: first } },
          second === null
            ? { judge: two, value: null, missing: 'no verdict' }
            : { judge: two, value: mean(second), criteria: { right: second } },
        ],
      },
    ],
  })
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

it('sums up judges: agreement, missing verdicts, order, and work of their own family', () => {
  const judges = createJudges()
  const votes: [number[], number[] | null][] = [
    [
      [1, 0],
      [1, 1],
    ],
    [
      [1, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [[1, 1], null],
  ]
  for (const [place, [first, second]] of votes.entries()) judges.add(judged(place, first, second))
  const { rows, own } = judges.result()
  expect(rows.map(({ criterion, metric }) => [criterion, metric])).toEqual([
    [null, 'interval'],
    ['right', 'interval'],
  ])
  expect(rows[1]).toMatchObject({
    judges: [
      { judge: one, trials: 4, missing: 0, mean: 0.5 },
      { judge: two, trials: 3, missing: 1 },
    ],
    agreement: { units: 3, values: 6 },
    tasks: 4,
  })
  expect(rows[1]?.orderEffect).toBeCloseTo(-2 / 7, 12)
  expect(rows[1]?.interval?.lower).toBeLessThanOrEqual(rows[1]?.agreement.alpha as number)
  expect(own).toEqual([{ judge: one, agent: 'anthropic:claude-haiku-4-5', kinship: 'family' }])
  const notes = judgesSection({ rows, own }, { simulated: false }).notes.map(({ text }) => text)
  expect(notes).toEqual([
    expect.stringMatching(/^quality: alpha 0\.\d\d is below 0\.667: the judges agree too little/),
    expect.stringMatching(/^quality\/right: scores differ by -0\.29 between the two orders/),
    expect.stringContaining(`quality: ${two} gave no readable verdict for 1 of 4 trials`),
    expect.stringContaining(`The judge ${one} is of the model family of anthropic:claude-haiku-4-5`),
    expect.stringContaining("Alpha is Krippendorff's"),
  ])
})

const world: LabelWorld = {
  ...{ tasks: 40, epochs: 3, labels: 100 },
  methods: {
    a: { logit: 0, sensitivity: 0.95, specificity: 0.6 },
    b: { logit: 0.7, sensitivity: 0.7, specificity: 0.95 },
  },
}
const worlds = 200
const drawn = Array.from({ length: worlds }, (_, seed) => drawTrials(world, `labels/${seed}`))
const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

describe('the corrected success of a method', () => {
  it('is right on average where the share of verdicts is not, and its interval holds the truth', () => {
    const truth = trueSuccess(0)
    const verdicts = drawn.map((trials) =>
      meanOf(trials.filter(({ method }) => method === 'a').map(({ verdict }) => verdict)),
    )
    expect(meanOf(verdicts) - truth).toBeGreaterThan(0.1)
    const found = drawn.map((trials) => correctedSuccess(trials, 'a', 0.95))
    expect(meanOf(found.map(({ estimate }) => estimate as number))).toBeCloseTo(truth, 1.5)
    const holds = found.filter(({ lower, upper }) => (lower as number) <= truth && truth <= (upper as number))
    expect(holds.length / worlds).toBeGreaterThan(0.91)
  })

  it('gives a difference that keeps its sign where the judges turn it round', () => {
    const truth = trueSuccess(0.7) - trueSuccess(0)
    const found = drawn.map((trials) => correctedDifference(trials, ['b', 'a'], 0.95))
    const verdicts = drawn.map((trials) => {
      const [a, b] = ['a', 'b'].map((name) =>
        meanOf(trials.filter(({ method }) => method === name).map(({ verdict }) => verdict)),
      ) as [number, number]
      return b - a
    })
    expect(meanOf(verdicts)).toBeLessThan(0)
    expect(meanOf(found.map(({ estimate }) => estimate as number))).toBeCloseTo(truth, 1)
    const holds = found.filter(({ lower, upper }) => (lower as number) <= truth && truth <= (upper as number))
    expect(holds.length / worlds).toBeGreaterThan(0.91)
  })

  it('is the mean label where every trial has one', () => {
    const trials: JudgedTrial[] = Array.from({ length: 30 }, (_, place) => ({
      ...{ task: `t${place % 10}`, method: 'a', verdict: 1 },
      label: Number(place % 3 === 0),
    }))
    expect(correctedSuccess(trials, 'a', 0.95).estimate).toBeCloseTo(1 / 3, 12)
  })

  it('has an interval with a width where all labels agree with the judges', () => {
    const trials: JudgedTrial[] = Array.from({ length: 40 }, (_, place) => ({
      ...{ task: `t${place % 20}`, method: 'a', verdict: 1, label: place < 20 ? 1 : null },
    }))
    const { estimate, lower, upper } = correctedSuccess(trials, 'a', 0.95)
    expect({ estimate, upper }).toEqual({ estimate: 1, upper: 1 })
    expect(lower).toBeLessThan(0.95)
  })

  it.each([
    ['19 labels', 19, 10],
    ['labels of 4 tasks', 40, 4],
  ])('is not given for %s', (_, labels, tasks) => {
    const trials: JudgedTrial[] = Array.from({ length: 60 }, (_, place) => ({
      ...{ task: `t${place % tasks}`, method: 'a', verdict: place % 2, label: place < labels ? 1 : null },
    }))
    expect(correctedSuccess(trials, 'a', 0.95)).toMatchObject({
      estimate: null,
      because: 'too-few-labels',
      labels,
    })
  })
})

describe('the rates of judges', () => {
  it('count what people pass and fail apart, with Wilson intervals', () => {
    const labelled = [
      ...Array.from({ length: 10 }, (_, place) => ({ label: true, verdict: place < 9 })),
      ...Array.from({ length: 5 }, (_, place) => ({ label: false, verdict: place < 2 })),
    ]
    const { sensitivity, specificity, agreement } = judgeRates(labelled, 0.95)
    expect(sensitivity).toMatchObject({ value: 0.9, trials: 10 })
    expect(sensitivity.lower).toBeCloseTo(0.5958, 3)
    expect(sensitivity.upper).toBeCloseTo(0.9821, 3)
    expect(specificity).toMatchObject({ value: 0.6, trials: 5 })
    expect(agreement).toMatchObject({ value: 0.8, trials: 15 })
    expect(judgeRates([], 0.95).sensitivity).toEqual({ value: null, lower: null, upper: null, trials: 0 })
  })
})

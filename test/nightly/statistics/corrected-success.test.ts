import { describe, expect, it } from 'vitest'
import { correctedDifference, correctedSuccess } from '../../../src/analysis/calibration/corrected-success.ts'
import { drawTrials, type LabelWorld, trueSuccess } from '../../helpers/graders/drawn-labels.ts'

const worlds = 4000

const settings: readonly (LabelWorld & { name: string })[] = [
  {
    ...{ name: 'a harsh and a mild judge', tasks: 40, epochs: 3, labels: 120 },
    methods: {
      a: { logit: 0, sensitivity: 0.95, specificity: 0.6 },
      b: { logit: 0.7, sensitivity: 0.7, specificity: 0.95 },
    },
  },
  {
    ...{ name: 'few labels', tasks: 30, epochs: 2, labels: 60 },
    methods: {
      a: { logit: 0, sensitivity: 0.9, specificity: 0.8 },
      b: { logit: 0, sensitivity: 0.9, specificity: 0.8 },
    },
  },
  {
    ...{ name: 'high success and good judges', tasks: 60, epochs: 1, labels: 60 },
    methods: {
      a: { logit: 2, sensitivity: 0.98, specificity: 0.95 },
      b: { logit: 2.5, sensitivity: 0.98, specificity: 0.95 },
    },
  },
  {
    ...{ name: 'judges that know nothing', tasks: 40, epochs: 2, labels: 80 },
    methods: {
      a: { logit: 0.5, sensitivity: 0.5, specificity: 0.5 },
      b: { logit: 0, sensitivity: 0.5, specificity: 0.5 },
    },
  },
]

describe.each(settings)('success corrected by labels, with $name', ({ name, ...world }) => {
  it(`has 95% intervals that hold the truth in at least 93% of ${worlds} worlds`, () => {
    const [a, b] = [world.methods.a?.logit, world.methods.b?.logit].map((logit) =>
      trueSuccess(logit ?? 0),
    ) as [number, number]
    const held = { a: 0, b: 0, difference: 0 }
    const given = { a: 0, b: 0, difference: 0 }
    for (let seed = 0; seed < worlds; seed++) {
      const trials = drawTrials(world, `${name}/${seed}`)
      const found = {
        a: { truth: a, ...correctedSuccess(trials, 'a', 0.95) },
        b: { truth: b, ...correctedSuccess(trials, 'b', 0.95) },
        difference: { truth: b - a, ...correctedDifference(trials, ['b', 'a'], 0.95) },
      }
      for (const key of ['a', 'b', 'difference'] as const) {
        const { truth, lower, upper } = found[key]
        if (lower === null || upper === null) continue
        given[key]++
        if (lower <= truth && truth <= upper) held[key]++
      }
    }
    for (const key of ['a', 'b', 'difference'] as const) {
      expect(given[key], key).toBeGreaterThan(worlds / 2)
      expect(held[key] / given[key], key).toBeGreaterThan(0.93)
    }
  })
})

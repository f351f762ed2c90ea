import { expect, it } from 'vitest'
import { createJudges } from '../../../src/analysis/calibration/judges.ts'
import { judgesSection } from '../../../src/reports/judges/section.ts'
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
  const notes = judgesSection({ rows, own }, false).notes.map(({ text }) => text)
  expect(notes).toEqual([
    expect.stringMatching(/^quality: alpha 0\.\d\d is below 0\.667: the judges agree too little/),
    expect.stringMatching(/^quality\/right: scores differ by -0\.29 between the two orders/),
    expect.stringContaining(`quality: ${two} gave no readable verdict for 1 of 4 trials`),
    expect.stringContaining(`The judge ${one} is of the model family of anthropic:claude-haiku-4-5`),
    expect.stringContaining("Alpha is Krippendorff's"),
  ])
})

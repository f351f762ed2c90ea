import { expect, it } from 'vitest'
import { type PairPlan, planRun } from '../../../src/analysis/compare/run-plan.ts'
import { powerText } from '../../../src/commands/power/power-text.ts'

const pair = (more: Partial<PairPlan>): PairPlan => ({
  ...{
    a: 'review',
    b: 'baseline',
    tasks: 20,
    detectable: 0.318,
    detectableRefusal: null,
    needed: 204,
    take: 204,
    neededUpper: 260,
  },
  ...{ neededEndlessEpochs: 88, mcnemar: null, neededEpochs: 14, epochsRefusal: null },
  ...{ trialsUsd: 0.05, costUsd: 30.6, refusal: null },
  ...more,
})

const matched = pair({
  b: 'self-consistency=review',
  detectable: 0.26,
  needed: 141,
  neededUpper: 170,
})
const shown = (rows: PairPlan[], width = 100, usd: (number | null)[] = [0.01, 0.04, 0.04]) =>
  powerText(
    rows,
    {
      ...{ delta: 0.1, alpha: 0.025, power: 0.8, simulated: true, amended: null },
      run: planRun(rows, usd, 3),
    },
    width,
  )

it('power answers with a table and one line that says how many tasks to take', () => {
  const text = shown([pair({}), matched])
  expect(text).toMatch(/^ +pair +finds now +tasks for 10 points +epochs +dollars\n/)
  expect(text).toMatch(/^ +review than baseline +31\.8 points +204 \(up to 260\) +3 +\$30\.60$/m)
  expect(text).toMatch(
    /^Take 204 tasks with 3 epochs: every pair then finds 10 points, about \$55\.08 for all methods\.$/m,
  )
  expect(text).toContain('The 20 tasks of the pilot find 26.0 to 31.8 points, by pair.')
  expect(text).toContain('260 tasks also cover the uncertainty')
})

it('power promises no number of tasks if one pair has no plan', () => {
  const none = {
    ...pair({}),
    needed: null,
    take: null,
    detectable: null,
    costUsd: null,
    refusal: 'no difference varies',
  }
  const text = shown([matched, none])
  expect(text).toMatch(/^ +review than baseline +- +- +- +-$/m)
  expect(text).toContain('No number of tasks can be planned for every pair; the notes say why.')
  expect(text).toContain('review than baseline: no difference varies')
})

it('power says that dollars are unknown where a method has no price', () => {
  expect(shown([pair({ costUsd: null })], 100, [0.01, null])).toMatch(
    / 3 +unknown\n[\s\S]*dollars unknown\.$/m,
  )
})

it("power takes the tasks of McNemar's test where one epoch needs more of them", () => {
  const text = shown([pair({ take: 310, mcnemar: { n: 310, power: 0.81 } })])
  expect(text).toMatch(/^ +review than baseline +31\.8 points +310 +3 /m)
  expect(text).toContain('Take 310 tasks')
  expect(text.replaceAll(/\s+/g, ' ')).toContain('needs 310 tasks (81% power by enumeration)')
})

it.each([30, 60, 80, 120])('the plan has no line over %i columns', (width) => {
  for (const line of shown([pair({}), matched], width).split('\n'))
    expect(line.length).toBeLessThanOrEqual(width)
})

it('a run without pairs says so', () => expect(shown([])).toMatch(/^nothing to compare/))

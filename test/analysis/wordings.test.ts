import { expect, it } from 'vitest'
import { createWordings } from '../../src/analysis/wordings.ts'
import { wordingsSection } from '../../src/reports/wordings/section.ts'
import { aRecord } from './records.ts'

/** Takes methods and wordings apart by rows `METHOD@WORDING` of passes, one for each task, or counts of two epochs. */
function takenApart(rows: Readonly<Record<string, string>>) {
  const names = Object.keys(rows).map((name) => name.split('@') as [string, string])
  const builder = createWordings(
    [...new Set(names.map(([method]) => method))],
    [...new Set(names.map(([, wording]) => wording))],
  )
  for (const [name, passes] of Object.entries(rows))
    for (const [at, mark] of [...passes].entries()) {
      const [method = '', agentSet = ''] = name.split('@')
      if (mark !== '-') builder.add(aRecord({ method, agentSet, task: `t/${at}`, passed: mark === '1' }))
    }
  return builder.result()
}

it('says for each method what the wording makes of it, and for each pair how the wording moves the difference', () => {
  const found = takenApart({
    ...{ 'a@plain': '1111000000', 'a@stern': '1111111100' },
    ...{ 'b@plain': '1111110000', 'b@stern': '1111110000' },
  })
  const close = (value: number) => expect.closeTo(value)
  expect(found).toMatchObject({
    tasks: 10,
    methods: [
      {
        ...{ method: 'a', mean: close(0.6) },
        lowest: { wording: 'plain', success: 0.4 },
        highest: { wording: 'stern', success: 0.8 },
      },
      { method: 'b', mean: close(0.6), lowest: { success: 0.6 }, highest: { success: 0.6 } },
    ],
    pairs: [{ a: 'a', b: 'b', mean: { estimate: close(0) }, lowest: close(-0.2), highest: close(0.2) }],
  })
  // By hand: the rows are 0.4, 0.8, 0.6 and 0.6. Methods are equal; wordings differ by 0.2, and so does their effect on the methods.
  expect(found?.shares).toEqual({ method: close(0), wording: close(0.5), both: close(0.5) })
})

it('counts the wordings with which a difference has the sign of the mean one', () => {
  const found = takenApart({
    ...{ 'a@x': '1111', 'a@y': '1111', 'a@z': '1000' },
    ...{ 'b@x': '1100', 'b@y': '1000', 'b@z': '1100' },
  })
  expect(found?.pairs[0]).toMatchObject({ lowest: -0.25, highest: 0.75, agreeing: 2 })
  // A paired t of the means of each task over the wordings: 0, 1/3, 2/3, 2/3 with t(3; 0.975) = 3.182446.
  const differences = [3 - 3, 2 - 2, 2 - 0, 2 - 0].map((d) => d / 3)
  const mean = differences.reduce((sum, d) => sum + d, 0) / 4
  const variance = differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / 3
  const margin = 3.182446305 * Math.sqrt(variance / 4)
  expect(found?.pairs[0]?.mean.estimate).toBeCloseTo(mean)
  expect(found?.pairs[0]?.mean.lower).toBeCloseTo(mean - margin, 6)
})

it('is over the tasks that were graded for every row; without any it has nothing', () => {
  expect(takenApart({ 'a@x': '1-1', 'a@y': '011' })?.tasks).toBe(2)
  expect(takenApart({ 'a@x': '1-', 'a@y': '-1' })).toBeNull()
  expect(takenApart({ 'a@x': '10', 'a@y': '01' })).toMatchObject({ pairs: [], shares: null })
})

it('methods that are equal with every wording have no order', () => {
  const found = takenApart({
    ...{ 'a@x': '1111', 'a@y': '1000' },
    ...{ 'b@x': '1111', 'b@y': '0100' },
  })
  if (!found) throw new Error('no wordings')
  const { notes = [] } = wordingsSection(found, { simulated: false })
  expect(notes[0]?.text).toMatch(
    /^a and b differ by 0\.0 points, .* \(from y to x\): no wording tells them apart\.$/,
  )
})

import { expect, it } from 'vitest'
import { scoreHistory } from '../../../src/workflows/machine/decide.ts'

it('shows the scores of outputs that exist, and names none that is gone', () => {
  const score = (target: string, visit: number, value: number) => ({
    ...{ state: 'audit', visit, auditor: 'ada', target, criterion: 'taste', score: value },
  })
  const scores = [score('drafts/ada.md', 1, 4), score('drafts/ben.md', 1, 9), score('drafts/ada.md', 2, 6)]
  expect(scoreHistory({ gates: [], scores }, ['drafts/ada.md'])).toMatchSnapshot()
})

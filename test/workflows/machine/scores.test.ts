import { expect, it } from 'vitest'
import { scoresShape } from '../../../src/workflows/machine/machine-outputs.ts'

const shape = scoresShape(['a.md', 'b.md'], ['hook'])
const score = (target: string, value: number) => ({ target, criterion: 'hook', score: value })
const problems = (scores: unknown) => shape.safeParse(scores).error?.issues.map(({ message }) => message)

it('scores are complete when each criterion of each target has one from 1 to 10', () => {
  expect(problems([score('a.md', 1), score('b.md', 10)])).toBeUndefined()
  expect(problems([score('a.md', 1)])).toEqual(['has no score for hook of b.md'])
  expect(problems([score('a.md', 1), score('a.md', 2), score('b.md', 3)])).toMatchSnapshot()
  for (const bad of [0, 11, '7', null])
    expect(problems([score('a.md', bad as number), score('b.md', 3)])).toHaveLength(1)
  expect(problems([score('c.md', 3), score('a.md', 3), score('b.md', 3)])).toHaveLength(1)
})

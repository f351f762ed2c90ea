import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerForm, type Ballot, elect } from '../../src/workflows/vote.ts'

const ballot = (does: string, weight = 1, passes = false): Ballot => ({ does, passes, weight })

describe('a vote', () => {
  it('is won by the largest group, and measures agreement', () => {
    expect(elect(['a', 'b', 'b', 'c'].map((does) => ballot(does)))).toEqual({
      winner: 1,
      agreement: { voted: 4, classes: [2, 1, 1], share: 0.5, pairs: 1 / 6 },
    })
    expect(elect([ballot('a')]).agreement).toEqual({ voted: 1, classes: [1], share: 1, pairs: 1 })
  })

  it('is won by weight, and within the group by the heaviest ballot', () => {
    const { winner, agreement } = elect([ballot('a', 3), ballot('b', 2), ballot('b', 2.5)])
    expect({ winner, share: agreement.share }).toEqual({ winner: 2, share: 0.6 })
  })

  it('gives a tie to the first ballot', () => {
    expect(elect(['b', 'a', 'a', 'b'].map((does) => ballot(does))).winner).toBe(0)
  })

  it('prefers work that passes the visible checks to any majority that does not', () => {
    expect(elect([ballot('bad'), ballot('bad'), ballot('good', 1, true)]).winner).toBe(2)
  })

  it('never elects a group that another one beats', () => {
    const ballots = fc.array(
      fc.record({
        does: fc.constantFrom('a', 'b', 'c'),
        weight: fc.integer({ min: 1, max: 5 }),
      }),
      { minLength: 1, maxLength: 9 },
    )
    fc.assert(
      fc.property(ballots, (cast) => {
        const all = cast.map((one) => ({ ...one, passes: one.does === 'c' }))
        const { winner, agreement } = elect(all)
        const weightOf = (does: string) =>
          all.reduce((sum, one) => sum + (one.does === does ? one.weight : 0), 0)
        const won = all[winner] as Ballot
        for (const { does } of all)
          if (won.passes === (does === 'c')) expect(weightOf(does)).toBeLessThanOrEqual(weightOf(won.does))
        if (all.some(({ passes }) => passes)) expect(won.passes).toBe(true)
        expect(agreement.classes.reduce((sum, count) => sum + count, 0)).toBe(all.length)
        expect(agreement.pairs).toBeLessThanOrEqual(1)
      }),
    )
  })
})

it('answerForm gives all spellings of one answer the same form', () => {
  expect(['Answer: 1,000.50', 'So.\nanswer: **1000.5**.', '1000.5'].map(answerForm)).toEqual(
    Array(3).fill('1000.5'),
  )
  expect(['Answer: Left  door', 'answer: left door.'].map(answerForm)).toEqual(Array(2).fill('left door'))
  expect(answerForm('Answer: 12,34')).toBe('12.34')
  const spellings = ['Answer: 42', 'the answer is $42.', '\\boxed{42.0}', 'x = 42', '## Answer\n42\nAs said.']
  expect(spellings.map(answerForm)).toEqual(Array(5).fill('42'))
  expect(['Answer: (B)', 'Answer: **b.**', '\\boxed{\\text{B}}'].map(answerForm)).toEqual(Array(3).fill('b'))
  expect(['Answer: 1/2', 'Answer: 0.5', '\\boxed{\\frac{1}{2}}'].map(answerForm)).toEqual(
    Array(3).fill('0.5'),
  )
})

it.each([
  ['Answer: 18 eggs', 'Answer: 18 hens'],
  ['Answer: 42%', 'Answer: 42'],
  ['Answer: 42 or 43', 'Answer: 43'],
  ['- Lima\n- Quito', '- Bern\n- Quito'],
  ['Answer: 9007199254740993', 'Answer: 9007199254740992'],
])('answerForm keeps %j and %j apart', (one, other) => {
  expect(answerForm(one)).not.toBe(answerForm(other))
})

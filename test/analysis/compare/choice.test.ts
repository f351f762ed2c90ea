import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { halvings } from '../../../src/analysis/compare/choice.ts'
import { studentQuantile } from '../../../src/analysis/numeric/student.ts'
import { seededRandom, shuffled } from '../../../src/base/random.ts'
import { compare, repeat, trials } from './compared.ts'

const nameOf = (task: number) => `s/${String(task).padStart(3, '0')}`
/** The number of lines of each task: 1 for the first half, 9 for the second. */
const lines = (tasks: number) =>
  Object.fromEntries(
    Array.from({ length: tasks }, (_, task) => [nameOf(task), { lines: task < tasks / 2 ? 1 : 9 }]),
  )
/** `short` passes the tasks of one line alone, `long` the others. */
const opposite = (tasks: number) => [
  ...trials('short', [...repeat('1', tasks / 2), ...repeat('0', tasks / 2)]),
  ...trials('long', [...repeat('0', tasks / 2), ...repeat('1', tasks / 2)]),
]

describe('choosing the method by a property', () => {
  it('gains half of the tasks where each method passes its own half, and this is a claim', () => {
    const { choices, claims } = compare(opposite(40), { properties: lines(40) })
    expect(choices).toMatchObject([
      {
        // Of equal methods the former by name.
        ...{ by: 'lines', single: 'long', nTasks: 40, refusal: null },
        groups: [
          { name: '1', nTasks: 20, method: 'short' },
          { name: '9', nTasks: 20, method: 'long' },
        ],
      },
    ])
    // A half with more long tasks chooses `long` for the other, which has more short ones.
    expect(choices?.[0]?.estimate).toBeGreaterThan(0.5)
    expect(choices?.[0]?.lower).toBeGreaterThan(0.3)
    expect(claims).toContainEqual(
      expect.objectContaining({ kind: 'choice-gains', of: 'lines', than: 'long', family: 'choices' }),
    )
  })

  it('gains nothing where one method leads everywhere, and has no limits there', () => {
    const records = [...trials('best', repeat('1', 20)), ...trials('other', repeat('0', 20))]
    expect(compare(records, { properties: lines(20) }).choices).toMatchObject([
      { estimate: 0, lower: null, p: null, refusal: 'one-method-leads' },
    ])
  })

  it('has no number for fewer than six tasks in each half', () => {
    expect(compare(opposite(10), { properties: lines(10) }).choices).toMatchObject([
      { estimate: null, refusal: 'too-few-tasks' },
    ])
  })

  it('is never measured on simulated numbers', () => {
    const simulated = opposite(40).map((record) => ({ ...record, simulated: true }))
    expect(compare(simulated, { properties: lines(40) }).choices).toBeUndefined()
  })

  it('uses tasks that all methods have', () => {
    const records = [...opposite(40), ...trials('third', [...repeat('1', 30), ...repeat('-', 10)])]
    expect(compare(records, { properties: lines(40) }).choices).toMatchObject([{ nTasks: 30 }])
  })

  it('can go by the suite, whose limits and p are in one family with those of properties', () => {
    const records = opposite(40).map((record) => ({ ...record, suite: record.task < nameOf(20) ? 'a' : 'b' }))
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, task) => [nameOf(task), { lines: task % 2 }]),
    )
    const { choices, families } = compare(records, { properties })
    expect(choices?.map(({ by }) => by)).toEqual(['suite', 'lines'])
    expect(families).toContainEqual({ family: 'choices', tests: 2, level: 0.05 })
  })

  it('is one row where a property and the suite part the tasks alike', () => {
    const records = opposite(40).map((record) => ({ ...record, suite: record.task < nameOf(20) ? 'a' : 'b' }))
    expect(compare(records, { properties: lines(40) }).choices).toMatchObject([{ by: 'suite, lines' }])
  })

  it('keeps the tasks of a cluster in one half: as few clusters as that are too few', () => {
    const clusters = Object.fromEntries(
      Array.from({ length: 40 }, (_, task) => [nameOf(task), String(task % 10)]),
    )
    expect(compare(opposite(40), { properties: lines(40), clusters }).choices).toMatchObject([
      { refusal: 'too-few-clusters' },
    ])
  })

  it('has the gain and limits of a calculation by hand over the same halves', () => {
    const row = fc.array(fc.constantFrom('0', '1'), { minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(row, row, row, (a, b, c) => {
        const records = [...trials('a', a), ...trials('b', b), ...trials('c', c)]
        const [choice] = compare(records, { properties: lines(24), seed: 7 }).choices ?? []
        const byHand = gainByHand([a, b, c].map((marks) => marks.map(Number)))
        expect(choice?.estimate).toBeCloseTo(byHand.gain, 12)
        if (choice?.lower !== null) expect(choice?.lower).toBeCloseTo(byHand.lower, 9)
      }),
      { numRuns: 20 },
    )
  })
})

/** 24 tasks, of which the first twelve are one group; the same halves, everything else written anew. */
function gainByHand(passed: number[][]): { gain: number; lower: number } {
  const random = seededRandom('choice/7')
  const numbers = [...Array(24).keys()]
  let [gain, variance] = [0, 0]
  for (let round = 0; round < halvings; round++) {
    const half = shuffled(numbers, random).slice(0, 12)
    const gains = numbers.map((task) => {
      const learned = numbers.filter((other) => half.includes(other) !== half.includes(task))
      const sumOf = (method: number, tasks: number[]) =>
        tasks.reduce((sum, other) => sum + (passed[method]?.[other] as number), 0)
      const firstBest = (order: number[], tasks: number[]) =>
        order.find((one) => order.every((other) => sumOf(one, tasks) >= sumOf(other, tasks))) as number
      const single = firstBest([0, 1, 2], learned)
      const alike = learned.filter((other) => other < 12 === task < 12)
      const chosen = firstBest([single, 0, 1, 2], alike)
      return (passed[chosen]?.[task] as number) - (passed[single]?.[task] as number)
    })
    const mean = gains.reduce((sum, value) => sum + value, 0) / 24
    gain += mean / halvings
    variance += gains.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 23 / 24 / halvings
  }
  return { gain, lower: Math.max(-1, gain - studentQuantile(0.975, 23) * Math.sqrt(variance)) }
}

import { describe, expect, it } from 'vitest'
import { graders } from '../../src/graders/registry.ts'
import { sameAnswerOf } from '../../src/graders/same-answer.ts'
import { GraderSpec } from '../../src/schema/grader-spec.ts'
import { groupAlike } from '../../src/workflows/vote.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { answerTask } from '../helpers/machine/answers.ts'

type Pair = [one: string, other: string]
const cases = tableOf<{ grader: { kind: string }; same: Pair[]; apart: Pair[] }[]>(import.meta.url, 'graders')
const sameBy = (...specs: object[]) =>
  sameAnswerOf({
    instruction: 'Which one?',
    spec: { ...answerTask({ kind: 'exact' }).spec, graders: specs.map((one) => GraderSpec.parse(one)) },
  })

describe.each(cases)('two answers to a task with the grader $grader', ({ grader, same, apart }) => {
  it('are compared as the grader compares, in either order', async () => {
    const isSame = await sameBy(grader)
    const wrong = (pairs: Pair[], wanted: boolean) =>
      pairs
        .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
        .filter(([one, other]) => isSame(`So.\n\nAnswer: ${one}`, `Answer: ${other}`) !== wanted)
    expect(wrong(same, true)).toEqual([])
    expect(wrong(apart, false)).toEqual([])
    for (const text of [...same, ...apart].flat()) expect(isSame(text, text), text).toBe(true)
  })

  it('are never compared with the right one', async () => {
    const pairs = [...same, ...apart]
    const asked: PropertyKey[] = []
    const answer = pairs[0]?.[0]
    const task = answerTask(grader.kind === 'pattern' ? grader : { ...grader, answer }, answer)
    const watched = new Proxy(task, {
      get: (of, name) => {
        asked.push(name)
        return Reflect.get(of, name)
      },
    })
    const [plain, withAnswer] = [await sameBy(grader), await sameAnswerOf(watched)]
    for (const [one, other] of pairs) expect(withAnswer(one, other)).toBe(plain(one, other))
    expect(new Set(asked)).toEqual(new Set(['spec', 'instruction']))
  })
})

it('every kind of grader that compares answers has cases, and the others are those that have no answer to compare', () => {
  const comparing = Object.entries(graders).flatMap(([kind, { equality }]) => (equality ? [kind] : []))
  expect(comparing.toSorted()).toEqual(['choice', 'exact', 'math', 'numeric'])
  expect(new Set(cases.map(({ grader }) => grader.kind))).toEqual(new Set([...comparing, 'pattern']))
})

it('all graders of a task must find two answers the same; one that cannot compare leaves it to their texts', async () => {
  const both = await sameBy({ kind: 'numeric' }, { kind: 'exact' })
  expect(both('Answer: 5', 'Answer: 5.')).toBe(true)
  expect(both('Answer: 5', 'Answer: 5.0')).toBe(false)
  const beside = await sameBy({ kind: 'numeric' }, { kind: 'pattern', require: ['a'] })
  expect(beside('Answer: 5', 'Answer: 5.0')).toBe(true)
  expect(beside('Answer: 5 eggs', 'Answer: 5')).toBe(false)
  const none = await sameBy()
  expect(none('Answer: 5', '5.0')).toBe(true)
})

it('answers are grouped by the first of each group, so that the order alone decides where equality is not transitive', async () => {
  const isSame = await sameBy({ kind: 'numeric' })
  const grouped = (...answers: string[]) =>
    groupAlike(
      answers.map((answer) => ({ answer, does: answer })),
      isSame,
    ).map((group) => group.map(({ answer }) => answer))
  expect(grouped('25', '25%', '0.25')).toEqual([['25', '25%'], ['0.25']])
  expect(grouped('25%', '25', '0.25')).toEqual([['25%', '25', '0.25']])
  expect(grouped('0.25', '25', '25%')).toEqual([['0.25', '25%'], ['25']])
})

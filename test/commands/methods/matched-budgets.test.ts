import { expect, it } from 'vitest'
import { builtInStrategies } from '../../../src/commands/methods/built-in-strategies.ts'
import { addMatchBaseline, selectBaseline } from '../../../src/commands/methods/matched-budgets.ts'
import { parseMethod } from '../../../src/loop/plan/method-spec.ts'
import { splitMethods } from '../../../src/loop/plan/method-text.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'

/** The problems of methods that match another one. */
function problemsOf(text: string): string[] {
  const known = builtInStrategies()
  const problems: Problem[] = []
  const methods = splitMethods(text).flatMap((one) => {
    const parsed = parseMethod(one, known)
    return 'method' in parsed ? [parsed.method] : []
  })
  addMatchBaseline(methods, known, problems)
  return problems.map(formatProblem)
}

it('a match with an unknown method is reported with what to write instead', () => {
  const start = '[--methods retry[match=sequential]] there is no method to match "sequential".'
  expect(problemsOf('retry[match=sequential]')).toEqual([`${start} Add it to --methods as well.`])
  expect(problemsOf('consensus,retry[match=sequential]')).toEqual([
    `${start} Add it to --methods, or match consensus.`,
  ])
  expect(problemsOf('A=sequential[maxOuter=2],retry[match=sequential]')).toEqual([
    `${start} Write its label: match=A.`,
  ])
  expect(problemsOf('sequential,B=retry[match=sequental]')).toMatchSnapshot()
  expect(problemsOf('sequential,B=retry[match=sequential],C=best-of[match=B]')).toMatchSnapshot()
})

it('a match can name a method without a label whose options contain commas', () => {
  expect(
    problemsOf(
      'sequential[maxOuter=2,parallel=3],self-consistency[match=sequential[maxOuter=2,parallel=3]:calls]',
    ),
  ).toEqual([])
})

it('a match and a baseline can name a method by its document', () => {
  const known = builtInStrategies()
  const texts = [
    'collaboration:pair',
    'retry[match=collaboration:pair]',
    'B=retry[match=collaboration:pair:calls]',
  ]
  const methods = texts.flatMap((text) => {
    const parsed = parseMethod(text, known)
    return 'method' in parsed ? [parsed.method] : []
  })
  const problems: Problem[] = []
  const label = 'collaboration[workflow=pair]'
  const matches = addMatchBaseline(methods, known, problems).flatMap(({ match }) => match ?? [])
  expect(matches).toMatchObject([
    { method: label, unit: 'tokens' },
    { method: label, unit: 'calls' },
  ])
  expect(selectBaseline('collaboration:pair', methods, problems)).toBe(label)
  expect(problems).toEqual([])
  selectBaseline('collaboration:other', methods, problems)
  expect(problems).toMatchObject([{ where: '--baseline collaboration:other' }])
})

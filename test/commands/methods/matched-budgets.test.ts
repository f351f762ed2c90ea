import { expect, it } from 'vitest'
import { builtInStrategies } from '../../../src/commands/methods/built-in-strategies.ts'
import { addMatchBaseline } from '../../../src/commands/methods/matched-budgets.ts'
import { parseMethod, splitMethods } from '../../../src/loop/plan/method-spec.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'

/** What is told of methods that match. */
function told(text: string): string[] {
  const known = builtInStrategies()
  const problems: Problem[] = []
  const methods = splitMethods(text).flatMap((one) => {
    const parsed = parseMethod(one, known)
    return 'method' in parsed ? [parsed.method] : []
  })
  addMatchBaseline(methods, known, problems)
  return problems.map(formatProblem)
}

it('says what to write for a match that finds no method', () => {
  const start = '[--methods retry[match=sequential]] there is no method to match "sequential".'
  expect(told('retry[match=sequential]')).toEqual([`${start} Add it to --methods as well.`])
  expect(told('consensus,retry[match=sequential]')).toEqual([
    `${start} Add it to --methods, or match consensus.`,
  ])
  expect(told('A=sequential[maxOuter=2],retry[match=sequential]')).toEqual([
    `${start} Write its label: match=A.`,
  ])
  expect(told('sequential,B=retry[match=sequental]')).toEqual([
    '[--methods B] there is no method to match "sequental". Did you mean "sequential"?',
  ])
  expect(told('sequential,B=retry[match=sequential],C=best-of[match=B]')).toEqual([
    '[--methods C] there is no method to match "B". Match one that matches none itself.',
  ])
})

it('matches a method whose options have commas, without a label of its own', () => {
  expect(
    told('sequential[maxOuter=2,parallel=3],self-consistency[match=sequential[maxOuter=2,parallel=3]:calls]'),
  ).toEqual([])
})

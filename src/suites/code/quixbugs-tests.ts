import { formatExamples } from '../python-examples.ts'
import { runningExample } from './assert-example.ts'
import { checkFile, numberedFiles } from './python-check.ts'
import type { TestCase } from './quixbugs-cases.ts'

/** JSON knows only lists, so tuples and iterators are compared as lists. */
const asLists = `def as_lists(value):
    if isinstance(value, tuple) or hasattr(value, "__next__"):
        value = list(value)
    return [as_lists(one) for one in value] if isinstance(value, list) else value`

/** Returns the test files of `python-check`, one for each case. */
export const caseChecks = (name: string, cases: readonly TestCase[]): Record<string, string> =>
  numberedFiles(
    cases.map(({ values, expected, tolerance }) => {
      const result = `result = as_lists(${name}(${values.join(', ')}))`
      const right =
        tolerance === undefined ? `result == ${expected}` : `abs(result - ${expected}) <= ${tolerance}`
      return checkFile(name, [asLists], `${result}\nassert ${right}, repr(result)[:200]`)
    }),
  )

/** Returns cases as examples for `python-doctest`, and how many examples these are. */
export function caseExamples(name: string, cases: readonly TestCase[]): { text: string; count: number } {
  const helper = cases.some(needsLists) ? [runningExample(asLists)] : []
  const examples = [
    ...helper,
    ...cases.map((one) => {
      const { expected, tolerance } = one
      if (tolerance !== undefined) return { source: caseLine(name, one), want: '' }
      const call = callOf(name, one)
      return { source: needsLists(one) ? `as_lists(${call})` : call, want: expected }
    }),
  ]
  return { text: formatExamples(examples), count: examples.length }
}

/** Returns what a case says as a line of Python. */
export function caseLine(name: string, one: TestCase): string {
  const { expected, tolerance } = one
  const call = callOf(name, one)
  return tolerance === undefined ? `${call} == ${expected}` : `abs(${call} - ${expected}) <= ${tolerance}`
}

const callOf = (name: string, { values }: TestCase) => `${name}(${values.join(', ')})`
const needsLists = ({ expected }: TestCase) => expected.startsWith('[')

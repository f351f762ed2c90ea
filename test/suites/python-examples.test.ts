import { expect, it } from 'vitest'
import { formatExamples, pythonExamples } from '../../src/suites/python-examples.ts'
import { tableOf } from '../helpers/house/tables.ts'

const read = (text: string) => pythonExamples(text).map(({ source, want }) => [source, want])

it.each(tableOf<[string, string[][]][]>(import.meta.url, 'pythonexamplesReads'))(
  'pythonExamples reads the examples of %j',
  (text, examples) => {
    expect(read(text)).toEqual(examples)
  },
)

it('formatExamples writes examples that are read back unchanged', () => {
  const text = '>>> f(1)\n2\n>>> f(2) [3]\n>>> for i in f(2):\n...     print(i)\n0\n1\n>>> f(3) == 4\n'
  const examples = pythonExamples(text)
  expect(examples).toHaveLength(4)
  expect(pythonExamples(formatExamples(examples))).toEqual(examples)
})

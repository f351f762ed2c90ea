import { expect, it } from 'vitest'
import { formatExamples, pythonExamples } from '../../src/suites/python-examples.ts'

const read = (text: string) => pythonExamples(text).map(({ source, want }) => [source, want])

it.each([
  [
    '>>> f(1)\n2\n>>> f(2)\n4\n',
    [
      ['f(1)', '2'],
      ['f(2)', '4'],
    ],
  ],
  ['    """ Text.\n    >>> f("a b")\n    [1,\n     2]\n    """', [['f("a b")', '[1,\n2]']]],
  ['>>> f([])\n\nmore text', [['f([])', '']]],
  [
    '>>> f([1]) == 2\n>>> f([]) == None',
    [
      ['f([1]) == 2', ''],
      ['f([]) == None', ''],
    ],
  ],
  ['>>> f([1, 0]) [0, 1]', [['f([1, 0])', '[0, 1]']]],
  ['>>> f(1) ➞ 3', [['f(1)', '3']]],
  ['>>> round(f(1), 2) # about one\n1.0', [['round(f(1), 2) # about one', '1.0']]],
  ['>>> for i in f(2):\n...     print(i)\n0\n1', [['for i in f(2):\n    print(i)', '0\n1']]],
  [">>> f('(')\nTrue", [["f('(')", 'True']]],
  ['>>> f(1)[0]\n5', [['f(1)[0]', '5']]],
  ['>>> f((1\n2', []],
  ['no examples: f(1) = 2', []],
])('pythonExamples reads the examples of %j', (text, examples) => {
  expect(read(text)).toEqual(examples)
})

it('formatExamples writes examples that are read back unchanged', () => {
  const text = '>>> f(1)\n2\n>>> f(2) [3]\n>>> for i in f(2):\n...     print(i)\n0\n1\n>>> f(3) == 4\n'
  const examples = pythonExamples(text)
  expect(examples).toHaveLength(4)
  expect(pythonExamples(formatExamples(examples))).toEqual(examples)
})

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { editableIn } from '../../src/suites/editable.ts'
import { formatExamples, pythonExamples } from '../../src/suites/python-examples.ts'
import { recognisePath } from '../../src/suites/recognise.ts'
import { importers } from '../../src/suites/registry.ts'
import { parseSource, sourceText } from '../../src/suites/select.ts'
import { UserError } from '../../src/text/errors.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

const letters = [...'abcdefghij']
const chosen = (text: string) => {
  const { range } = parseSource(text)
  return range ? letters.slice(range.from, range.to + 1).join('') : undefined
}

it('parseSource splits NAME:PATH', () => {
  expect(parseSource('humaneval:data/HumanEval.jsonl')).toEqual({
    name: 'humaneval',
    path: 'data/HumanEval.jsonl',
    parameters: {},
  })
  expect(parseSource('native:C:\\tasks')).toMatchObject({ name: 'native', path: 'C:\\tasks' })
  expect(parseSource('native:a:b')).toMatchObject({ name: 'native', path: 'a:b' })
})

it('parseSource reads a number as the first tasks, and a range as inclusive from 0', () => {
  expect(parseSource('humaneval:p:3').range).toEqual({ text: '3', from: 0, to: 2 })
  expect(chosen('x:p:3')).toBe('abc')
  expect(chosen('x:p:2-4')).toBe('cde')
  expect(chosen('x:p:9-9')).toBe('j')
  expect(chosen('x:p:8-20')).toBe('ij')
})

it.each(['humaneval', 'humaneval:', ':path', '', 'x:p:0', 'x:p:5-4', 'x::3'])(
  'parseSource refuses %j',
  (text) => {
    expect(() => parseSource(text)).toThrow(UserError)
  },
)

it('parseSource reads parameters, whose text sourceText writes back', () => {
  const source = parseSource('jsonl:a/b.jsonl?question=q&answer=x%26y%2Cz:10-19')
  expect(source).toMatchObject({ path: 'a/b.jsonl', parameters: { question: 'q', answer: 'x&y,z' } })
  expect(source.range).toMatchObject({ from: 10, to: 19 })
  expect(sourceText(source)).toBe('jsonl:a/b.jsonl?question=q&answer=x%26y%2Cz:10-19')
  expect(parseSource('csv:a?share=100%').parameters).toEqual({ share: '100%' })
  expect(() => parseSource('csv:a?question')).toThrow(/"question" is not a parameter with a value/)
})

const write = suiteFiles()

it.each([
  ['csv', 'q.csv', 'a,b\n1,2\n'],
  ['csv', 'q.txt', 'question;answer\n1;2\n'],
  ['jsonl', 'q.jsonl', '{"question": "a", "answer": 1}\n'],
  ['gsm8k', 'g.jsonl', '{"question": "a", "answer": "b\\n#### 1"}\n'],
  [
    'humaneval',
    'h.jsonl',
    '{"task_id": "x", "prompt": "{\\"a\\": ", "entry_point": "f", "canonical_solution": "", "test": ""}\n',
  ],
  ['bbh', 'b.json', `{"canary": "c", "examples": [{"input": "${'a'.repeat(100_000)}", "target": "1"}]}`],
  ['mbpp', 'm.jsonl', '{"task_id": 1, "text": "t", "code": "c", "test_list": ["assert f(1) == 1"]}\n'],
  [
    'humaneval-js',
    'j.jsonl',
    '{"task_id": "JavaScript/0", "prompt": "p", "canonical_solution": "}", "test": "console.assert(true)"}\n',
  ],
  [undefined, 'notes.md', 'Some text, with commas.\n'],
  [undefined, 'cut.json', '{"a'],
  [undefined, 'bytes.bin', '\0\0\0'],
])('%s is recognised in the file %s', async (name, file, text) => {
  expect((await recognisePath(write(file, text), importers))?.name).toBe(name)
})

it('folders are recognised by their names', async () => {
  const folder = dirname(write('x', ''))
  const bugs = ['python_programs', 'correct_python_programs', 'json_testcases'].map((part) => `bugs/${part}`)
  for (const name of ['own/one', 'bbh', 'empty', 'track/exercises/practice', 'clock/.meta', ...bugs])
    mkdirSync(join(folder, name), { recursive: true })
  write('own/one/task.yaml', '')
  write('bbh/navigate.json', '{}')
  write('clock/.meta/config.json', '{}')
  const named = async (name: string) => (await recognisePath(join(folder, name), importers))?.name
  expect(await named('own')).toBe('native')
  expect(await named('own/one')).toBe('native')
  expect(await named('bbh')).toBe('bbh')
  expect(await named('bugs')).toBe('quixbugs')
  expect(await named('track')).toBe('exercism')
  expect(await named('clock')).toBe('exercism')
  expect(await named('empty')).toBeUndefined()
  expect(await named('gone')).toBeUndefined()
})

it.each([
  [['src/**'], 'src/a.ts', true],
  [['src/**'], 'test/a.ts', false],
  [['**', '!test/**'], 'src/.hidden', true],
  [['**', '!test/**'], 'test/deep/a.ts', false],
  [['**', '!**/*.test.*', '!package.json'], 'src/a.test.ts', false],
  [['**', '!**/*.test.*', '!package.json'], 'package.json', false],
  [['**', '!**/*.test.*', '!package.json'], 'sub/package.json', true],
  [['!test/**'], 'src/a.ts', true],
  [['!test/**'], 'test/a.ts', false],
  [[], 'a', false],
])('with editable %j the file %s may change: %s', (editable, path, expected) => {
  expect(editableIn({ editable })(path)).toBe(expected)
})

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

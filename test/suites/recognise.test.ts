import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { recognisePath } from '../../src/suites/recognise.ts'
import { importers } from '../../src/suites/registry.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

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

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { recognisePath } from '../../src/suites/recognise.ts'
import { importers } from '../../src/suites/registry.ts'
import { javaScriptLines, mbppLines, quixbugsFiles, sanitizedTasks } from '../helpers/suites/code-suites.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'
import { jsonLines, writeFiles } from '../helpers/suites/write-suite.ts'

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
  ['mbpp', 'm.jsonl', jsonLines(mbppLines.rings)],
  ['mbpp', 'sanitized.json', JSON.stringify([sanitizedTasks.cone])],
  ['humaneval-js', 'x.jsonl', jsonLines(javaScriptLines.clamp)],
  [undefined, 'notes.md', 'Some text, with commas.\n'],
  [undefined, 'cut.json', '{"a'],
  [undefined, 'bytes.bin', '\0\0\0'],
])('%s is recognised in the file %s', async (name, file, text) => {
  expect((await recognisePath(write(file, text), importers))?.name).toBe(name)
})

it('folders are recognised by their names', async () => {
  const folder = dirname(write('x', ''))
  for (const name of ['own/one', 'bbh', 'empty']) mkdirSync(join(folder, name), { recursive: true })
  write('own/one/task.yaml', '')
  write('bbh/navigate.json', '{}')
  const named = async (name: string) => (await recognisePath(join(folder, name), importers))?.name
  expect(await named('own')).toBe('native')
  expect(await named('own/one')).toBe('native')
  expect(await named('bbh')).toBe('bbh')
  expect((await recognisePath(writeFiles(quixbugsFiles), importers))?.name).toBe('quixbugs')
  expect(await named('empty')).toBeUndefined()
  expect(await named('gone')).toBeUndefined()
})

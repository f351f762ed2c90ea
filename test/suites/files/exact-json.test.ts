import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bbh } from '../../../src/suites/bbh.ts'
import { Doubt, parseExactJson } from '../../../src/suites/files/read-json-lines.ts'
import { loadSuite } from '../../../src/suites/load-suite.ts'
import { mbpp } from '../../../src/suites/mbpp.ts'
import { jsonl } from '../../../src/suites/questions/jsonl.ts'
import type { Importer } from '../../../src/suites/suite.ts'
import { suiteFiles } from '../../helpers/suites/suite-file.ts'

const write = suiteFiles()

async function read(importer: Importer, name: string, text: string, skipInvalid = false) {
  const source = { path: write(name, text), parameters: {} }
  const { tasks, problems, skipped } = await loadSuite(importer, source, { skipInvalid })
  const texts = problems.map(({ where, what, fix }) => `${where.split('/').at(-1)} ${what}. ${fix}`)
  return { tasks, problems: texts, skipped }
}

it('JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseExactJson(text)).toEqual({ data: JSON.parse(text) })
    }),
  )
})

it.each(['9007199254740992', '10000000000000000', '1e21', '0.1', '1.50', '-0', '5e-324'])(
  'the number %s is kept',
  (text) => expect(parseExactJson(text)).toEqual({ data: Number(text) }),
)

it.each(['9007199254740993', '1e999', '-1e999', '1e-999', '0.12345678901234567890'])(
  'the number %s would change',
  (text) => expect(parseExactJson(text)).toEqual({ data: expect.any(Doubt) }),
)

it('text that is nested too deeply is a problem', () => {
  expect(parseExactJson('['.repeat(1_000_000))).toEqual({ what: 'is nested too deeply' })
})

it.each([
  [
    '{"question":"a","answer":9007199254740993}',
    'answer would be read as 9007199254740992, not as 9007199254740993. Write it as a text, in quotes: "9007199254740993".',
  ],
  ['{"question":"a","answer":1e999}', 'answer would be read as Infinity, not as 1e999. Write it'],
  ['{"question":"a","answer":[1,0.12345678901234567890]}', 'answer would be read as 0.1234'],
  ['{"question":"a","answer":"1","options":["1",9007199254740993]}', 'options would be read as'],
  ['{"question":"a","answer":"1","answer":"2"}', 'answer is there twice, with different values. Keep one'],
  ['{"question":"a","question":"b","answer":1}', 'question is there twice'],
])('a value that would silently change is reported by line and field: %s', async (line, problem) => {
  const text = `{"question":"b","answer":1}\n${line}\n`
  const { tasks, problems } = await read(jsonl, 'set.jsonl', text)
  expect(problems).toEqual([expect.stringContaining(`set.jsonl:2 ${problem}`)])
  expect(tasks).toHaveLength(1)
  expect(await read(jsonl, 'set.jsonl', text, true)).toMatchObject({ problems: [], skipped: 1 })
})

it.each([
  ['a field that is not used', '{"question":"a","answer":1,"note":1e999,"by":1,"by":2}'],
  ['a field twice with one value', '{"question":"a","answer":1,"answer":1}'],
  ['a number as text', '{"question":"a","answer":"9007199254740993"}'],
])('nothing is reported for %s', async (_, line) => {
  expect(await read(jsonl, 'set.jsonl', line)).toMatchObject({ problems: [], tasks: [{}] })
})

it('a value inside another is reported as the parameter names it', async () => {
  const path = write('inner.jsonl', '{"data":{"q":"a","a":9007199254740993}}\n')
  const parameters = { question: 'data.q', answer: 'data.a' }
  const { problems } = await loadSuite(jsonl, { path, parameters })
  expect(problems).toMatchObject([{ where: `${path}:1 data.a` }])
})

it('public suites report such values, too', async () => {
  const examples = '[{"input":"a","input":"b","target":"1"},{"input":"c","target":"d"}]'
  expect((await read(bbh, 'set.json', `{"canary":"c","examples":${examples}}`)).problems).toEqual([
    expect.stringContaining('set.json: example 1 input is there twice'),
  ])
  const code = '"text":"t","code":"def f(): pass","test_list":["assert f() is None"]'
  expect((await read(mbpp, 'mbpp.jsonl', `{"task_id":9007199254740993,${code}}`)).problems).toEqual([
    expect.stringContaining('mbpp.jsonl:1 task_id would be read as 9007199254740992'),
  ])
})

import { expect, it } from 'vitest'
import { gsm8k } from '../../src/suites/gsm8k.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

const write = suiteFiles()
// Written for this test, in GSM8K's form.
const line = (answer: string) =>
  JSON.stringify({ question: 'A crate holds 6 jars. How many do 300 hold?', answer })

it('gsm8k takes the number behind the mark', async () => {
  const { tasks, problems } = await readSuite(
    gsm8k,
    write('test.jsonl', `${line('It is <<300*6=1800>>1800.\n#### 1,800')}\n`),
  )
  expect(problems).toEqual([])
  expect(tasks[0]).toMatchObject({
    ref: 'gsm8k/test-1',
    spec: { licence: 'MIT', graders: [{ kind: 'numeric', answer: '1800', tolerance: 0 }] },
    hidden: { solution: { answer: '1800' } },
  })
  expect(JSON.stringify([tasks[0]?.instruction, tasks[0]?.spec.title])).not.toContain('1800')
})

it.each([
  ['1,234,567.5', '1234567.5'],
  ['-3', '-3'],
  ['0.25', '0.25'],
])('gsm8k reads the number %s', async (written, answer) => {
  const { tasks } = await readSuite(gsm8k, write('numbers.jsonl', line(`So:\n#### ${written}\n`)))
  expect(tasks).toMatchObject([{ spec: { graders: [{ answer }] } }])
})

it.each(tableOf<[string, string, string][]>(import.meta.url, 'gsmK'))(
  'gsm8k reports an answer %s',
  async (_, answer, what) => {
    const { problems } = await readSuite(gsm8k, write('bad.jsonl', `${line('#### 1')}\n${line(answer)}\n`))
    expect(problems).toMatchObject([{ where: expect.stringMatching(/bad\.jsonl:2 answer$/), what }])
  },
)

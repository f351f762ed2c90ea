import { expect, it } from 'vitest'
import { gsm8k } from '../../src/suites/gsm8k.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { suiteFiles } from '../helpers/suites/suite-file.ts'

const write = suiteFiles()
// Written for this test, in GSM8K's form.
const line = (answer: string) =>
  JSON.stringify({ question: 'A crate holds 6 jars. How many do 300 hold?', answer })

it('gsm8k takes the number behind the last mark', async () => {
  const { tasks, problems } = await readSuite(
    gsm8k,
    write('test.jsonl', `${line('It is <<300*6=1800>>1800. #### no\n#### 1,800')}\n`),
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
  ['without a mark', 'It is 1800', 'has no #### before its last number'],
  [
    'without a number',
    'It is many\n#### many',
    'is not a single number, which the grader answer needs: "many" holds no number',
  ],
])('gsm8k reports an answer %s', async (_, answer, what) => {
  const { problems } = await readSuite(gsm8k, write('bad.jsonl', `${line('#### 1')}\n${line(answer)}\n`))
  expect(problems).toMatchObject([{ where: expect.stringMatching(/bad\.jsonl:2 answer$/), what }])
})

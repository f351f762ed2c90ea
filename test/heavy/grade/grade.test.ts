import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench } from '../../helpers/runs/cli.ts'

const numeric = ['grade', '--grader', 'numeric', '--answer', '42'] as const

it.each([
  [0, [...numeric, '<think>41?</think>Answer: 42'], /^thoughts {2}18 characters, left out\nread {6}42\n/],
  [1, [...numeric, 'Answer: 41'], /result {4}41 is not the answer/],
  [
    0,
    ['grade', '--grader', 'choice', '--answer', 'B', '--options', 'red', '--options', 'green', 'Answer: (B)'],
    /\(B\) green is right/,
  ],
  [1, ['grade', '--grader', 'tests', '--entry-point', 'f', 'I cannot.'], /no code in the reply/],
])('bench grade ends with %i: %j', async (code, args, out) => {
  const ended = await bench(args)
  expect(ended.code, ended.stderr).toBe(code)
  expect(ended.stdout).toMatch(out)
})

it('reads a reply from a file, and prints JSON', async () => {
  const file = join(tempFolder(), 'reply.txt')
  writeFileSync(file, 'So:\r\nAnswer: 42\r\n')
  const { stdout, code } = await bench([...numeric, '--json', '--file', file])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { as: 'numeric', read: '42', passed: true }])
})

it('reports all wrong arguments at once, with exit code 2', async () => {
  const { stderr, code } = await bench(['grade', '--grader', 'numeric'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/requires a reply[\s\S]*requires --answer/)
})

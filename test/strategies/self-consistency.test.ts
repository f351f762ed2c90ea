import { expect, it } from 'vitest'
import { type Line, play } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { selfConsistency } from '../../strategies/self-consistency.ts'

const attempts = (...replies: unknown[]): Line<'solver'>[] =>
  replies.map((reply, i) => [`attempt-${i + 1}: solver`, reply])

it('self-consistency asks the same several times and returns the most frequent answer', async () => {
  const { result, asks } = await play(
    selfConsistency,
    { n: 4 },
    attempts('Answer: 7', 'It is so.\nAnswer: 8', new AgentError('empty', ''), 'Answer: 8.0'),
  )
  expect(result).toMatchObject({ answer: 'It is so.\nAnswer: 8', stopReason: 'done' })
  expect(result.state).toMatchObject({ agreement: { voted: 3, classes: [2, 1] }, winner: 2, failed: 1 })
  expect(new Set(asks.map(({ prompt, show }) => prompt + JSON.stringify(show))).size).toBe(1)
})

it('self-consistency adopts the files that most attempts agree on by the visible checks', async () => {
  const made = attempts('a', 'b', 'c').map(([who, reply], i): Line<'solver'> => [who, reply, { f: `${i}` }])
  const failing = (output: string) => ({ status: 'failed', passed: 1, total: 2, output }) as const
  const { files } = await play(selfConsistency, { n: 3 }, made, {
    checks: [failing('x'), failing('y'), failing('y')],
  })
  expect(files).toEqual({ f: '1' })
})

import { expect, it } from 'vitest'
import { type Line, play, type Scene } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { retry } from '../../strategies/retry.ts'

const attempts = (...replies: unknown[]): Line<'solver'>[] =>
  replies.map((reply, i) => [`attempt-${i + 1}: solver`, reply, { f: `${i + 1}` }])
const scene = (...checks: Scene['checks'] & object): Scene => ({ files: { f: 'old' }, checks })

it('retry asks again from the beginning until the visible checks pass', async () => {
  const { result, files, asks } = await play(retry, {}, attempts('one', 'two'), scene('failed', 'passed'))
  expect(result).toMatchObject({ answer: 'two', stopReason: 'done' })
  expect(files).toEqual({ f: '2' })
  expect(asks[1]?.show).toEqual(asks[0]?.show)
  expect(asks[1]?.show.files).toContain('old')
})

it('retry keeps the attempt that passes the most checks when none passes all', async () => {
  const worst = { status: 'failed', passed: 0, total: 2, output: '' } as const
  const { result, files } = await play(
    retry,
    { n: 3 },
    attempts('a', 'b', 'c'),
    scene(worst, 'failed', 'failed'),
  )
  expect(result).toMatchObject({ answer: 'b', stopReason: 'exhausted' })
  expect(files).toEqual({ f: '2' })
})

it('retry stops after one attempt when the task has no visible checks', async () => {
  const { result } = await play(retry, {}, attempts('one'), { files: { f: 'old' } })
  expect(result).toMatchObject({ answer: 'one', detail: 'the task has no visible checks' })
})

it('retry counts an attempt whose agent failed, and throws its error when there is no other', async () => {
  const refusal = new AgentError('refusal', 'no')
  const { answer } = await play(retry, { n: 2 }, attempts(refusal, 'two'), scene('passed'))
  expect(answer).toBe('two')
  await expect(play(retry, { n: 2 }, attempts(refusal, refusal), scene())).rejects.toBe(refusal)
})

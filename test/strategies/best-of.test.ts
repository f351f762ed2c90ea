import { expect, it } from 'vitest'
import { type Line, play } from '../../src/testing.ts'
import { bestOf } from '../../strategies/best-of.ts'

const attempts: Line<'solver'>[] = [1, 2, 3].map((n) => [`attempt-${n}: solver`, `reply ${n}`, { f: `${n}` }])

it('best-of keeps the attempt that passes the most visible checks', async () => {
  const { result, files } = await play(bestOf, { n: 3 }, attempts, {
    checks: ['failed', 'passed', 'failed'],
  })
  expect(result).toEqual({ answer: 'reply 2', stopReason: 'done', detail: '2 of 2 visible checks pass' })
  expect(files).toEqual({ f: '2' })
})

it('best-of keeps the first of equal attempts', async () => {
  const { answer, result } = await play(bestOf, { n: 3 }, attempts)
  expect(answer).toBe('reply 1')
  expect(result.detail).toMatch(/^no visible checks/)
})

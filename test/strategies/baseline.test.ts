import { expect, it } from 'vitest'
import { baseline } from '../../strategies/baseline.ts'
import { play } from '../helpers/play.ts'

it('asks one agent once, with the files, and runs no check', async () => {
  const { result, asks, files } = await play(baseline, {}, [['solver', 'Done.', { 'a.mjs': 'new' }]], {
    files: { 'a.mjs': 'old' },
    checks: [],
  })
  expect(result).toEqual({ answer: 'Done.', stopReason: 'done' })
  expect(asks[0]?.context.files).toContain('FILE: a.mjs\n```\nold\n```')
  expect(files).toEqual({ 'a.mjs': 'new' })
})

it('answers a task without files', async () => {
  const { answer, asks } = await play(baseline, {}, [['solver', 'Answer: 42']])
  expect(answer).toBe('Answer: 42')
  expect(asks[0]?.context).toEqual({ files: '' })
})

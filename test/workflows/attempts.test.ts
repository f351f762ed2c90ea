import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy } from '../../src/strategy.ts'
import { type Line, play } from '../../src/testing.ts'
import { AgentError, LimitError } from '../../src/text/errors.ts'
import { bestAttempt } from '../../src/workflows/attempts.ts'

const racing = defineStrategy({
  name: 'racing',
  summary: 'Three attempts, the best is kept.',
  roles: { coder: 'produce' },
  options: z.strictObject({}),
  run: async (context) => ({
    answer: await bestAttempt(context, 'try', 3, async ({ ask, workspace }) => {
      const value = await ask('coder', 'Go.')
      return { score: Number(workspace.read('score') ?? 0), value }
    }),
    stopReason: 'done' as const,
  }),
})
const race = (script: Line<'coder'>[]) => play(racing, {}, script, { files: { score: '0' } })

describe('attempts side by side', () => {
  it('end with files and value of the best one', async () => {
    const { answer, files } = await race([
      ['try-1: coder', 'one', { score: '1' }],
      ['try-2: coder', 'two', { score: '5', extra: 'two' }],
      ['try-3: coder', 'three', { score: '3', extra: 'three' }],
    ])
    expect(answer).toBe('two')
    expect(files).toEqual({ score: '5', extra: 'two' })
  })

  it('give a tie to the first by name', async () => {
    const { answer } = await race([
      ['try-1: coder', 'one', { score: '2' }],
      ['try-2: coder', 'two', { score: '5' }],
      ['try-3: coder', 'three', { score: '5' }],
    ])
    expect(answer).toBe('two')
  })

  it('must each return a score', async () => {
    const scoreless = defineStrategy({
      ...racing,
      run: async (context) => ({
        answer: await bestAttempt(context, 'try', 1, async ({ ask }) => (await ask('coder', 'Go.')) as never),
        stopReason: 'done' as const,
      }),
    })
    await expect(play(scoreless, {}, [['try-1: coder', 'one']])).rejects.toThrow(
      'each attempt must return { score, value }',
    )
  })

  it('leave out one whose agent failed, and throw when all failed', async () => {
    const failure = new AgentError('timeout', 'no reply')
    const { answer } = await race([
      ['try-1: coder', failure],
      ['try-2: coder', 'two'],
      ['try-3: coder', failure],
    ])
    expect(answer).toBe('two')
    await expect(
      race([
        ['try-1: coder', failure],
        ['try-2: coder', failure],
        ['try-3: coder', failure],
      ]),
    ).rejects.toThrow('no reply')
  })

  it('end at a limit of the trial', async () => {
    await expect(
      race([
        ['try-1: coder', 'one'],
        ['try-2: coder', new LimitError('calls', 'no more calls')],
        ['try-3: coder', 'three'],
      ]),
    ).rejects.toThrow('no more calls')
  })
})

import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../src/strategy.ts'
import { type Line, play, type Scene } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { consensus } from '../../strategies/consensus.ts'

type Role = Exclude<keyof typeof consensus.roles, symbol | number>
/** What the workers reply; those that work on files write who they are. */
const workers = (replies: unknown[], edits = true) =>
  replies.map(
    (reply, i): Line<Role> => [
      `worker-${i + 1}: worker-${i + 1}` as Line<Role>[0],
      reply,
      edits ? { 'a.mjs': `by ${i + 1}` } : {},
    ],
  )
const refusal = new AgentError('refusal', 'no')
const failing = (output: string, passed = 0): CheckResult => ({ status: 'failed', passed, total: 2, output })
const scene: Scene = { files: { 'a.mjs': 'old' } }

describe('consensus', () => {
  it('lets agents work apart on the same task, and adopts what most of them do', async () => {
    const { result, files, asks } = await play(consensus, {}, workers(['one', 'two', 'three']), {
      ...scene,
      checks: [failing('x'), failing('y'), failing('y')],
    })
    expect(result).toMatchObject({ answer: 'two', stopReason: 'done' })
    expect(result.state).toEqual({
      agreement: { voted: 3, classes: [2, 1], share: 2 / 3, pairs: 1 / 3 },
      elected: 'worker-2',
      failed: 0,
    })
    expect(files).toEqual({ 'a.mjs': 'by 2' })
    for (const ask of asks) expect(ask.show.files).toContain('old')
  })

  it('counts weights that were fixed before the run', async () => {
    const { result } = await play(
      consensus,
      { vote: 'weighted', weights: '3:1:1' },
      workers(['one', 'two', 'three']),
      { ...scene, checks: [failing('x'), failing('y'), failing('y')] },
    )
    expect(result).toMatchObject({ answer: 'one', state: { agreement: { share: 3 / 5 } } })
  })

  it('refuses options without a weight for each worker, or with weights and another vote', () => {
    const wrong = (options: object) => consensus.options.safeParse(options).error?.issues[0]?.message
    expect(wrong({ vote: 'weighted' })).toBe('must be set with vote=weighted, and only then')
    expect(wrong({ weights: '1:1:1' })).toBe('must be set with vote=weighted, and only then')
    expect(wrong({ vote: 'weighted', weights: '1:1' })).toBe('must have one number for each worker')
    expect(wrong({ vote: 'weighted', weights: '1:0:1' })).toBe('must be above 0')
    expect(wrong({ vote: 'weighted', weights: 'a' })).toMatch(/^must be numbers/)
  })

  it('shows a judge all candidates without names, in seeded order, and adopts its choice', async () => {
    const played = (seed: string, best: string) =>
      play(
        consensus,
        { vote: 'judge' },
        [...workers(['Answer: 1', 'Answer: 2', 'Answer: 2'], false), ['judge', { reason: 'r', best }]],
        { seed, files: {} },
      )
    const orders = new Set<string>()
    for (const seed of 'abcdefgh') {
      const { result, asks } = await played(seed, 'C')
      const { order, chosen, elected } = result.state as { order: string[]; chosen: string; elected: string }
      orders.add(order.join())
      expect(elected).toBe('worker-2')
      expect(chosen).toBe(order[2])
      expect(result.answer).toBe(chosen === 'worker-1' ? 'Answer: 1' : 'Answer: 2')
      const { show, prompt } = asks.at(-1) as (typeof asks)[number]
      expect(Object.keys(show)).toEqual(['task', 'candidate A', 'candidate B', 'candidate C'])
      expect(JSON.stringify(show) + prompt).not.toMatch(/worker/)
      expect(show['candidate C']).toContain(result.answer)
    }
    expect(orders.size).toBeGreaterThan(2)
    expect(await played('a', 'C')).toEqual(await played('a', 'C'))
  })

  it('combines the candidates on the files as they were', async () => {
    const { result, files, asks } = await play(
      consensus,
      { vote: 'combine', agents: 2 },
      [...workers(['one', 'two']), ['synthesizer', 'both', { 'a.mjs': 'of both' }]],
      scene,
    )
    expect(result).toMatchObject({ answer: 'both', detail: 'combined' })
    expect(files).toEqual({ 'a.mjs': 'of both' })
    expect(asks.at(-1)?.show.files).toContain('old')
    expect(asks.at(-1)?.show['candidate A']).toMatch(/by [12]/)
  })

  it('goes on without an agent that gave nothing, and mentions it to no other', async () => {
    const { result, asks } = await play(
      consensus,
      { vote: 'judge' },
      [...workers(['one', refusal, 'three']), ['judge', { reason: '', best: 'B' }]],
      scene,
    )
    expect(result.state).toMatchObject({ failed: 1, agreement: { voted: 2 } })
    expect(Object.keys(asks.at(-1)?.show ?? {})).toEqual(['task', 'candidate A', 'candidate B'])
  })

  it('asks no judge about a single candidate, and takes the majority when the judge gives nothing', async () => {
    const alone = await play(consensus, { vote: 'judge' }, workers([refusal, refusal, 'three']), scene)
    expect(alone.result).toMatchObject({ answer: 'three', stopReason: 'done' })
    const judgeless = await play(
      consensus,
      { vote: 'judge' },
      [...workers(['Answer: 1', 'Answer: 2', 'Answer: 2'], false), ['judge', refusal]],
      { files: {} },
    )
    expect(judgeless.result).toMatchObject({
      answer: 'Answer: 2',
      detail: expect.stringContaining('the majority did'),
    })
  })

  it('throws the first failure when no agent gave anything', async () => {
    await expect(play(consensus, {}, workers([refusal, refusal, refusal]), scene)).rejects.toBe(refusal)
  })
})

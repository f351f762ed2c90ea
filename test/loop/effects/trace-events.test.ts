import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/text/redact.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const agent = agentOf(() => 'Answer: 42')
const eventsOf = (folder: string) => {
  const text = readFileSync(join(folder, 'events.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
const played = async (run: (context: AnyContext) => Promise<void>, setting = {}) => {
  const strategy = strategyOf(async (context) => {
    await run(context)
    return { stopReason: 'done', answer: '42' }
  })
  return playTrial({ agent, strategy, gradeCandidates: true, ...setting })
}

describe('the trace of a trial', () => {
  it('has a line for each label, candidate and note, under keys of their own', async () => {
    const { folder, record } = await played(async ({ label, candidate, note, ask, branch }) => {
      label({ round: 1, part: 'draft' })
      await ask('solver', 'Solve it.')
      candidate('41')
      note({ type: 'mine', seen: [1, { deep: true }] })
      await branch('side', async ({ label }) => label({ inner: 2 }))
    })
    const { trial } = record
    const simulated = false
    expect(eventsOf(folder)).toEqual([
      { trial, key: '!0', type: 'iteration', round: 1, part: 'draft', simulated },
      { trial, key: '!1', type: 'candidate', of: '#0', role: 'solver', simulated },
      { trial, key: '!2', type: 'mine', seen: [1, { deep: true }], simulated },
      { trial, key: 'side!0', type: 'iteration', inner: 2, simulated },
    ])
  })

  it('leaves a label on all later steps of the branch and of its branches, until the next one', async () => {
    const { steps } = await played(async ({ label, ask, branch }) => {
      await ask('judge', 'a')
      label({ round: 1 })
      await ask('judge', 'b')
      await branch('side', async ({ label, ask }) => {
        await ask('judge', 'c')
        label({ inner: 1 })
        await ask('judge', 'd')
      })
      await ask('judge', 'e')
      label({ round: 2 })
      await ask('judge', 'f')
    })
    const labels = steps.flatMap((step) => (step.kind === 'ask' ? [[step.key, step.iteration]] : []))
    expect(Object.fromEntries(labels)).toEqual({
      '#0': undefined,
      '#1': { round: 1 },
      'side#0': { round: 1 },
      'side#1': { inner: 1 },
      '#2': { round: 1 },
      '#3': { round: 2 },
    })
  })

  it('takes the files as they are for a candidate without an answer', async () => {
    const { record } = await played(async ({ ask, candidate }) => {
      await ask('solver', 'Solve it.')
      await ask('judge', 'Right?')
      candidate()
    })
    expect(record.candidates).toMatchObject([
      { key: '#0', role: 'solver' },
      { key: '#1', role: 'judge', from: '#0', passed: true },
    ])
  })

  it('holds no secret that a label, a candidate or a note had', async () => {
    const key = 'sk-0123456789abcdef'
    const redact = createRedactor([{ name: 'MY_API_KEY', value: key }])
    const { folder, steps, record } = await played(
      async ({ label, candidate, note, ask }) => {
        label({ part: key })
        await ask('solver', 'Solve it.')
        candidate(key)
        note({ type: 'mine', seen: [key] })
      },
      { redact },
    )
    expect(JSON.stringify([eventsOf(folder), steps, record])).not.toContain(key)
    expect(eventsOf(folder)).toMatchObject([
      { type: 'iteration', part: '[redacted MY_API_KEY]' },
      { type: 'candidate' },
      { type: 'mine', seen: ['[redacted MY_API_KEY]'] },
    ])
  })

  it('names an ask as a vote where the strategy says so, with the same request', async () => {
    const { steps } = await played(async ({ ask }) => {
      await ask('judge', 'A or B?', { purpose: 'vote' })
      await ask('judge', 'A or B?', {})
    })
    const [vote, other] = steps.filter((step) => step.kind === 'ask')
    expect([vote?.purpose, other?.purpose]).toEqual(['vote', undefined])
    expect(vote?.hash).toBe(other?.hash)
  })
})

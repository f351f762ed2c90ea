import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const shape = z.object({ ok: z.boolean() })

/** Plays a trial in which one role is asked, and whose agent gives these replies in turn. */
async function ask(
  role: string,
  replies: readonly string[],
  { withShape = false, folder, replay }: { withShape?: boolean; folder?: string; replay?: boolean } = {},
) {
  let asked = 0
  const strategy = strategyOf(async (context) => {
    const said = withShape ? await context.ask(role, 'Well?', { shape }) : await context.ask(role, 'Well?')
    return { answer: JSON.stringify(said), stopReason: 'done' }
  })
  const agent = agentOf(() => replies[asked++] as string)
  const played = await playTrial({ agent, strategy, ...(folder && { folder }), ...(replay && { replay }) })
  const steps = played.steps.filter((step): step is AskStep => step.kind === 'ask')
  return { ...played, asks: steps, asked }
}

describe('an empty reply', () => {
  it.each(['judge', 'planner', 'summarizer'])('of the role %s is repaired once, and billed', async (role) => {
    const { record, asks } = await ask(role, [' \n', 'well'])
    expect(record).toMatchObject({ outcome: { status: 'completed' }, answer: '"well"' })
    expect(record.spent).toMatchObject({ calls: 2, input: 200, costUsd: 0.02 })
    expect(asks).toMatchObject([
      { attempt: 1, error: { reason: 'empty' } },
      {
        attempt: 2,
        repair: true,
        prompt: 'Well?\n\nYour last reply could not be used: it is empty.\n\nReply again.',
      },
    ])
  })

  it.each(['judge', 'planner', 'summarizer'])(
    'of the role %s fails its ask where the repair is empty, too',
    async (role) => {
      const { record, asks } = await ask(role, ['', '', 'never asked'])
      expect(record.outcome).toMatchObject({
        status: 'failed',
        reason: expect.stringMatching(/empty.*after one repair/s),
      })
      expect(asks.map(({ error, repair }) => [error?.reason, repair])).toEqual([
        ['empty', undefined],
        ['empty', true],
      ])
    },
  )

  it('of a role that produces fails its ask at once', async () => {
    const { record, asks } = await ask('solver', ['', 'never asked'])
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('empty') })
    expect(asks).toHaveLength(1)
  })

  it.each([
    ['length', '', 'the output limit was used up, and no text came'],
    ['tool-call', '', 'it called a tool, but was offered none'],
    ['thoughts', '', 'it gave thoughts alone'],
    ['thoughts', '<think>Well.</think>', 'gave only thoughts, and no answer after them'],
    ['stop', ' ', 'gave an empty reply'],
    [undefined, '', 'gave an empty reply'],
  ] as const)('that ended by %j is told as such', async (finish, text, message) => {
    const strategy = strategyOf(async ({ ask }) => {
      await ask('solver', 'Well?')
      return { stopReason: 'done' }
    })
    const agent = agentOf(() => ({ text, ...(finish && { finish }) }))
    const { record, steps } = await playTrial({ agent, strategy })
    expect(steps[0]).toMatchObject({ error: { reason: 'empty', message } })
    expect((steps[0] as AskStep).finish).toBe(finish)
    expect(record.outcome.status).toBe('failed')
  })

  it('that is a refusal is one', async () => {
    const strategy = strategyOf(async ({ ask }) => ({
      answer: await ask('judge', 'Well?'),
      stopReason: 'done',
    }))
    const { steps } = await playTrial({ agent: agentOf(() => ({ text: '', finish: 'refusal' })), strategy })
    const asks = steps.filter(({ kind }) => kind === 'ask')
    expect(asks).toMatchObject([{ finish: 'refusal', error: { reason: 'refusal' } }])
  })

  it.each([
    ['that is right', ['', '{"ok":true}'], 'completed', '{"ok":true}'],
    ['without data', ['', 'perhaps', '{"ok":true}'], 'failed', undefined],
    ['that is empty', ['', '', '{"ok":true}'], 'failed', undefined],
    ['that is empty, after one without data', ['perhaps', '', '{"ok":true}'], 'failed', undefined],
  ] as const)(
    'uses up the one repair of an ask for data, with a repair %s',
    async (_, replies, status, answer) => {
      const { record, asks } = await ask('planner', replies, { withShape: true })
      expect(record.outcome.status).toBe(status)
      if (answer !== undefined) expect(record.answer).toBe(answer)
      expect(asks).toHaveLength(2)
    },
  )

  it('and its repair come from the journal on replay and resume', async () => {
    const { folder, record } = await ask('judge', ['', 'well'])
    for (const replay of [true, false]) {
      const again = await ask('judge', [], { folder, replay })
      expect(again).toMatchObject({ asked: 0, record: { answer: '"well"', spent: record.spent } })
    }
  })

  it.each([false, true])(
    'is not asked for again after a kill before its repair; data: %s',
    async (withShape) => {
      const reply = '{"ok":true}'
      const { folder, record, asks } = await ask('planner', ['', reply], { withShape })
      const ledger = join(folder, 'steps.jsonl')
      const [first] = readFileSync(ledger, 'utf8').split('\n')
      writeFileSync(ledger, `${first}\n`)
      const resumed = await ask('planner', [reply], { withShape, folder })
      expect(resumed).toMatchObject({ asked: 1, record: { answer: record.answer, spent: record.spent } })
      expect(resumed.asks.map(({ hash }) => hash)).toEqual(asks.map(({ hash }) => hash))
    },
  )
})

import { describe, expect, it } from 'vitest'
import type { Line } from '../../../src/testing.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { decision, drafts, end, retry, rule, run } from '../../helpers/fanout/decided-runs.ts'
import { pathOf } from '../../helpers/fanout/machine-lines.ts'

describe('the orchestrator', () => {
  const breaks = rule({ rule: 'state_visits', max: 2 })
  const asked = [...drafts(1), retry()]

  it('lets the machine go on, and the rule breaks one later', async () => {
    const proceed = decision({ decision: 'proceed', guidance: 'Mind the end.' })
    const script = [...asked, proceed, ...drafts(2), retry(6), decision({ decision: 'halt' })]
    const { record, asks } = await run(breaks, script)
    expect(record.breaks.map(({ fact }) => fact)).toMatchSnapshot()
    expect(record.guidance).toMatchObject([
      { state: 'draft', from: 'gate', visit: 2 },
      { state: 'draft', from: 'orchestrator', text: 'Mind the end.', visit: 2 },
      { state: 'draft', from: 'gate', visit: null },
    ])
    expect(asks.at(-1)?.prompt).toContain('check: quality 5, 6 (improving)')
  })

  it('reads the task and what each decision does, whether or not it was asked for work before', async () => {
    const { asks } = await run(breaks, [...asked, decision({ decision: 'halt' })])
    expect(asks.at(-1)?.show).toMatchObject({ task: 'The task.', 'drafts/ada.md': 'A1' })
    expect(asks.at(-1)?.prompt).toContain('- drafts/ada.md by ada in draft, visit 1: 1 word\n')
    expect(asks.at(-1)?.prompt).toMatch(/^- proceed: go on to draft; `guidance`/m)
    const atEnd = { orchestrator: { persona: 'lead', checkpoints: ['workflow_complete' as const] } }
    const ended = await run(atEnd, [...drafts(1), ...end, decision({ decision: 'proceed' })])
    expect(ended.asks.at(-1)?.prompt).toMatch(/^- proceed: go on to complete, where the workflow ends$/m)
  })

  it('runs a state again with other guidance', async () => {
    const again = decision({ decision: 'retry_different', retry_from: 'check', guidance: 'Be milder.' })
    const { record, asks } = await run(breaks, [...asked, again, ...end])
    expect(pathOf(record)).toEqual(['start', 'draft', 'check', 'check', 'combine', 'complete'])
    expect(asks[4]).toMatchObject({ role: 'gate', prompt: expect.stringContaining('Be milder.') })
    expect(record.decisions[0]).toMatchObject({ goes_to: 'check', guidance: 'Be milder.' })
  })

  it('chooses an output and ends', async () => {
    const { result, record } = await run(breaks, [
      ...asked,
      decision({ decision: 'force_complete', use_output: 'drafts/ben.md' }),
    ])
    expect(result).toMatchObject({ stopReason: 'done', answer: 'B1' })
    expect(record).toMatchObject({ delivered: 'drafts/ben.md', ended: null })
  })

  it('chooses an output with its files, and goes on from a state', async () => {
    const edited = (agent: string): Line<string> => [`draft.${agent}: ${agent}`, agent, { 'a.txt': agent }]
    const force = decision({
      decision: 'force_complete',
      use_output: 'drafts/ben.md',
      proceed_from: 'complete',
    })
    const script = [edited('ada'), edited('ben'), retry(), force]
    const { result, record, files } = await run(breaks, script, {
      output: 'files',
      files: { 'a.txt': 'old' },
    })
    expect(files).toEqual({ 'a.txt': 'ben' })
    expect(result.stopReason).toBe('done')
    expect(record).toMatchObject({ delivered: 'drafts/ben.md', ended: 'complete' })
  })

  it('delivers what was written after its choice', async () => {
    const force = decision({
      decision: 'force_complete',
      use_output: 'drafts/ben.md',
      proceed_from: 'combine',
    })
    const { result } = await run(breaks, [...asked, force, ['orchestrator', 'Combined']])
    expect(result.answer).toBe('Combined')
  })

  it('writes everything down and halts', async () => {
    const { result, outputs } = await run(breaks, [...asked, decision({ decision: 'dump_context' })])
    expect(result).toMatchObject({
      stopReason: 'halted',
      detail: 'the orchestrator wrote context.json: because',
    })
    expect(JSON.parse(outputs['context.json'] ?? '')).toMatchObject({ name: 'small', decisions: [{}] })
  })

  it.each([
    [{ decision: 'force_complete', use_output: 'drafts/eve.md' }, 'there is no output drafts/eve.md'],
    [
      { decision: 'force_complete', use_output: 'drafts/ben.md', proceed_from: 'eve' },
      'there is no state eve',
    ],
    [{ decision: 'retry_different', retry_from: 'toString', guidance: '' }, 'there is no state toString'],
    [{ decision: 'retry_different', retry_from: 'halt', guidance: '' }, 'state halt does no work'],
  ])('halts safely when it names what does not exist: %j', async (reply, words) => {
    const { result, record } = await run(breaks, [...asked, decision(reply)])
    expect(record.decisions).toMatchObject([
      { decision: 'invalid', reasoning: expect.stringContaining(words) },
    ])
    expect(result).toMatchObject({ stopReason: 'halted', detail: expect.stringContaining(words) })
  })

  it('halts safely when it gives no decision', async () => {
    const bad = new AgentError('unparsable', 'gave no usable data')
    const { result, record } = await run(breaks, [...asked, ['orchestrator', bad]])
    expect(record.decisions).toMatchObject([{ decision: 'invalid', reasoning: 'gave no usable data' }])
    expect(result).toMatchObject({ stopReason: 'halted', answer: 'A1' })
  })
})

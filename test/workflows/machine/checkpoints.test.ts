import { describe, expect, it } from 'vitest'
import { decision, drafts, end, retry, run, twice } from '../../helpers/fanout/decided-runs.ts'
import { pathOf, verdict } from '../../helpers/fanout/machine-lines.ts'

describe('a checkpoint', () => {
  const watching = (
    ...checkpoints: ('repeated_retry' | 'timeout_warning' | 'workflow_complete' | 'quality_gate_disagree')[]
  ) => ({
    ...{ orchestrator: { persona: 'lead', checkpoints }, circuit_breaker: { rules: [] } },
  })
  const proceed = decision({ decision: 'proceed' })

  it('comes when a state is sent back for the second time', async () => {
    const script = [...twice, proceed, ...drafts(3), ...end]
    const { record } = await run(watching('repeated_retry'), script)
    expect(record.decisions).toMatchObject([
      { trigger: 'repeated_retry', state: 'check', decision: 'proceed' },
    ])
    expect(record.ended).toBe('complete')
  })

  it('comes once before a limit of time', async () => {
    const limit = { rules: [{ rule: 'time' as const, max_s: 3.5 }], hard: { time_s: 100 } }
    const change = { ...watching('timeout_warning'), circuit_breaker: limit }
    const { record } = await run(change, [
      ...drafts(1),
      retry(),
      ...drafts(2),
      decision({ decision: 'force_complete', use_output: 'drafts/ada.md' }),
    ])
    expect(record.decisions).toMatchObject([{ trigger: 'timeout_warning', state: 'draft' }])
    expect(record.breaks).toEqual([])
  })

  it('comes before the machine ends without error, and can send it back', async () => {
    const again = decision({ decision: 'retry_different', retry_from: 'combine', guidance: 'Shorter.' })
    const { record, result } = await run(watching('workflow_complete'), [
      ...drafts(1),
      ...end,
      again,
      ['orchestrator', 'Short text'],
      proceed,
    ])
    expect(pathOf(record).slice(-3)).toEqual(['combine', 'combine', 'complete'])
    expect(record.decisions.map(({ trigger }) => trigger)).toEqual(['workflow_complete', 'workflow_complete'])
    expect(result.answer).toBe('Short text')
  })

  it('may tell the next agents something, or declare an output good enough', async () => {
    const guided = decision({ decision: 'proceed', guidance: 'Mind the end.' })
    const force = decision({ decision: 'force_complete', use_output: 'drafts/ben.md' })
    const { record, result } = await run(watching('repeated_retry'), [
      ...[...twice, guided, ...drafts(3), retry(), force],
    ])
    expect(record.guidance.filter(({ from }) => from === 'orchestrator')).toMatchObject([{ visit: 3 }])
    expect(result).toMatchObject({ stopReason: 'done', answer: 'B3' })
  })

  it('does not come at the end where a hard limit is reached', async () => {
    const change = {
      ...watching('workflow_complete'),
      circuit_breaker: { rules: [], hard: { transitions: 4 } },
    }
    const { record, result } = await run(change, [...drafts(1), ...end])
    expect(record).toMatchObject({ decisions: [], breaks: [], ended: 'complete' })
    expect(result.stopReason).toBe('done')
  })

  it('takes time, too: the hard limit counts after it', async () => {
    const circuit_breaker = { rules: [{ rule: 'transitions' as const, max: 3 }], hard: { time_s: 3 } }
    const { record, result } = await run({ circuit_breaker }, [...drafts(1), retry(), proceed])
    expect(record.breaks.map(({ rule, hard }) => `${rule} ${hard}`)).toEqual([
      'transitions false',
      'time true',
    ])
    expect(result.stopReason).toBe('exhausted')
  })

  it('does not come before an end that is an error', async () => {
    const { record } = await run(watching('workflow_complete'), [...drafts(1), ['gate', verdict('halt')]])
    expect(record.decisions).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { Line } from '../../../src/testing.ts'
import { decision, drafts, end, retry, rule, run, twice } from '../../helpers/fanout/decided-runs.ts'

describe('a rule of the circuit breaker', () => {
  it.each([
    ['state_visits', rule({ rule: 'state_visits', max: 2 }), 'state draft was entered 2 times'],
    ['transitions', rule({ rule: 'transitions', max: 3 }), '3 transitions were made'],
    ['time', rule({ rule: 'time', max_s: 2 }), '2 s have passed'],
  ] as const)('breaks by %s, and the orchestrator decides', async (name, change, fact) => {
    const script = [...drafts(1), retry(), decision({ decision: 'halt', error: 'no use' })]
    const { record, result, notes, asks } = await run(change, script)
    expect(record.breaks).toMatchObject([{ rule: name, hard: false, fact, from: 'check', to: 'draft' }])
    expect(record.decisions).toMatchObject([
      { trigger: 'loop_warning', state: 'check', decision: 'halt', reasoning: 'because' },
    ])
    expect(result).toMatchObject({ stopReason: 'halted', detail: 'the orchestrator halted: no use' })
    expect(notes.filter(({ type }) => type === 'circuit_break')).toHaveLength(1)
    expect(notes.filter(({ type }) => type === 'orchestrator_decision')).toHaveLength(1)
    expect(asks.at(-1)).toMatchObject({
      role: 'orchestrator',
      options: { work: 'decide', system: 'You lead.' },
    })
    expect(asks.at(-1)?.prompt).toContain(`rule ${name} broke: ${fact}`)
  })

  it('breaks by a cycle only when the same two transitions came twice in a row', async () => {
    const script = [...twice, decision({ decision: 'halt' })]
    const { record } = await run(rule({ rule: 'cycle' }), script)
    expect(record.breaks).toMatchObject([{ rule: 'cycle', from: 'check', to: 'draft' }])
  })

  it('is the first that matches in the order of the file', async () => {
    const rules = rule({ rule: 'transitions', max: 3 }, { rule: 'state_visits', max: 2 })
    const { record } = await run(rules, [...drafts(1), retry(), decision({ decision: 'halt' })])
    expect(record.breaks.map((one) => one.rule)).toEqual(['transitions'])
  })

  it('holds for a transition that the orchestrator decided on', async () => {
    const force = decision({
      ...{ decision: 'force_complete', use_output: 'drafts/ada.md', proceed_from: 'combine' },
    })
    const { record } = await run({ orchestrator: { persona: 'lead', checkpoints: ['workflow_complete'] } }, [
      ...drafts(1),
      ...end,
      force,
      ['orchestrator', 'Two'],
      force,
      decision({ decision: 'halt' }),
    ])
    expect(record.breaks).toMatchObject([
      { rule: 'state_visits', fact: 'state combine was entered 3 times', from: 'combine', to: 'combine' },
    ])
    expect(record.decisions.map(({ trigger }) => trigger)).toEqual([
      ...['workflow_complete', 'workflow_complete', 'loop_warning'],
    ])
    expect(record.visits.filter(({ state }) => state === 'combine')).toHaveLength(2)
  })

  it('is asked about once where the answer is to enter the state all the same', async () => {
    const again = decision({ decision: 'retry_different', retry_from: 'draft', guidance: 'Other.' })
    const { record } = await run({}, [...twice, again, ...drafts(3), ...end])
    expect(record.breaks).toHaveLength(1)
    expect(record.ended).toBe('complete')
  })

  it('asks an orchestrator that always goes on once a round', async () => {
    const proceed = decision({ decision: 'proceed' })
    const rounds = Array.from({ length: 25 }, (_, i) => [
      ...(i > 1 ? [proceed] : []),
      ...drafts(i + 1),
      retry(),
    ])
    const rules = rule({ rule: 'state_visits' }, { rule: 'cycle' })
    const { record } = await run(rules, rounds.flat().slice(0, -1))
    expect(record.breaks.map(({ rule, to }) => `${rule} ${to}`)).toEqual([
      ...Array.from({ length: 23 }, () => 'state_visits draft'),
      'transitions check',
    ])
    expect(record.breaks.at(-1)?.hard).toBe(true)
  })

  it('does not break where the machine ends', async () => {
    const { record, result } = await run(rule({ rule: 'transitions', max: 4 }), [
      ...drafts(1),
      ...end.slice(0, 1),
      end[1] as Line<string>,
    ])
    expect(record.breaks).toEqual([])
    expect(result.stopReason).toBe('done')
  })
})

describe('a hard limit', () => {
  it.each([
    ['transitions', { hard: { transitions: 3 } }],
    ['time', { hard: { time_s: 2 } }],
  ] as const)('of %s ends the machine before any rule, and nobody decides', async (name, hard) => {
    const circuit_breaker = { rules: [{ rule: 'state_visits' as const, max: 2 }], ...hard }
    const { record, result } = await run({ circuit_breaker }, [...drafts(1), retry()])
    expect(record.breaks).toMatchObject([{ rule: name, hard: true, from: 'check', to: 'draft' }])
    expect(record.decisions).toEqual([])
    expect(result).toMatchObject({ stopReason: 'exhausted', answer: 'A1' })
  })

  it('ends an orchestrator that would go on for ever', async () => {
    const rules = {
      circuit_breaker: { rules: [{ rule: 'transitions' as const, max: 1 }], hard: { transitions: 9 } },
    }
    const again = decision({ decision: 'retry_different', retry_from: 'draft', guidance: 'again' })
    const rounds = [1, 2, 3, 4].flatMap((round) => [again, ...drafts(round)])
    const { record, result } = await run(rules, rounds)
    expect(result.stopReason).toBe('exhausted')
    expect(record.decisions).toHaveLength(4)
  })

  it('leaves an agent no more time than is left of it', async () => {
    const { asks } = await run({ circuit_breaker: { hard: { time_s: 3 } } }, [...drafts(1), ...end])
    expect(asks.map(({ options }) => options.timeoutMs)).toEqual([3000, 3000, 2000, 1000])
  })
})

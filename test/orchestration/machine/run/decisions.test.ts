import { describe, expect, it } from 'vitest'
import { type Line, play, type Scene } from '../../../../src/testing.ts'
import { AgentError } from '../../../../src/text/errors.ts'
import {
  machineFrom,
  pathOf,
  recordOf,
  runsMachine,
  states,
  verdict,
} from '../../../helpers/fanout/machine-lines.ts'

type Change = Parameters<typeof machineFrom>[1]

/** One round of drafts. */
const drafts = (round: number): Line<string>[] => [
  [`draft.ada${round > 1 ? `~${round}` : ''}: ada`, `A${round}`],
  [`draft.ben${round > 1 ? `~${round}` : ''}: ben`, `B${round}`],
]
const retry = (score = 5): Line<string> => ['gate', verdict('retry', score, `be better than ${score}`)]
const end: Line<string>[] = [
  ['gate', verdict('proceed')],
  ['orchestrator', 'The whole text'],
]
const decision = (reply: object): Line<string> => ['orchestrator', { reasoning: 'because', ...reply }]

const run = async (change: Change, script: readonly Line<string>[], scene: Scene = {}) => {
  const played = await play(runsMachine(machineFrom(states, change)), {}, numbered(script), scene)
  return { ...played, record: recordOf(played.result) }
}

/** `play` names the second branch of a name as it names the first. */
const numbered = (script: readonly Line<string>[]) =>
  script.map(([who, ...rest]): Line<string> => [who.replace(/~\d+/, ''), ...rest])

const rule = (...rules: NonNullable<NonNullable<Change>['circuit_breaker']>['rules'] & object) => ({
  circuit_breaker: { rules },
})
const twice = [...drafts(1), retry(), ...drafts(2), retry()]

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

describe('the orchestrator', () => {
  const breaks = rule({ rule: 'state_visits', max: 2 })
  const asked = [...drafts(1), retry()]

  it('lets the machine go on, and the rule breaks one later', async () => {
    const proceed = decision({ decision: 'proceed', guidance: 'Mind the end.' })
    const script = [...asked, proceed, ...drafts(2), retry(6), decision({ decision: 'halt' })]
    const { record, asks } = await run(breaks, script)
    expect(record.breaks.map(({ fact }) => fact)).toEqual([
      'state draft was entered 2 times',
      'state draft was entered 3 times',
    ])
    expect(record.guidance).toMatchObject([
      { state: 'draft', from: 'gate', visit: 2 },
      { state: 'draft', from: 'orchestrator', text: 'Mind the end.', visit: 2 },
      { state: 'draft', from: 'gate', visit: null },
    ])
    expect(asks.at(-1)?.prompt).toContain('check: quality 5, 6 (improving)')
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

  it('does not come before an end that is an error', async () => {
    const { record } = await run(watching('workflow_complete'), [...drafts(1), ['gate', verdict('halt')]])
    expect(record.decisions).toEqual([])
  })
})

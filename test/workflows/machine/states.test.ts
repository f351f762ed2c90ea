import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../src/schema/machine/machine-file.ts'
import { type Line, play, type Scene } from '../../../src/testing.ts'
import { AgentError } from '../../../src/text/errors.ts'
import {
  machineFrom,
  pathOf,
  recordOf,
  runsMachine,
  states,
  verdict,
} from '../../helpers/fanout/machine-lines.ts'

const both: Line<string>[] = [
  ['draft.ada: ada', 'A draft'],
  ['draft.ben: ben', 'B draft'],
]
const run = (
  own: Parameters<typeof machineFrom>[0],
  script: readonly Line<string>[],
  { change = {}, scene = {} }: { change?: Parameters<typeof machineFrom>[1]; scene?: Scene } = {},
) => play(runsMachine(machineFrom(own, change)), {}, script, scene)

describe('on entry a state', () => {
  it('logs, checks that outputs exist, and writes a summary', async () => {
    const own = {
      ...states,
      start: { ...states.start, on_enter: [{ log: 'Begin.' }, { validate: 'task' }] },
      check: { ...states.check, on_enter: [{ validate: 'drafts/*.md' }] },
      halt: { ...states.halt, on_enter: [{ generate: 'summary.md' }] },
    }
    const { result, notes, outputs } = await run(own, [...both, ['gate', verdict('halt', 3, '')]])
    const record = recordOf(result)
    expect(record.visits.map(({ actions }) => actions)).toMatchSnapshot()
    expect(notes).toContainEqual({ type: 'state_log', state: 'start', text: 'Begin.' })
    expect(outputs['summary.md']).toContain('**Status:** ended in halt')
  })

  it.each([
    ['draft', 'all_failure', 'halt'],
    ['check', 'failure', 'halt'],
    ['combine', 'failure', 'halt'],
  ] as const)('fails where an output is missing: %s', async (name, result, next) => {
    const own = {
      ...states,
      start: { ...states.start, next: name },
      [name]: { ...states[name], on_enter: [{ validate: 'none/*.md' }] },
    }
    const { result: ended, asks } = await run(own as typeof states, [])
    expect(asks).toEqual([])
    expect(recordOf(ended).visits[1]).toMatchObject({ state: name, runs: [], result, next })
  })

  it('halts the machine where it has no transition for a failure', async () => {
    const own = { ...states, start: { ...states.start, on_enter: [{ validate: 'none/*.md' }] } }
    const { result } = await run(own, [])
    expect(result).toMatchObject({
      stopReason: 'halted',
      detail: 'state start needs none/*.md, which does not exist',
    })
  })
})

describe('a person', () => {
  const own = {
    ...states,
    combine: { ...states.combine, transitions: { success: 'ask', failure: 'halt' } },
    ask: {
      ...{ type: 'human-approval' as const, input: 'final/*.md', prompt: 'Is it good?' },
      transitions: { approved: 'complete', feedback: 'combine', abort: 'halt' },
    },
  }
  const before: Line<string>[] = [...both, ['gate', verdict('proceed')], ['orchestrator', 'The text']]

  it('gives feedback that guides the next visit once', async () => {
    const approvals = [
      { decision: 'feedback' as const, feedback: 'Add the name.' },
      { decision: 'approved' as const, feedback: '' },
    ]
    const { result, asks } = await run(own, [...before, ['orchestrator', 'The text, by name']], {
      scene: { approvals },
    })
    expect(asks.at(-1)?.prompt).toContain('Feedback on the attempt before: Add the name.')
    expect(recordOf(result)).toMatchObject({
      approvals: [
        { state: 'ask', ...approvals[0] },
        { state: 'ask', ...approvals[1] },
      ],
      guidance: [{ state: 'combine', from: 'approval', text: 'Add the name.', visit: 2 }],
    })
    expect(result.answer).toBe('The text, by name')
  })

  it('aborts, and the trial is cancelled', async () => {
    const { result } = await run(own, before, { scene: { approvals: [{ decision: 'abort', feedback: '' }] } })
    expect(result).toMatchObject({ stopReason: 'cancelled', detail: 'a person aborted; ended in halt' })
  })

  it('guides a state at a checkpoint of the journal', async () => {
    const strategy = runsMachine(machineFrom(states))
    const guided: typeof strategy = {
      ...strategy,
      run: (context) =>
        strategy.run({
          ...context,
          checkpoint: async (state) =>
            (state as unknown as { machine: { state: string } }).machine.state === 'draft'
              ? { ...state, guidance: { combine: 'Mind the title.', none: 'ignored' } }
              : state,
        }),
    }
    const script: Line<string>[] = [...both, ['gate', verdict('proceed')], ['orchestrator', 'The text']]
    const { result, asks } = await play(guided, {}, script)
    expect(asks.at(-1)?.prompt).toContain('Mind the title.')
    expect(recordOf(result).guidance).toEqual([
      { state: 'combine', from: 'person', text: 'Mind the title.', visit: 1 },
    ])
  })
})

describe('two gates that differ about the same output', () => {
  const second = { ...states.check, agent: 'ada', output: 'reviews/second.json' }
  const own = {
    ...states,
    check: { ...states.check, transitions: { ...states.check.transitions, proceed: 'second' } },
    second: { ...second, transitions: { ...second.transitions, retry: 'check' } },
  }
  const orchestrator = { persona: 'lead', checkpoints: ['quality_gate_disagree' as Checkpoint] }
  const change = { orchestrator }
  const halt: Line<string> = ['orchestrator', { decision: 'halt', reasoning: 'no' }]

  it.each([
    ['in decision', verdict('proceed', 8), verdict('retry', 8)],
    ['by 3 in score', verdict('proceed', 9), verdict('proceed', 6)],
  ])('%s: the orchestrator decides', async (_, one, other) => {
    const { result } = await run(own, [...both, ['gate', one], ['ada', other], halt], { change })
    expect(recordOf(result).decisions).toMatchObject([
      { trigger: 'quality_gate_disagree', state: 'second', decision: 'halt' },
    ])
  })

  it('do not differ by less', async () => {
    const script: Line<string>[] = [
      ...both,
      ['gate', verdict('proceed', 8)],
      ['ada', verdict('proceed', 6)],
      ['orchestrator', 'The text'],
    ]
    const { result } = await run(own, script, { change })
    expect(recordOf(result).decisions).toEqual([])
  })
})

describe('one state alone', () => {
  it('reads the given inputs, and hands in what it wrote', async () => {
    const strategy = runsMachine(machineFrom(states), {
      ...{ only: 'combine', inputs: { 'drafts/ada.md': 'From a file' } },
    })
    const { result, asks } = await play(strategy, {}, [['orchestrator', 'Combined']])
    expect(asks[0]?.show).toMatchObject({ 'drafts/ada.md': 'From a file' })
    expect(result).toMatchObject({
      answer: 'Combined',
      stopReason: 'done',
      detail: 'state combine alone: success',
    })
    expect(pathOf(recordOf(result))).toEqual(['combine'])
  })

  it('has halted where it failed', async () => {
    const strategy = runsMachine(machineFrom(states), { only: 'draft' })
    const script: Line<string>[] = [
      ['draft.ada: ada', new AgentError('empty', 'nothing')],
      ['draft.ben: ben', 'B'],
    ]
    expect((await play(strategy, {}, script)).result).toMatchObject({ stopReason: 'done', answer: 'B' })
    const gate = runsMachine(
      machineFrom({ ...states, check: { ...states.check, on_enter: [{ validate: 'x' }] } }),
      {
        only: 'check',
      },
    )
    expect((await play(gate, {}, [])).result).toMatchObject({ stopReason: 'halted' })
  })
})

import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/schema/machine/machine-file.ts'
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

const failure = new AgentError('empty', 'nothing came')
const slow = new AgentError('timeout', 'took too long')

const run = (machine: Machine, script: readonly Line<string>[], scene: Scene = {}) =>
  play(runsMachine(machine), {}, script, scene)

const drafts: Line<string>[] = [
  ['draft.ada: ada', 'A draft'],
  ['draft.ben: ben', 'B draft'],
]

describe('a machine', () => {
  it('goes from its initial state to an end, and delivers what was produced last', async () => {
    const script: Line<string>[] = [
      ...drafts,
      ['gate', verdict('proceed')],
      ['orchestrator', 'The whole text'],
    ]
    const { result } = await run(machineFrom(states), script)
    const record = recordOf(result)
    expect(result).toMatchObject({
      stopReason: 'done',
      answer: 'The whole text',
      detail: 'ended in complete',
    })
    expect(record.visits.map(({ state, result, next }) => [state, result, next])).toMatchSnapshot()
    expect(record).toMatchObject({ ended: 'complete', delivered: 'final/text.md', breaks: [], decisions: [] })
  })

  it('notes each transition, and labels each visit', async () => {
    const { notes } = await run(machineFrom(states), [...drafts, ['gate', verdict('halt')]])
    expect(notes).toMatchSnapshot()
  })
})

/** Plays one state between a start and three ends; returns the transition, the end and the stop reason. */
async function taken(state: object, script: readonly Line<string>[], scene: Scene = {}): Promise<string> {
  const ends = { good: { type: 'terminal' }, bad: { type: 'terminal', error: true } } as const
  const first = { draft: { ...states.draft, transitions: { all_success: 'work', all_failure: 'bad' } } }
  const machine = machineFrom({
    ...{ start: { type: 'initial', next: 'draft' }, ...first, work: state as never, ...ends },
    other: { type: 'terminal' },
  })
  const { result } = await run(machine, [...drafts, ...script], scene)
  const record = recordOf(result)
  expect(record.visits.at(-2)?.next).toBe(record.ended)
  return `${record.visits.at(-2)?.result} ${record.ended} ${result.stopReason}`
}

const fanOut = {
  ...{ type: 'fan-out', agents: ['ada', 'ben'], persona: 'do', output: 'out/{agent}.md' },
  transitions: { all_success: 'good', partial_success: 'other', all_failure: 'bad' },
}
const single = { type: 'single', agent: 'ada', persona: 'do', output: 'out/one.md' }
const success = { ...single, transitions: { success: 'good', failure: 'bad' } }
const { agent: _, ...alone } = success
const task = { ...alone, type: 'orchestrator-task' }
const gate = { ...single, transitions: { proceed: 'good', retry: 'other', halt: 'bad' } }
const approval = {
  ...{ type: 'human-approval', input: 'drafts/*.md', prompt: 'Is it good?' },
  transitions: { approved: 'good', feedback: 'other', abort: 'bad' },
}
const [a, b] = ['work.ada: ada', 'work.ben: ben'] as const

describe('the transition of a state', () => {
  it.each<[string, object, Line<string>[], string]>([
    [
      'all_success',
      fanOut,
      [
        [a, 'one'],
        [b, 'two'],
      ],
      'all_success good done',
    ],
    [
      'partial_success',
      fanOut,
      [
        [a, 'one'],
        [b, failure],
      ],
      'partial_success other done',
    ],
    [
      'partial_success',
      fanOut,
      [
        [a, slow],
        [b, 'two'],
      ],
      'partial_success other done',
    ],
    [
      'all_failure',
      fanOut,
      [
        [a, failure],
        [b, slow],
      ],
      'all_failure bad halted',
    ],
    ['success', success, [['ada', 'one']], 'success good done'],
    ['failure', success, [['ada', failure]], 'failure bad halted'],
    ['success', task, [['orchestrator', 'one']], 'success good done'],
    ['failure', task, [['orchestrator', slow]], 'failure bad halted'],
    ['proceed', gate, [['ada', verdict('proceed')]], 'proceed good done'],
    ['retry', gate, [['ada', verdict('retry')]], 'retry other done'],
    ['halt', gate, [['ada', verdict('halt')]], 'halt bad halted'],
    ['failure', gate, [['ada', failure]], 'failure bad halted'],
  ])('is %s', async (_, state, script, expected) => {
    expect(await taken(state, script)).toBe(expected)
  })

  it('is as all_success where some agents failed and the file names no partial_success', async () => {
    const { partial_success: _, ...transitions } = fanOut.transitions
    expect(
      await taken({ ...fanOut, transitions }, [
        [a, 'one'],
        [b, failure],
      ]),
    ).toBe('partial_success good done')
  })

  it('is failure where a gate has one and gives no verdict', async () => {
    const own = { ...gate, transitions: { ...gate.transitions, failure: 'other' } }
    expect(await taken(own, [['ada', failure]])).toBe('failure other done')
  })

  it.each([
    ['approved', '', 'approved good done'],
    ['feedback', 'shorter', 'feedback other done'],
    ['abort', '', 'abort bad cancelled'],
  ] as const)('is what a person says: %s', async (decision, feedback, expected) => {
    expect(await taken(approval, [], { approvals: [{ decision, feedback }] })).toBe(expected)
  })
})

describe('a fan-out', () => {
  it('writes a file for each agent, after all have ended, and records what failed', async () => {
    const { result } = await run(machineFrom(states), [
      ['draft.ada: ada', slow],
      ['draft.ben: ben', 'B draft'],
      ['gate', verdict('halt')],
    ])
    const runs = recordOf(result).visits[1]?.runs
    expect(runs).toMatchObject([
      { agent: 'ada', persona: 'do', status: 'timeout', error: 'took too long' },
      { agent: 'ben', status: 'done', output: { path: 'drafts/ben.md', words: 2, preview: 'B draft' } },
    ])
  })

  it('opens one branch after the other where the settings say so', async () => {
    const machine = machineFrom(states, { settings: { parallel_fanout: false } })
    const { result, asks } = await run(machine, [...drafts, ['gate', verdict('halt')]])
    expect(recordOf(result).visits[1]).toMatchObject({ ms: 2000, runs: [{ ms: 1000 }, { ms: 1000 }] })
    for (const { prompt, show } of asks.slice(0, 2))
      expect(JSON.stringify([prompt, show])).not.toMatch(/A draft|B draft/)
  })

  it('asks an agent that failed again, as often as the settings allow', async () => {
    const machine = machineFrom(states, { settings: { retry_count: 2 } })
    const { result } = await run(machine, [
      ['draft.ada: ada', failure],
      ['draft.ada: ada', slow],
      ['draft.ada: ada', 'At last'],
      ...[1, 2, 3].map((): Line<string> => ['draft.ben: ben', failure]),
      ['gate', verdict('halt')],
    ])
    const record = recordOf(result)
    expect(record.visits[1]?.runs.map(({ status }) => status)).toEqual(['done', 'failed'])
    expect(pathOf(record)).toContain('check')
  })
})

describe('a machine of which no agent ever answers', () => {
  it('throws the first failure, since the provider may be down', async () => {
    const script: Line<string>[] = [
      ['draft.ada: ada', new AgentError('server', 'is down')],
      ['draft.ben: ben', failure],
    ]
    await expect(run(machineFrom(states), script)).rejects.toThrow('is down')
  })
})

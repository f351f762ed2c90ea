import { describe, expect, it } from 'vitest'
import type { GraphOptions } from '../../../src/graph.ts'
import {
  agentThatTakes,
  agentThatWaits,
  asking,
  graphStrategy,
  nobody,
  type TextStep,
} from '../../helpers/graph/graphs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

const planner = (workers: readonly string[]) =>
  asking('plan', [], {
    expand: () => ({ steps: workers.map((id) => asking(id, ['plan'])), before: ['sum'] }),
  })
const steps = [planner(['w1', 'w2']), asking('b', []), asking('sum', ['plan', 'b'])]
const [plan, b, sum] = steps as [TextStep, TextStep, TextStep]

/** What a replay of the steps above says where the method has other steps now. */
const replayOf = async (now: readonly TextStep[], options: GraphOptions = {}) => {
  const agent = agentThatWaits(() => 1)
  const { folder } = await playTrial({ agent, strategy: graphStrategy(steps), mode: 'live' })
  const strategy = graphStrategy(now, options)
  const { divergences, steps: lines } = await playTrial({
    agent: nobody,
    strategy,
    mode: 'live',
    folder,
    replay: true,
  })
  expect(lines.some(({ kind }) => kind === 'void')).toBe(false)
  return divergences.join('\n')
}

describe('the replay of a graph', () => {
  it('says nothing of a graph that is the same', async () => {
    expect(await replayOf(steps)).toBe('')
  })

  it.each<[string, TextStep[], GraphOptions, string]>([
    [
      'a step that is gone',
      [plan, asking('sum', ['plan'])],
      {},
      'step #0, attempt 1] the graph differs: step "b" is journaled, but not in the graph now; after of step "sum" was ["plan","b"], now ["plan"]',
    ],
    [
      'a new step',
      [...steps, asking('z', [])],
      {},
      'the graph differs: step "z" is in the graph now, but not journaled',
    ],
    [
      'another dependency',
      [plan, asking('b', ['plan']), sum],
      {},
      'the graph differs: after of step "b" was [], now ["plan"]',
    ],
    [
      'another reaction to a failure',
      [plan, { ...b, onFailure: 'skip' }, sum],
      {},
      'onFailure of step "b" was not set, now "skip"',
    ],
    [
      'another policy',
      [plan, b, { ...sum, conflict: 'merge' }],
      {},
      'conflict of step "sum" was not set, now "merge"',
    ],
    ['another order', [b, plan, sum], {}, 'the graph differs: its order: step 1 was "plan", now "b"'],
    ['another concurrency', steps, { concurrency: 2 }, 'the graph differs: concurrency was 4, now 2'],
    [
      'another prompt',
      [plan, { ...b, run: async ({ ask }) => `${await ask('solver', 'do something else')}` }, sum],
      {},
      'step graph/b#0, attempt 1] the request differs',
    ],
    [
      'an added step that is gone',
      [planner(['w1']), b, sum],
      {},
      'the journal says that step "w2" ended; it is not in the graph now',
    ],
    [
      'an added step that is new',
      [planner(['w1', 'w2', 'w3']), b, sum],
      {},
      'step "sum" ended; it is waiting now; "w3" runs now, of which the journal knows no end',
    ],
  ])('names %s', async (_, now, options, text) => {
    expect(await replayOf(now, options)).toContain(text)
  })

  it('names another prompt of a step before others, however long the steps beside it take', async () => {
    const chain = (words: string) => [
      asking('a', []),
      asking('b', ['a'], { run: async ({ ask }) => `${await ask('solver', words)}` }),
      asking('c', ['b']),
      asking('long', []),
    ]
    for (const mode of ['dev', 'live'] as const) {
      const ms = (id: string) => (id === 'long' ? 50 : 1)
      const agent = mode === 'dev' ? agentThatTakes(ms) : agentThatWaits(ms)
      const { folder } = await playTrial({ agent, strategy: graphStrategy(chain('do b')), mode })
      const strategy = graphStrategy(chain('do it otherwise'))
      const { divergences } = await playTrial({ agent: nobody, strategy, mode, folder, replay: true })
      expect(divergences[0], mode).toContain('step graph/b#0, attempt 1] the request differs')
      expect(divergences[0], mode).toContain('do it otherwise')
      // The first difference hides none behind it, since these are only what did not run.
      expect(divergences.slice(1).every((text) => text.includes('not requested now'))).toBe(true)
    }
  })

  it('goes on live on resume, and says what differs', async () => {
    const abort = new AbortController()
    const folder = tempFolder()
    const stopping = agentThatWaits((id) => {
      if (id === 'b') abort.abort()
      return 1
    })
    const setting = { mode: 'live' as const, folder, agent: stopping, strategy: graphStrategy(steps) }
    await expect(playTrial({ ...setting, signal: abort.signal })).rejects.toThrow('interrupted')
    const again = await playTrial({
      agent: agentThatWaits(() => 1),
      strategy: graphStrategy([...steps, asking('z', [])]),
      mode: 'live',
      folder,
    })
    expect(again.record.outcome.status).toBe('completed')
    expect(again.steps.find(({ kind }) => kind === 'void')).toMatchObject({
      reason: expect.stringContaining('step "z"'),
    })
  })
})

describe('a graph that cannot run', () => {
  const reasonOf = async (steps: unknown, options?: unknown) => {
    const strategy = graphStrategy(steps as TextStep[], options as GraphOptions)
    const played = await playTrial({ agent: agentThatWaits(() => 1), strategy, mode: 'live' })
    const { folder } = played
    const replayed = await playTrial({ agent: nobody, strategy, mode: 'live', folder, replay: true })
    expect(replayed.divergences).toEqual([])
    expect(replayed.record.outcome).toEqual(played.record.outcome)
    return played.record.outcome.reason
  }
  const adding = (more: unknown) => [
    asking('x', []),
    asking('a', [], { expand: () => more as ReturnType<NonNullable<TextStep['expand']>> }),
    asking('d', ['a']),
  ]

  it.each<[string, unknown, unknown, string]>([
    ['no list', {}, {}, 'the steps must be a list, got an object'],
    ['a step that is no object', [null], {}, 'a step must be an object { id, after, run }'],
    ['no run', [{ id: 'a', after: [] }], {}, 'step "a": run must be a function, got undefined'],
    ['after as text', [{ ...asking('a', []), after: 'b' }], {}, 'step "a": after must be a list of ids'],
    [
      'no after',
      [{ id: 'a', run: async () => '' }],
      {},
      'step "a": after must be a list of ids, got undefined',
    ],
    [
      'an unknown reaction',
      [asking('a', [], { onFailure: 'stop' as 'fail' })],
      {},
      'step "a": onFailure must be one of fail, skip, continue, got "stop"',
    ],
    [
      'an unknown policy',
      [asking('a', [], { conflict: 'first' as 'fail' })],
      {},
      'step "a": conflict must be one of fail, last, merge',
    ],
    ['a second id', [asking('a', []), asking('a', [])], {}, 'there are two steps "a"'],
    [
      'ids that are one name in keys',
      [asking('a/b', []), asking('a_b', [])],
      {},
      'the steps "a/b" and "a_b" have the same name in keys, "a_b". Rename one of them.',
    ],
    [
      'an added step with such an id',
      adding({ steps: [asking('n#1', []), asking('n_1', [])] }),
      {},
      'expand() of step "a": the steps "n#1" and "n_1" have the same name in keys',
    ],
    [
      'a step that throws nothing',
      [asking('a', [], { run: () => Promise.reject(undefined) }), asking('b', ['a'])],
      {},
      'the method broke: undefined',
    ],
    [
      'a step that depends on a later one',
      [asking('a', ['b']), asking('b', [])],
      {},
      'step "a" depends on "b", which is not a step before it',
    ],
    [
      'no concurrency',
      [asking('a', [])],
      { concurrency: 0 },
      'concurrency must be a whole number of at least 1, got 0',
    ],
    [
      'an added step with a known id',
      adding({ steps: [asking('d', ['a'])] }),
      {},
      'expand() of step "a": there are two steps "d"',
    ],
    [
      'an added step that depends on a sibling',
      adding({ steps: [asking('n', ['x'])] }),
      {},
      'step "n" depends on "x". It may depend on the step that adds it',
    ],
    [
      'an added step that depends on nothing known',
      adding({ steps: [asking('n', ['q'])] }),
      {},
      'step "n" depends on "q", which is not a step before it',
    ],
    [
      'a wait of an unknown step',
      adding({ steps: [asking('n', ['a'])], before: ['q'] }),
      {},
      'before names "q", which is not a step of the graph',
    ],
    [
      'a wait of a step that does not depend',
      adding({ steps: [asking('n', ['a'])], before: ['x'] }),
      {},
      'before names "x", which does not depend on "a"',
    ],
  ])('fails its trial, and replays: %s', async (_, steps, options, text) => {
    expect(await reasonOf(steps, options)).toContain(text)
  })
})

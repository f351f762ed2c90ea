import { describe, expect, it } from 'vitest'
import { filesTask } from '../../helpers/machine/programs.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const fine = agentOf(() => 'Answer: 42')

describe('what a method hands over', () => {
  const edit = (content: unknown) => [{ path: 'a.txt', content }] as never
  const wrong: [string, (context: AnyContext) => unknown, string][] = [
    ['no prompt', ({ ask }) => ask('solver', undefined as never), 'the prompt is no text (undefined)'],
    ['a prompt that is an object', ({ ask }) => ask('solver', { a: 1 } as never), 'no text (an object)'],
    [
      'a text to show without a name',
      ({ ask }) => ask('solver', 'x', { show: 'abc' as never }),
      'show is not an object of texts by name (string)',
    ],
    ['a number to show', ({ ask }) => ask('solver', 'x', { show: { n: 1 as never } }), 'show.n is no text'],
    [
      'an option of an ask that does not exist',
      ({ ask }) => ask('solver', 'x', { context: { n: '1' } } as never),
      'ask("solver"): there is no option "context"; there are shape, system, show,',
    ],
    [
      'a limit of an ask that does not exist',
      ({ ask }) => ask('solver', 'x', { limits: { token: 5 } } as never),
      'there is no option "limits.token"; there are calls, tokens, costUsd, timeMs.',
    ],
    [
      'a purpose of an ask that does not exist',
      ({ ask }) => ask('solver', 'x', { purpose: 'poll' as never }),
      "purpose must be 'vote'",
    ],
    [
      'a time limit that is none',
      ({ ask }) => ask('solver', 'x', { timeoutMs: Number.NaN }),
      'timeoutMs is no number',
    ],
    [
      'a limit that is none',
      ({ ask }) => ask('solver', 'x', { limits: { calls: Number.NaN } }),
      'calls is no number',
    ],
    [
      'a role by a name that every object has',
      ({ ask }) => ask('constructor', 'x'),
      'does not declare in roles',
    ],
    [
      'a list as state',
      ({ checkpoint }) => checkpoint([{ round: 1 }]),
      'the state is no object with fields (a list)',
    ],
    ['a state that JSON makes a number', ({ checkpoint }) => checkpoint({ toJSON: () => 5 }), '(number)'],
    ['no state', ({ checkpoint }) => checkpoint(undefined as never), '(undefined)'],
    ['no question', ({ approve }) => approve(undefined as never), 'the question is no text'],
    ['a branch without a name', ({ branch }) => branch(5 as never, async () => {}), 'the name is no text'],
    [
      'an edit without content',
      ({ workspace }) => workspace.apply(edit(undefined)),
      'the content of a.txt is no text',
    ],
    ['an edit of a number', ({ workspace }) => workspace.apply(edit(5)), 'no text (number)'],
    ['an edit without a path', ({ workspace }) => workspace.apply([{} as never]), 'a path is no text'],
    ['edits that are no list', ({ workspace }) => workspace.apply('x' as never), 'wants a list'],
    [
      'an event that JSON makes a number',
      ({ note }) => note({ type: 'x', toJSON: () => 5 }),
      'no object with fields',
    ],
    [
      'an event without a type',
      ({ note }) => note({ toJSON: () => ({ n: 1 }) } as never),
      'an event with a type',
    ],
    [
      'an event that names its own trial',
      ({ note }) => note({ type: 'x', trial: 'y' } as never),
      `"trial" is the harness's own`,
    ],
    ['an event that names its own key', ({ note }) => note({ type: 'x', key: 'y' } as never), `"key" is the`],
    [
      'an event of the type of labels',
      ({ note }) => note({ type: 'iteration', round: 1 }),
      'note() does not write events of type "iteration". Call label({ … }) instead.',
    ],
    [
      'an event of the type of candidates',
      ({ note }) => note({ type: 'candidate', answer: '42' }),
      'note() does not write events of type "candidate". Call candidate(answer) instead.',
    ],
    ['a label that is a text', ({ label }) => label('one' as never), 'the label is no object with fields'],
    ['a label with a list', ({ label }) => label({ rounds: [1] } as never), '"rounds" is neither a number'],
    ['a label that is not a number', ({ label }) => label({ round: Number.NaN }), '"round" is neither'],
    ['a label that names a type', ({ label }) => label({ type: 'x' }), `"type" is the harness's own`],
    ['a label that names a trial', ({ label }) => label({ trial: 'x' }), `"trial" is the harness's own`],
    ['a label that names a key', ({ label }) => label({ key: 1 }), `"key" is the harness's own`],
    [
      'a candidate that is an object',
      ({ candidate }) => candidate({ answer: '42' } as never),
      'candidate(): the answer is no text (an object)',
    ],
    [
      'a candidate that is a promise',
      ({ candidate }) => candidate(Promise.resolve('42') as never),
      'candidate(): the answer is a promise. Await it first',
    ],
  ]

  it.each(wrong)('is refused before it is journaled: %s', async (_, effect, words) => {
    const strategy = strategyOf(async (context) => {
      await effect(context)
      return { stopReason: 'done' }
    })
    const { record, steps } = await playTrial({ agent: fine, strategy, task: filesTask() })
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining(words) })
    expect(steps.filter(({ kind }) => kind !== 'grade')).toEqual([])
  })

  it('may leave a named text of an ask undefined', async () => {
    const strategy = strategyOf(async ({ ask }) => ({
      stopReason: 'done',
      answer: await ask('solver', 'go', { show: { notes: undefined, plan: 'first' } }),
    }))
    const { record, steps } = await playTrial({ agent: fine, strategy, ownCode: true })
    expect(record.outcome.status).toBe('completed')
    expect(JSON.stringify(steps)).toContain('## plan')
    expect(JSON.stringify(steps)).not.toContain('## notes')
  })

  it('is copied without a field that would become its prototype', async () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"n":2}')
    const strategy = strategyOf(async ({ checkpoint }) => {
      await checkpoint(odd)
      return { stopReason: 'done', state: odd }
    })
    const { record, steps } = await playTrial({ agent: fine, strategy })
    expect(JSON.stringify(record.state)).toBe('{"n":2}')
    expect(JSON.stringify(steps.find(({ kind }) => kind === 'state'))).toContain('"state":{"n":2}')
  })

  it.each([
    ['a symbol', Symbol('q'), 'Symbol(q)'],
    ['null', null, 'null'],
    [
      'an error without words',
      Object.defineProperty(new Error(), 'message', { get: () => fail() }),
      'cannot be shown',
    ],
    ['what will not say what it is', new Proxy({}, { getPrototypeOf: fail, get: fail }), 'cannot be shown'],
  ])('may be thrown, whatever it is: %s', async (_, thrown, words) => {
    const strategy = strategyOf(() => Promise.reject(thrown))
    const { record } = await playTrial({ agent: fine, strategy })
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining(words) })
  })

  it('may be a result without a promise, and a first() that loses to nothing', async () => {
    const strategy = strategyOf((() => ({ stopReason: 'done', answer: '42' })) as never)
    const { record } = await playTrial({ agent: fine, strategy, ownCode: true })
    expect(record.outcome).toEqual({ status: 'completed', reason: '' })
    const lost = strategyOf(async ({ first }) => {
      await first({ a: () => Promise.reject(null) })
      return { stopReason: 'done' }
    })
    expect((await playTrial({ agent: fine, strategy: lost })).record.outcome.reason).toBe(
      'the method broke: null',
    )
  })
})

function fail(): never {
  throw new Error('no')
}

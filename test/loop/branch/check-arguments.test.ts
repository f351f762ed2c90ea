import { describe, expect, it } from 'vitest'
import { filesTask } from '../../helpers/machine/programs.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const fine = agentOf(() => 'Answer: 42')

describe('an argument of a strategy', () => {
  const edit = (content: unknown) => [{ path: 'a.txt', content }] as never
  const wrong: [string, (context: AnyContext) => unknown, string][] = [
    [
      'a text to show without a name',
      ({ ask }) => ask('solver', 'x', { show: 'abc' as never }),
      'show must be an object of strings by name, got a string',
    ],
    [
      'a number to show',
      ({ ask }) => ask('solver', 'x', { show: { n: 1 as never } }),
      'show.n must be a string',
    ],
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
      'a timeout that is not a number',
      ({ ask }) => ask('solver', 'x', { timeoutMs: Number.NaN }),
      'timeoutMs must be a number',
    ],
    [
      'a limit that is not a number',
      ({ ask }) => ask('solver', 'x', { limits: { calls: Number.NaN } }),
      'calls must be a number',
    ],
    [
      'an undeclared role named like a property of every object',
      ({ ask }) => ask('constructor', 'x'),
      'does not declare in roles; there are solver, ',
    ],
    [
      'a role that is a number',
      ({ ask }) => ask(0 as never, 'x'),
      'ask(): the role must be a string, got a number',
    ],
    [
      'a shape that is not a zod schema',
      ({ ask }) => ask('solver', 'x', { shape: { ok: 'boolean' } as never }),
      "shape must be a zod schema: import { z } from 'orchestration-bench'",
    ],
    [
      'a timeout that is a text',
      ({ ask }) => ask('solver', 'x', { timeoutMs: '5' as never }),
      'timeoutMs must be a number of at least 0, got a string',
    ],
    [
      'a branch whose work is a promise',
      ({ branch }) => branch('x', Promise.resolve() as never),
      'branch("x"): the work must be a function of the branch\'s context, got a promise',
    ],
    [
      'a first() whose work is a text',
      ({ first }) => first({ a: 'x' as never }),
      'first(): the work of "a" must be a function of the branch\'s context, got a string',
    ],
    ['a first() without branches', ({ first }) => first({}), 'first() needs at least one branch'],
    [
      'no workspace to adopt',
      async ({ workspace }) => workspace.adopt(undefined as never),
      'adopt() takes the workspace of a branch of this trial, got undefined',
    ],
    [
      'a random number without a label',
      ({ random }) => random(undefined as never),
      'random(): the label must be a string',
    ],
    [
      'an array as state',
      ({ checkpoint }) => checkpoint([{ round: 1 }]),
      'the state must be a plain object, such as { done: 3 }, got an array',
    ],
    [
      'a state that JSON turns into a number',
      ({ checkpoint }) => checkpoint({ toJSON: () => 5 }),
      'got a number',
    ],
    ['no state', ({ checkpoint }) => checkpoint(undefined as never), 'got undefined'],
    ['no question', ({ approve }) => approve(undefined as never), 'the question must be a string'],
    [
      'a branch without a name',
      ({ branch }) => branch(5 as never, async () => {}),
      'the name must be a string',
    ],
    [
      'an edit without content',
      ({ workspace }) => workspace.apply(edit(undefined)),
      'the content of a.txt must be a string',
    ],
    [
      'an edit whose content is a number',
      ({ workspace }) => workspace.apply(edit(5)),
      'must be a string, got a number',
    ],
    [
      'an edit without a path',
      ({ workspace }) => workspace.apply([{} as never]),
      "an edit's path must be a string",
    ],
    [
      'edits that are not an array',
      ({ workspace }) => workspace.apply('x' as never),
      'expects an array of { path, content }, got a string',
    ],
    [
      'an event that JSON turns into a number',
      ({ note }) => note({ type: 'x', toJSON: () => 5 }),
      'must be a plain object',
    ],
    [
      'an event without a type',
      ({ note }) => note({ toJSON: () => ({ n: 1 }) } as never),
      'expects an event with a string `type`',
    ],
    [
      'an event that names its own trial',
      ({ note }) => note({ type: 'x', trial: 'y' } as never),
      '"trial" is reserved',
    ],
    [
      'an event that names its own key',
      ({ note }) => note({ type: 'x', key: 'y' } as never),
      '"key" is reserved',
    ],
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
    ['a label that is a text', ({ label }) => label('one' as never), 'the label must be a plain object'],
    [
      'a label with a list',
      ({ label }) => label({ rounds: [1] } as never),
      '"rounds" must be a number or a string',
    ],
    [
      'a label that is not a number',
      ({ label }) => label({ round: Number.NaN }),
      '"round" must be a number or a string',
    ],
    ['a label that names a type', ({ label }) => label({ type: 'x' }), `"type" is reserved`],
    ['a label that names a trial', ({ label }) => label({ trial: 'x' }), `"trial" is reserved`],
    ['a label that names a key', ({ label }) => label({ key: 1 }), `"key" is reserved`],
    [
      'a candidate that is an object',
      ({ candidate }) => candidate({ answer: '42' } as never),
      'candidate(): the answer must be a string, got an object',
    ],
    [
      'a candidate that is a promise',
      ({ candidate }) => candidate(Promise.resolve('42') as never),
      'candidate(): the answer is a promise; await it first',
    ],
  ]

  it.each(wrong)('is rejected before it is journaled: %s', async (_, effect, words) => {
    const strategy = strategyOf(async (context) => {
      await effect(context)
      return { stopReason: 'done' }
    })
    const { record, steps } = await playTrial({ agent: fine, strategy, task: filesTask() })
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining(words) })
    expect(steps.filter(({ kind }) => kind !== 'grade')).toEqual([])
  })

  it('may be a context with an undefined text', async () => {
    const strategy = strategyOf(async ({ ask }) => ({
      stopReason: 'done',
      answer: await ask('solver', 'go', { show: { notes: undefined, plan: 'first' } }),
    }))
    const { record, steps } = await playTrial({ agent: fine, strategy, userCode: true })
    expect(record.outcome.status).toBe('completed')
    expect(JSON.stringify(steps)).toContain('## plan')
    expect(JSON.stringify(steps)).not.toContain('## notes')
  })

  it('is copied without its `__proto__` field', async () => {
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
      'an error whose message cannot be read',
      Object.defineProperty(new Error(), 'message', { get: () => fail() }),
      'cannot be shown',
    ],
    [
      'an object whose type cannot be read',
      new Proxy({}, { getPrototypeOf: fail, get: fail }),
      'cannot be shown',
    ],
  ])('may be thrown, of any type: %s', async (_, thrown, words) => {
    const strategy = strategyOf(() => Promise.reject(thrown))
    const { record } = await playTrial({ agent: fine, strategy })
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining(words) })
  })

  it('may be a result without a promise, and a first() in which every branch fails', async () => {
    const strategy = strategyOf((() => ({ stopReason: 'done', answer: '42' })) as never)
    const { record } = await playTrial({ agent: fine, strategy, userCode: true })
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

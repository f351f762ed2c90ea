import { describe, expect, it } from 'vitest'
import { failingAfter, scriptedAgent, timingOut } from '../../src/testing.ts'

// A test in plain JavaScript has no types that would tell these mistakes.

describe('a double refuses', () => {
  const make =
    (create: unknown, ...given: unknown[]) =>
    () =>
      (create as (...given: unknown[]) => unknown)(...given)

  it.each([
    [
      'an unknown key',
      [{ txt: 'x' }],
      '[scriptedAgent() replies.0.txt] is not a known field. Did you mean text?',
    ],
    [
      'an unknown key of a role',
      { writer: ['x', { txt: 'x' }] },
      '[scriptedAgent() replies.writer.1.txt] is not a known field.',
    ],
    ['a number', [5], '[scriptedAgent() replies.0] must be a string or an object, got 5.'],
    ['a text that is no string', [{ text: 5 }], '[scriptedAgent() replies.0.text] must be a string, got 5.'],
    [
      'a text beside data',
      [{ text: 'x', data: {} }],
      '[scriptedAgent() replies.0] has text and data. Use one of them.',
    ],
    [
      'an unknown reason',
      [{ error: { reason: 'time-out', message: 'x' } }],
      '[scriptedAgent() replies.0.error.reason] "time-out" is not allowed. Did you mean timeout?',
    ],
    [
      'unknown tokens',
      [{ tokens: { in: 5 } }],
      '[scriptedAgent() replies.0.tokens.in] is not a known field.',
    ],
    ['a negative price', [{ costUsd: -1 }], '[scriptedAgent() replies.0.costUsd] must be at least 0.'],
    [
      'an endless time',
      [{ durationMs: Number.POSITIVE_INFINITY }],
      '[scriptedAgent() replies.0.durationMs] must be a number',
    ],
  ])('a reply with %s', (_, replies, message) => {
    expect(make(scriptedAgent, replies)).toThrow(message)
  })

  it.each([null, undefined, 'x', 5])('%s in place of replies', (replies) => {
    expect(make(scriptedAgent, replies)).toThrow('needs an array with at least one reply')
  })

  it.each([
    [
      'an unknown end',
      { atEnd: 'x' },
      '[scriptedAgent() options.atEnd] "x" is not allowed. Use one of cycle, fail.',
    ],
    [
      'an unknown option',
      { atend: 'fail' },
      '[scriptedAgent() options.atend] is not a known field. Did you mean atEnd?',
    ],
    ['a word', 'fail', '[scriptedAgent() options] must be an object, got "fail".'],
    ['null', null, '[scriptedAgent() options] must be an object, got null.'],
  ])('%s as options', (_, options, message) => {
    expect(make(scriptedAgent, ['x'], options)).toThrow(message)
  })

  it.each(['2', 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined, null])(
    '%j as a number of calls',
    (count) => {
      expect(make(failingAfter, count, ['x'])).toThrow(
        /^\[failingAfter\(\) count\] must be a whole number of at least 0, got /,
      )
    },
  )

  it('replies of any number of calls, and an unknown reason of failure', () => {
    expect(make(failingAfter, 0, 'x')).toThrow('failingAfter() needs an array')
    expect(make(failingAfter, 1, ['x'], 'brokn')).toThrow(
      '[failingAfter() reason] "brokn" is not allowed. Use one of timeout, refusal,',
    )
    expect(make(failingAfter, 1, ['x'], 'srver')).toThrow('Did you mean server?')
    expect(make(failingAfter, 1, ['x'], { atEnd: 'fail' })).toThrow('[failingAfter() reason]')
  })

  it.each(['5000', -1, Number.NaN, Number.POSITIVE_INFINITY, undefined])('%j as a time', (ms) => {
    expect(make(timingOut, ms)).toThrow(/^\[timingOut\(\) ms\] must be a number of at least 0, got /)
  })

  it('a call of a role without replies, and names the roles that have some', () => {
    const { error } = scriptedAgent({ writr: ['x'], judge: ['y'] }).answer({
      ...{ role: 'writer', history: [], prompt: '', trial: { id: 't', rerun: 0 } },
    } as never)
    expect(error?.message).toBe(
      'the test double has no replies for role "writer", only for writr, judge; this is call 1',
    )
  })
})

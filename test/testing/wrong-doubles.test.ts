import { describe, expect, it } from 'vitest'
import { failingAfter, scriptedAgent, timingOut } from '../../src/testing.ts'

// A test in plain JavaScript has no types that would tell these mistakes.

describe('a double refuses', () => {
  const make =
    (create: unknown, ...given: unknown[]) =>
    () =>
      (create as (...given: unknown[]) => unknown)(...given)

  it.each([
    ['an unknown key', [{ txt: 'x' }]],
    ['an unknown key of a role', { writer: ['x', { txt: 'x' }] }],
    ['a number', [5]],
    ['a text that is no string', [{ text: 5 }]],
    ['a text beside data', [{ text: 'x', data: {} }]],
    ['an unknown reason', [{ error: { reason: 'time-out', message: 'x' } }]],
    ['unknown tokens', [{ tokens: { in: 5 } }]],
    ['a negative price', [{ costUsd: -1 }]],
    ['an endless time', [{ durationMs: Number.POSITIVE_INFINITY }]],
  ])('a reply with %s', (_, replies) => {
    expect(make(scriptedAgent, replies)).toThrowErrorMatchingSnapshot()
  })

  it.each([null, undefined, 'x', 5])('%s in place of replies', (replies) => {
    expect(make(scriptedAgent, replies)).toThrow('needs an array with at least one reply')
  })

  it.each([
    ['an unknown end', { atEnd: 'x' }],
    ['an unknown option', { atend: 'fail' }],
    ['a word', 'fail'],
    ['null', null],
  ])('%s as options', (_, options) => {
    expect(make(scriptedAgent, ['x'], options)).toThrowErrorMatchingSnapshot()
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
    expect(error?.message).toMatchSnapshot()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CircuitBreaker } from '../../../src/schema/machine/machine-file.ts'
import { findBreak, type MachineHistory } from '../../../src/workflows/machine/breaker.ts'

/** The transitions of a walk through these states. */
const walk = (states: string) => {
  const names = states.split(' ')
  return names.slice(1).map((to, i) => ({ from: names[i] as string, to }))
}
const history = (states: string, more: Partial<MachineHistory> = {}): MachineHistory => ({
  transitions: walk(states),
  elapsedMs: 0,
  costUsd: 0,
  ...more,
})
const standard = CircuitBreaker.parse({})
const only = (rule: object) => CircuitBreaker.parse({ rules: [rule] })

describe('a rule of a circuit breaker', () => {
  it('breaks when a state is entered the third time', () => {
    const rule = only({ rule: 'state_visits' })
    expect(findBreak(rule, history('start draft check draft check'))).toBeUndefined()
    expect(findBreak(rule, history('start draft check draft check draft'))).toMatchSnapshot()
  })

  it('breaks when the same two transitions come twice in a row, but not at the first retry of a gate', () => {
    const rule = only({ rule: 'cycle' })
    expect(findBreak(rule, history('start draft check draft check'))).toBeUndefined()
    expect(findBreak(rule, history('draft check draft check draft'))?.fact).toMatchSnapshot()
    expect(findBreak(rule, history('draft check draft audit draft'))).toBeUndefined()
  })

  it('breaks by transitions, by time and by cost', () => {
    expect(findBreak(only({ rule: 'transitions', max: 3 }), history('a b c d'))?.rule).toBe('transitions')
    expect(findBreak(only({ rule: 'time', max_s: 2 }), history('a b', { elapsedMs: 2000 }))?.rule).toBe(
      'time',
    )
    expect(findBreak(only({ rule: 'cost', max_usd: 1 }), history('a b', { costUsd: 1 }))?.rule).toBe('cost')
  })

  it('does not break by a cost that is unknown', () => {
    expect(findBreak(standard, history('a b', { costUsd: null }))).toBeUndefined()
  })

  it('breaks one later for each time that it was let go on', () => {
    const rule = only({ rule: 'state_visits' })
    const thrice = history('start draft check draft check draft')
    expect(findBreak(rule, thrice, { state_visits: 1 })).toBeUndefined()
    expect(findBreak(rule, history('s d c d c d c d'), { state_visits: 1 })?.fact).toBe(
      'state d was entered 4 times',
    )
  })

  it('is the first that matches in the order of the file', () => {
    const states = history('start draft check draft check draft')
    expect(findBreak(standard, states)?.rule).toBe('state_visits')
    const reversed = { ...standard, rules: standard.rules.toReversed() }
    expect(findBreak(reversed, states)?.rule).toBe('cycle')
  })
})

describe('the hard limits', () => {
  it('come before all rules, and nothing raises them', () => {
    const raised = { transitions: 1000, time: 1000, cost: 1000, state_visits: 1000, cycle: 1000 }
    const law = fc.property(fc.integer({ min: 0, max: 80 }), (length) => {
      const states = Array.from({ length: length + 1 }, (_, i) => `s${i}`).join(' ')
      expect(findBreak(standard, history(states), raised)?.isHard ?? false).toBe(length >= 50)
    })
    fc.assert(law)
    expect(findBreak(standard, history('a b', { elapsedMs: 3_600_000 }), raised)?.isHard).toBe(true)
    expect(findBreak(standard, history('a b', { costUsd: 10 }), raised)?.isHard).toBe(true)
  })

  it('can be lowered by a file, but not raised', () => {
    expect(CircuitBreaker.safeParse({ hard: { transitions: 5 } }).success).toBe(true)
    expect(CircuitBreaker.safeParse({ hard: { transitions: 51 } }).success).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CircuitBreaker } from '../../../src/schema/machine/machine-file.ts'
import {
  findBreak as findBreakAfter,
  type LetGo,
  letGoOn,
  type MachineHistory,
} from '../../../src/workflows/machine/breaker.ts'

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
const nothing = (): LetGo => ({ states: new Map(), rules: new Map() })
const findBreak = (breaker: CircuitBreaker, walked: MachineHistory, letGo = nothing()) =>
  findBreakAfter(breaker, walked, letGo)
/** What holds after a rule broke on these transitions and was let go on. */
const letGoAfter = (rule: 'state_visits' | 'transitions', { transitions }: MachineHistory) => {
  const letGo = nothing()
  letGoOn(letGo, rule, transitions)
  return letGo
}
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

  it('lets the state, and each on the way back to it, be entered once more where it was let go on, and no other', () => {
    const rule = only({ rule: 'state_visits' })
    const thrice = history('start draft check draft check draft')
    const letGo = letGoAfter('state_visits', thrice)
    expect(findBreak(rule, thrice, letGo)).toBeUndefined()
    expect(findBreak(rule, history('start draft check draft check draft check'), letGo)).toBeUndefined()
    expect(findBreak(rule, history('s draft check draft check draft check draft'), letGo)?.fact).toBe(
      'state draft was entered 4 times',
    )
    expect(findBreak(rule, history('s draft edit draft edit draft edit'), letGo)?.fact).toBe(
      'state edit was entered 3 times',
    )
  })

  it('about a state is let go on by the state, whichever rule broke', () => {
    const states = history('start draft check draft check draft')
    const letGo = letGoAfter('state_visits', states)
    expect(findBreak(only({ rule: 'cycle' }), states)?.rule).toBe('cycle')
    expect(findBreak(only({ rule: 'cycle' }), states, letGo)).toBeUndefined()
  })

  it('about the whole way allows as much again where it was let go on', () => {
    const rule = only({ rule: 'transitions', max: 3 })
    const letGo = letGoAfter('transitions', history('a b c d'))
    expect(findBreak(rule, history('a b c d e f'), letGo)).toBeUndefined()
    expect(findBreak(rule, history('a b c d e f g'), letGo)?.fact).toBe('6 transitions were made')
  })

  it('counts no transition in whose place the orchestrator made another, but the hard limit does', () => {
    const transitions = walk('s d c d c').map((one) => ({
      ...one,
      ...(one.to === 'd' && { replaced: true as const }),
    }))
    const breaker = { rules: [{ rule: 'transitions' as const, max: 3 }] }
    const walked = { transitions, elapsedMs: 0, costUsd: 0 }
    expect(findBreak(CircuitBreaker.parse(breaker), walked)).toBeUndefined()
    expect(findBreak(CircuitBreaker.parse({ ...breaker, hard: { transitions: 4 } }), walked)?.isHard).toBe(
      true,
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
    const raised: LetGo = {
      states: new Map(),
      rules: new Map([...(['transitions', 'time', 'cost'] as const)].map((rule) => [rule, 1000])),
    }
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

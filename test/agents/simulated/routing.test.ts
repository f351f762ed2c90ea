import { describe, expect, it } from 'vitest'
import type { PastAsk } from '../../../src/agents/agent.ts'
import { nextRole } from '../../../src/agents/simulated/routing.ts'
import { approves } from '../../../src/agents/simulated/verdict.ts'

const roles = {
  boss: 'decide',
  plan: 'decide',
  check: 'judge',
  make: 'produce',
  test: 'judge',
  mend: 'decide',
} as const
const order = ['plan', 'check', 'make', 'test', 'mend', 'end']
const past = (role: keyof typeof roles, data?: unknown): PastAsk[] => [
  { role, work: roles[role], data },
  { role: 'boss', work: 'decide', data: { next: 'whatever' } },
]
const yes = { ok: true }
const no = { ok: false }

describe('the next role', () => {
  it.each([
    ['the first at the start', [], 'plan'],
    ['the first judge after a plan', past('plan'), 'check'],
    ['the producer after a judge said no', past('check', no), 'make'],
    ['the next judge after a judge said yes', past('check', yes), 'test'],
    ['the judge before the producer after a submission', past('make'), 'check'],
    ['the decider listed after the last judge when that one says no', past('test', no), 'mend'],
    ['the first judge after that', past('mend'), 'check'],
    ['the end when the last judge says yes', past('test', yes), 'end'],
    ['the producer when a judge said nothing that can be read', past('check'), 'make'],
  ])('is %s', (_, history, next) => {
    expect(nextRole(order, { roles, history })).toBe(next)
  })

  it('depends on order and kind of work, not on names', () => {
    const renamed = { a: 'judge', b: 'produce', c: 'summarise' } as const
    const next = (role: 'a' | 'b' | 'c', data?: unknown) =>
      nextRole(['b', 'a', 'c', 'stop'], { roles: renamed, history: [{ role, work: renamed[role], data }] })
    expect([next('b'), next('a', 0.3), next('a', 0.9), next('c')]).toEqual(['a', 'b', 'c', 'stop'])
  })
})

it.each([
  [{ compliance: 0.8, violations: ['x'] }, true],
  [{ compliance: 0.79, violations: [] }, false],
  [{ feedback: 'good', satisfied: false }, false],
  [{ score: 7, ok: true }, true],
  [{ findings: [] }, true],
  [{ findings: ['x'] }, false],
  [{ inner: { approved: true } }, true],
  [{ note: 'x' }, undefined],
  [undefined, undefined],
])('approves reads the verdict of %j as %s', (data, verdict) => {
  expect(approves(data)).toBe(verdict)
})

import { expect, it } from 'vitest'
import type { PastAsk } from '../../../src/agents/agent.ts'
import { addAsk, listAsks, type PastAsks } from '../../../src/loop/branch/workspace.ts'

const ask = (role: string): PastAsk => ({ role, work: 'produce' })
const asksOf = (roles: string, before?: PastAsks) =>
  [...roles].reduce<PastAsks | undefined>((asks, role) => addAsk(asks, ask(role)), before)
const rolesOf = (asks: PastAsk[]) => asks.map(({ role }) => role).join('')

it('lists the asks of a branch in the order in which they were asked', () => {
  expect(listAsks(undefined)).toEqual([])
  expect(rolesOf(listAsks(asksOf('abc')))).toBe('abc')
})

it('lists the asks that follow those with which a branch began', () => {
  const before = asksOf('ab')
  expect(rolesOf(listAsks(asksOf('cd', before), before))).toBe('cd')
  expect(listAsks(before, before)).toEqual([])
})

it('keeps the asks of a branch when branches under it ask more', () => {
  const above = asksOf('ab')
  const [left, right] = [asksOf('c', above), asksOf('d', above)]
  expect([above, left, right].map((asks) => rolesOf(listAsks(asks)))).toEqual(['ab', 'abc', 'abd'])
})

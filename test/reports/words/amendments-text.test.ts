import { expect, it } from 'vitest'
import { amendmentsText, changesText } from '../../../src/reports/words/amendments-text.ts'
import type { Change } from '../../../src/schema/run/amendment.ts'

const change = (kind: Change['kind'], name: string, parts: Partial<Change> = {}): Change => ({
  ...{ kind, name, before: 'a', after: 'b' },
  ...parts,
})

it.each([
  [[change('task', 's/a')], '1 task (s/a) changed'],
  [
    [change('task', 's/a'), change('task', 's/b'), change('agent', 'scripted:x.mjs')],
    '2 tasks (s/a, s/b) and 1 agent (scripted:x.mjs) changed',
  ],
  [
    [change('task', 's/n', { before: '' }), change('task', 's/o', { after: '' }), change('method', 'own')],
    '1 method (own) changed, 1 task (s/n) was added, 1 task (s/o) was removed',
  ],
  [['a', 'b', 'c', 'd'].map((id) => change('task', id)), '4 tasks (a, b, c, …) changed'],
])('lists changes by kind', (changes, text) => {
  expect(changesText(changes)).toBe(text)
})

it('says when each change was accepted, and nothing for a run without one', () => {
  expect(amendmentsText([])).toBeNull()
  const at = '2026-01-02T03:04:05.000Z'
  const amendment = { at, records: 5, planned: { before: 12, after: 12 }, changes: [change('task', 's/a')] }
  expect(amendmentsText([amendment, { ...amendment, records: 6 }])).toMatch(
    /^1 task \(s\/a\) changed during the run, after 5 of 12 trials \(2026-01-02\); 1 task .* after 6 of 12 trials/,
  )
})

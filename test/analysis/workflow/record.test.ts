import { expect, it } from 'vitest'
import { viewOfSteps } from '../../../src/analysis/workflow/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'

const entered = (state: string, visit: number, at: number) =>
  ({ kind: 'state', at, durationMs: 0, state: { machine: { state, visit } } }) as unknown as Step
const taken = (from: string, to: string, result: string) => ({
  ...{ trial: 't', key: 'k' },
  type: 'transition' as const,
  from,
  to,
  result,
})

it('decisions where to go are further transitions of the visit that they follow, however many there are', () => {
  const steps = [
    entered('draft', 1, 0),
    entered('edit', 1, 10),
    entered('edit', 2, 20),
    entered('check', 1, 30),
  ]
  const events = [
    taken('draft', 'edit', 'success'),
    taken('edit', 'done', 'success'),
    taken('edit', 'draft', 'force_complete'),
    taken('edit', 'edit', 'retry_different'),
    taken('edit', 'check', 'success'),
    taken('edit', 'check', 'retry_different'),
    taken('check', 'draft', 'retry'),
  ]
  const visits = viewOfSteps(steps, events)?.visits
  expect(visits?.map(({ state, result, next, redirect }) => ({ state, result, next, redirect }))).toEqual([
    { state: 'draft', result: 'success', next: 'edit', redirect: null },
    { state: 'edit', result: 'success', next: 'done', redirect: 'edit' },
    { state: 'edit', result: 'success', next: 'check', redirect: null },
    { state: 'check', result: 'retry', next: 'draft', redirect: null },
  ])
})

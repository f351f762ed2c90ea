import { expect, it } from 'vitest'
import { createRoutes } from '../../src/analysis/routes.ts'
import type { RouterState } from '../../src/schema/method/router.ts'
import { aRecord } from './records.ts'

const agents = { decider: 'd', 'route-1': 'openai:small', 'route-2': 'openai:large' }

/** The rows of trials of a router, each with its state, whether it passed, its dollars and the models that answered. */
function routesOf(
  trials: readonly (Partial<RouterState> & {
    passed?: boolean | null
    usd?: number | null
    served?: string
    status?: 'error'
  })[],
) {
  const builder = createRoutes(['router'])
  for (const [i, { passed = true, usd = 0.1, served, status, ...state }] of trials.entries())
    builder.add(
      aRecord({
        ...{ method: 'router', task: `t/${i}`, agents, passed, ...(status && { status }) },
        state: { router: { by: 'table', route: 'route-1', why: '', fallback: false, ...state } },
        spent: { costUsd: usd },
        ...(served && { served: [{ agent: 'openai:large', model: served, calls: 1 }] }),
      }),
    )
  return builder.result()
}

it('counts for each route its trials, those that nothing chose, what it solved, its dollars and who answered', () => {
  const [row] = routesOf([
    { route: 'route-2', served: 'large-2026', usd: 0.3 },
    { passed: false },
    { fallback: true, passed: null },
    { route: 'route-2', served: 'large-2025', usd: 0.2 },
    { route: 'route-2', status: 'error' },
  ])
  const close = (value: number) => expect.closeTo(value)
  expect(row).toMatchObject({ method: 'router', by: 'table', trials: 4, deciderUsd: null })
  expect(row?.routes).toEqual([
    {
      ...{ role: 'route-1', agent: 'openai:small', served: [], trials: 2, fallbacks: 1 },
      ...{ graded: 1, passed: 0, costUsd: close(0.2) },
    },
    {
      ...{ role: 'route-2', agent: 'openai:large', served: ['large-2025', 'large-2026'], trials: 2 },
      ...{ fallbacks: 0, graded: 2, passed: 2, costUsd: close(0.5) },
    },
  ])
})

it('takes the decider out of the dollars of the routes; an unknown part makes a sum unknown', () => {
  const by = 'decider'
  const [row] = routesOf([
    { by, costUsd: 0.02 },
    { by, costUsd: 0.03, route: 'route-2', usd: null },
  ])
  expect(row?.deciderUsd).toBeCloseTo(0.05)
  expect(row?.routes.map(({ costUsd }) => costUsd)).toEqual([expect.closeTo(0.08), null])
  expect(routesOf([{ by, costUsd: null }])[0]).toMatchObject({
    deciderUsd: null,
    routes: [{ costUsd: null }],
  })
})

it('counts the trials and dollars of a router whose route gave nothing apart, also where no trial has a choice', () => {
  const builder = createRoutes(['router', 'other'], new Map([['router', 'decider'] as const]))
  const trial = (i: number) =>
    aRecord({ method: 'router', task: `t/${i}`, agents, passed: false, spent: { costUsd: 0.2 } })
  builder.add(trial(1))
  const noRoute = { served: [], trials: 1, graded: 1, passed: 0, costUsd: 0.2 }
  expect(builder.result()).toMatchObject([{ by: 'decider', trials: 1, deciderUsd: 0, routes: [], noRoute }])
  builder.add({ ...trial(2), served: [{ agent: 'openai:large', model: 'large-1', calls: 1 }] })
  builder.add({ ...trial(3), outcome: { status: 'error', reason: 'server: gone' } as never })
  builder.add(aRecord({ method: 'other' }))
  const state = { router: { by: 'decider', route: 'route-1', why: '', fallback: false, costUsd: 0.05 } }
  builder.add({ ...trial(4), state })
  const [row, ...more] = builder.result()
  expect(more).toEqual([])
  expect(row).toMatchObject({
    trials: 3,
    deciderUsd: 0.05,
    routes: [{ trials: 1, costUsd: expect.closeTo(0.15) }],
  })
  expect(row?.noRoute).toMatchObject({ served: ['large-1'], trials: 2, costUsd: expect.closeTo(0.4) })
})

it('has no row without a router, nor for a state of another form', () => {
  const builder = createRoutes(['a'])
  builder.add(aRecord())
  builder.add(aRecord({ task: 's/2', state: { router: { by: 'luck' } } }))
  expect(builder.result()).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { documentOf, graphOf, planOf } from '../../helpers/graph/documents.ts'

describe('a plan', () => {
  it.each([
    [
      'linear',
      `- { id: l, pattern: linear, steps: [{ id: a, task: make }, { id: b, task: make }] }`,
      ['p::l::a', 'p::l::b <- p::l::a'],
    ],
    [
      'fork_join',
      `- { id: f, pattern: fork_join, branches: { y: [{ id: a, task: make }], x: [{ id: a, task: make }, { id: b, task: make }] }, join: make }`,
      ['p::f::x::a', 'p::f::x::b <- p::f::x::a', 'p::f::y::a', 'p::f::join <- p::f::x::b, p::f::y::a'],
    ],
    [
      'debate',
      `- { id: d, pattern: debate, debaters: { b: make, a: make }, judge: judge }`,
      [
        'p::d::a::r1',
        'p::d::b::r1',
        'p::d::a::r2 <- p::d::a::r1, p::d::b::r1',
        'p::d::b::r2 <- p::d::a::r1, p::d::b::r1',
        'p::d::judge <- p::d::a::r2, p::d::b::r2',
      ],
    ],
    [
      'planner_executor',
      `- { id: e, pattern: planner_executor, planner: plan, executor: make, finish: make }`,
      ['p::e::plan', 'p::e::finish <- p::e::plan'],
    ],
    [
      'referee',
      `- { id: r, pattern: referee, candidates: { b: make, a: { id: q, pattern: linear, steps: [{ id: s, task: make }] } }, referee: judge }`,
      ['p::r.a.q::s', 'p::r::b', 'p::r::referee <- p::r.a.q::s, p::r::b'],
    ],
    [
      'hierarchical',
      `- { id: h, pattern: hierarchical, boss: plan, workers: { w: make }, finish: make }`,
      ['p::h::boss::r1', 'p::h::finish <- p::h::boss::r1'],
    ],
  ])('of the pattern %s has its steps', (_, steps, graph) => {
    const text = documentOf(steps)
    expect(graphOf(text)).toEqual(graph)
    expect(GraphPlan.parse(planOf(text))).toEqual(planOf(text))
  })
})

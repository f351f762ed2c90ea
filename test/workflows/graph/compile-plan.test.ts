import { describe, expect, it } from 'vitest'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { compilePlan } from '../../../src/workflows/graph/compile-plan.ts'
import { documentOf, graphOf, planOf, read } from '../../helpers/graph/documents.ts'
import { tableOf } from '../../helpers/house/tables.ts'

describe('a plan', () => {
  it.each(tableOf<[string, string, string[]][]>(import.meta.url, 'patternIts'))(
    'of the pattern %s has its steps',
    (_, steps, graph) => {
      const text = documentOf(steps)
      expect(graphOf(text)).toEqual(graph)
      expect(GraphPlan.parse(planOf(text))).toEqual(planOf(text))
    },
  )

  it('of a sequential workflow lets each node wait for the last step of the node before it', () => {
    const steps = `- { id: a, task: make }
- { id: f, pattern: fork_join, branches: { x: [{ id: s, task: make }] }, join: make }
- { id: b, task: make }`
    expect(graphOf(documentOf(steps))).toEqual([
      'a',
      'p::f::x::s <- a',
      'p::f::join <- p::f::x::s',
      'b <- p::f::join',
    ])
  })

  it('of a concurrent workflow has each node after what it needs, and otherwise as listed', () => {
    const steps = `- { id: last, task: make, needs: [d, a] }
- { id: a, task: make }
- { id: d, pattern: debate, debaters: { x: make, y: make }, rounds: 1, judge: judge, needs: [a] }
- { id: free, task: make }`
    expect(graphOf(documentOf(steps, 'kind: concurrent'))).toEqual([
      'a',
      'p::d::x::r1 <- a',
      'p::d::y::r1 <- a',
      'p::d::judge <- p::d::x::r1, p::d::y::r1',
      'last <- a, p::d::judge',
      'free',
    ])
  })

  it('lets whatever needs a pattern without a finish wait for its added steps', () => {
    const steps = `- { id: e, pattern: planner_executor, planner: plan, executor: make }
- id: f
  pattern: fork_join
  branches:
    x: [{ id: h, pattern: hierarchical, boss: plan, workers: { w: make }, rounds: 2 }]
  join: make`
    const plan = planOf(documentOf(steps))
    expect(
      plan.steps.map(({ id, does }) => [id, does && 'before' in does ? does.before : undefined]),
    ).toEqual([
      ['p::e::plan', ['p::f.x.h::boss::r1']],
      ['p::f.x.h::boss::r1', ['p::f::join']],
      ['p::f::join', undefined],
    ])
    expect(plan.steps[0]?.does).toMatchObject({
      ...{ kind: 'plan', prefix: 'p::e::execute::', max: 5, order: 'sequential' },
      executor: { task: 'make', role: 'maker' },
    })
    expect(plan.steps[1]?.does).toMatchObject({
      ...{ kind: 'assign', prefix: 'p::f.x.h::', round: 1, rounds: 2, max: 4 },
      ...{ boss: { role: 'chief' }, workers: { w: { role: 'maker' } } },
    })
  })

  it('says of each step which patterns it is in, its turn, and whether it joins', () => {
    const steps = `- id: r
  pattern: referee
  candidates:
    one: { id: d, pattern: debate, debaters: { a: make, b: make }, rounds: 2, judge: make }
    two: make
  referee: judge
- id: f
  pattern: fork_join
  branches: { x: [{ id: s, task: make }] }
  join: { id: l, pattern: linear, steps: [{ id: s, task: make }, { id: t, task: make }] }`
    const parts = planOf(documentOf(steps)).steps.map(({ id, parts }) => [
      id,
      ...parts.map(({ pattern, kind, turn, joins }) =>
        `${pattern} ${kind} ${turn ?? ''}${joins ? 'joins' : ''}`.trim(),
      ),
    ])
    const debate = 'r.one.d debate'
    expect(parts).toEqual([
      ['p::r.one.d::a::r1', 'r referee', `${debate} 1`],
      ['p::r.one.d::b::r1', 'r referee', `${debate} 1`],
      ['p::r.one.d::a::r2', 'r referee', `${debate} 2`],
      ['p::r.one.d::b::r2', 'r referee', `${debate} 2`],
      ['p::r.one.d::judge', 'r referee', `${debate} joins`],
      ['p::r::two', 'r referee'],
      ['p::r::referee', 'r referee joins'],
      ['p::f::x::s', 'f fork_join'],
      ['p::f.join.l::s', 'f fork_join joins', 'f.join.l linear'],
      ['p::f.join.l::t', 'f fork_join', 'f.join.l linear'],
    ])
  })

  it('resolves conflicts of candidates by the choice, unless the referee says otherwise', () => {
    const steps = `- { id: r, pattern: referee, candidates: { a: make, b: make }, referee: judge }
- { id: s, pattern: referee, candidates: { a: make, b: make }, referee: { task: judge, conflict: merge } }`
    const { steps: planned, conflict } = planOf(documentOf(steps, 'conflict: merge'))
    expect(planned.flatMap(({ does, conflict }) => (does ? [[does, conflict]] : []))).toEqual([
      [{ kind: 'choose', candidates: { a: 'p::r::a', b: 'p::r::b' } }, 'last'],
      [{ kind: 'choose', candidates: { a: 'p::s::a', b: 'p::s::b' } }, 'merge'],
    ])
    expect(conflict).toBe('merge')
  })

  it('takes what a step leaves out from the run, and what a workflow says over the run', () => {
    const run = `workflow_ref: main
  defaults: { max_concurrency: 9, retries: 2, timeout_ms: 500, on_failure: skip }`
    const steps =
      '- { id: a, task: make }\n- { id: b, task: make, retries: 0, timeout_ms: 7, on_failure: continue }'
    const plan = planOf(documentOf(steps, '', run))
    expect(plan.max_concurrency).toBe(9)
    expect(plan.steps).toMatchObject([
      { retries: 2, timeout_ms: 500, on_failure: 'skip' },
      { retries: 0, timeout_ms: 7, on_failure: 'continue' },
    ])
    expect(planOf(documentOf(steps, 'max_concurrency: 1', run)).max_concurrency).toBe(1)
  })

  it('has the last step of the answer’s node as its answer', () => {
    const steps =
      '- { id: l, pattern: linear, steps: [{ id: a, task: make }, { id: b, task: make }] }\n- { id: c, task: make }'
    expect(planOf(documentOf(steps, 'answer: l')).answer).toBe('p::l::b')
    expect(planOf(documentOf(steps)).answer).toBe(null)
  })
})

describe('the digest of a plan', () => {
  const text = documentOf('- { id: a, task: make }\n- { id: b, task: judge }')
  const digest = planOf(text).digest

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'differsDoes'))(
    'differs if %s does',
    (_, from, to) => {
      expect(text).toContain(from)
      expect(planOf(text.replace(from, to)).digest).not.toBe(digest)
    },
  )

  it.each([
    [
      'defaults are written out',
      'workflow_ref: main',
      'workflow_ref: main\n  seed: 0\n  input: task\n  defaults: { max_concurrency: 4 }',
    ],
    ['ids are written out', 'maker: {}', 'maker: { id: maker, work: produce, tools: [] }'],
    ['the version is a number', '"0.5"', '0.5'],
    ['another workflow is there', 'run:', '  other: { steps: [{ id: x, task: make }] }\nrun:'],
  ])('stays if %s', (_, from, to) => {
    expect(text).toContain(from)
    expect(planOf(text.replace(from, to)).digest).toBe(digest)
  })

  it('is that of the text of the input file, not of its name', () => {
    const withInput = (input: string) =>
      text.replace('workflow_ref: main', `workflow_ref: main\n  input: ${input}`)
    const files: Record<string, string> = { one: 'Read.', two: 'Read.', three: 'Write.' }
    const of = (input: string) =>
      compilePlan(read(withInput(input), { read: (path) => files[path] }).document)
    expect(of('{ file: one }').digest).toBe(of('{ file: two }').digest)
    expect(of('{ file: one }').digest).toBe(of('{ text: Read. }').digest)
    expect(of('{ file: three }').digest).not.toBe(of('{ file: one }').digest)
    expect(of('{ file: three }').input).toBe('Write.')
  })
})

describe('the placement of a run', () => {
  const text = (placement: string) => `version: "0.5"
providers:
  far: { kind: http_remote, config: { base_url: https://example.org/v1, model: big } }
  near: { kind: local_ollama, config: { model: small } }
agents:
  maker: { provider: near, model: medium }
  chief: { provider: near, work: decide }
tasks:
  make: { agent_ref: maker, prompt: Make. }
  plan: { agent_ref: chief, prompt: Plan. }
workflows:
  main:
    steps:
      - { id: a, task: make }
      - { id: f, pattern: fork_join, branches: { x: [{ id: s, task: make }], y: [{ id: d, pattern: debate, debaters: { p: make, q: make }, judge: plan }] }, join: make }
      - { id: e, pattern: planner_executor, planner: plan, executor: make }
run: { workflow_ref: main, placement: ${placement} }
`
  /** Returns the steps that are placed elsewhere, with their roles. */
  const moved = (placement: string) =>
    planOf(text(placement)).steps.flatMap(({ id, role, does }) => [
      ...(role.includes('@far') ? [`${id} ${role}`] : []),
      ...(does?.kind === 'plan' && does.executor.role.includes('@far')
        ? [`executor ${does.executor.role}`]
        : []),
    ])

  it.each(tableOf<[string, string, string[]][]>(import.meta.url, 'movesAnother'))(
    'moves %s to another provider',
    (_, name, roles) => {
      expect(moved(`{ steps: { '${name}': { provider: far } } }`)).toEqual(roles)
    },
  )

  it('uses the most specific name, and its own provider for all that is not named', () => {
    expect(
      moved(
        '{ provider: far, steps: { f: { provider: near }, "p::f::join": { provider: far }, e: { provider: near } } }',
      ),
    ).toEqual(['a maker@far', 'p::f::join maker@far'])
  })

  it('leaves out the model of an agent that it moves, and names only the providers that are used', () => {
    expect(planOf(text('{}')).steps[0]).toMatchObject({ role: 'maker', provider: 'near', model: 'medium' })
    const plan = planOf(text('{ provider: far }'))
    expect(plan.steps[0]).toMatchObject({ role: 'maker@far', provider: 'far' })
    expect(plan.steps[0]).not.toHaveProperty('model')
    expect(Object.keys(plan.providers)).toEqual(['far'])
  })

  it('gives a step to another agent, with its own instructions and provider', () => {
    const plan = planOf(text('{ provider: far, steps: { "p::f::x::s": { agent: chief } } }'))
    expect(plan.steps.find(({ id }) => id === 'p::f::x::s')).toMatchObject({
      ...{ task: 'make', agent: 'chief', role: 'chief', work: 'decide', provider: 'near' },
    })
  })
})

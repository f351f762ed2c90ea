import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { planDot } from '../../../src/reports/drawing/dot.ts'
import { planMermaid } from '../../../src/reports/drawing/mermaid.ts'
import { planText } from '../../../src/reports/drawing/plan-text.ts'
import { safeLine } from '../../../src/reports/words/safe-text.ts'
import { type GraphPart, GraphPlan, type PlanStep } from '../../../src/schema/graph/plan.ts'
import { canonicalJson } from '../../../src/text/canonical-json.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { readGraphDocument } from '../../../src/workflows/document/read-graph.ts'
import { compilePlan } from '../../../src/workflows/graph/compile-plan.ts'
import { documentOf, planOf } from '../../helpers/graph/documents.ts'
import { readDot, readMermaid } from '../../helpers/graph/read-diagrams.ts'
import { planOf as planOfSteps, planStep, workOf } from '../../helpers/runs/graph-plans.ts'

/** Returns a step of the role `writer`. */
const writerStep = (id: string, needs: string[] = [], more: Partial<PlanStep> = {}): PlanStep =>
  planStep(id, needs, { task: 'write', agent: 'writer', role: 'writer', ...more })

/** Returns a plan of these steps, with a digest as long as a real one. */
const drawnPlan = (steps: PlanStep[], more: Partial<GraphPlan> = {}): GraphPlan =>
  planOfSteps(steps, { name: 'example', digest: 'd1'.repeat(32), ...more })

const work = workOf({ task: 'write' })

/** A plan with a planner, a boss, a referee and a debate within a branch. */
const mixedPlan = (): GraphPlan => {
  const fork: GraphPart = { pattern: 'f', kind: 'fork_join' }
  const talk = (turn?: number): GraphPart[] => [
    fork,
    { pattern: 'f.left.talk', kind: 'debate', ...(turn && { turn }), ...(!turn && { joins: true }) },
  ]
  const planning: GraphPart[] = [{ pattern: 'work', kind: 'planner_executor' }]
  const leading = (turn: number): GraphPart[] => [{ pattern: 'lead', kind: 'hierarchical', turn }]
  const says = (name: string, round: number) => `p::f::left.talk::${name}::r${round}`
  const names = ['ann', 'bob', 'cem']
  const round = (turn: number, needs: string[]) =>
    names.map((name) =>
      writerStep(says(name, turn), needs, { parts: talk(turn), role: 'debater@fast', provider: 'fast' }),
    )
  const boss = (turn: number) => ({
    kind: 'assign' as const,
    ...{ prefix: 'p::lead::', round: turn, rounds: turn, max: 4, boss: { ...work, role: 'boss' } },
    workers: { coder: { ...work, role: 'coder' }, tester: { ...work, role: 'tester' } },
    before: [turn === 1 ? 'p::lead::boss::r2' : 'p::lead::finish'],
  })
  const judge = 'p::f::left.talk::judge'
  return drawnPlan(
    [
      writerStep('draft', [], { retries: 2, timeout_ms: 30_000, tools: ['files'] }),
      ...round(1, ['draft']),
      ...round(
        2,
        names.map((name) => says(name, 1)),
      ),
      writerStep(
        judge,
        names.map((name) => says(name, 2)),
        { parts: talk(), work: 'judge' },
      ),
      writerStep('p::f::right::check', ['draft'], {
        parts: [fork],
        work: 'summarise',
        on_failure: 'continue',
      }),
      writerStep('p::f::join', [judge, 'p::f::right::check'], {
        parts: [{ ...fork, joins: true }],
        conflict: 'merge',
      }),
      writerStep('p::work::plan', ['p::f::join'], {
        parts: planning,
        work: 'decide',
        does: {
          kind: 'plan',
          ...{
            prefix: 'p::work::execute::',
            max: 5,
            order: 'sequential',
            executor: { ...work, role: 'executor' },
          },
          before: ['p::work::finish'],
        },
      }),
      writerStep('p::work::finish', ['p::work::plan'], { parts: planning }),
      writerStep('p::lead::boss::r1', ['p::work::finish'], {
        parts: leading(1),
        work: 'decide',
        does: boss(1),
      }),
      writerStep('p::lead::boss::r2', ['p::lead::boss::r1'], {
        parts: leading(2),
        work: 'decide',
        does: boss(2),
      }),
      writerStep('p::lead::finish', ['p::lead::boss::r2'], {
        parts: [{ pattern: 'lead', kind: 'hierarchical', joins: true }],
      }),
      writerStep('choose', ['p::lead::finish', 'draft'], {
        work: 'judge',
        does: { kind: 'choose', candidates: { first: 'draft', last: 'p::lead::finish' } },
      }),
    ],
    {
      answer: 'choose',
      providers: {
        fast: { kind: 'local_ollama', config: { model: 'llama3.2' } },
        far: { kind: 'http_remote', config: { base_url: 'http://127.0.0.1:9/v1', model: 'm' } },
        any: { kind: 'bench_agent', config: { agent: 'simulated' } },
      },
    },
  )
}

const languages = [
  { name: 'Mermaid', draw: planMermaid, read: readMermaid, box: 'p' },
  { name: 'DOT', draw: planDot, read: readDot, box: 'cluster_p' },
]

const hostile = [
  ...['"quo"te"', 'a[b](c){d}|e|', 'end', 'subgraph', 'graph', '</div><script>alert(1)</script>', '<br/>'],
  ...['line\none\r\ntwo', '#35; &amp; &lt;b&gt; &#34;', 'style x: y# z;', 'classDef: #;', 'p::style::a#'],
  ...[
    '`md` **b** __c__',
    '_a_',
    '1. list',
    '1.',
    '- item',
    '---',
    '+',
    '%% note',
    '%%{init: {"theme":"dark"}}%%',
  ],
  ...['\\', '\\"', 'a\\nb', '\\N', '"]; s1-->s2["', '"]; a -> b ["', 'a;b', "it's", '日本 𝒳 é', ''],
  ...[
    '\u001b[31m\u0007',
    '\u202eabc',
    '\u2028',
    'writer@a.com',
    'www.a.b',
    'http://x.y',
    'click s1 "javascript:1"',
  ],
]

describe.each(languages)('a plan in $name', ({ draw, read, box }) => {
  it('has a node for each step, an arrow for each need, and nested boxes for patterns', () => {
    const { labels, edges, boxes, title } = read(draw(mixedPlan()))
    expect(title).toBe('example, workflow main')
    const keyOf = (id: string) => [...labels].find(([, [first]]) => first === id)?.[0]
    for (const { id } of mixedPlan().steps) expect(keyOf(id), id).toBeDefined()
    expect(labels.get('s2')).toEqual(['p::f::left.talk::ann::r1', 'debater@fast'])
    expect([...boxes.values()].map((one) => one.title)).toEqual([
      'fork_join f',
      'debate f.left.talk',
      'planner_executor work',
      'hierarchical lead',
    ])
    expect(boxes.get(`${box}1`)?.content).toEqual([`${box}2`, 's9', 's10'])
    expect(boxes.get(`${box}2`)?.content).toContain('s8')
    expect(edges).toContainEqual(['s1', 's2'])
    expect(edges).toContainEqual(['s8', 's10'])
  })

  it('draws the steps that are added at run time, with their maximum, between their giver and who waits for them', () => {
    const { labels, edges } = read(draw(mixedPlan()))
    expect(labels.get('s11a1')).toEqual([
      'p::work::execute::01 … 05',
      'executor',
      'up to 5, one after another',
    ])
    expect(labels.get('s14a2')?.[0]).toBe('p::lead::tester::r2_1 … r2_4')
    for (const edge of [
      ['s11', 's11a1'],
      ['s11a1', 's12'],
      ['s13', 's13a2'],
      ['s13a2', 's14'],
    ])
      expect(edges).toContainEqual(edge)
  })

  it.each(hostile)('writes %j as a label that reads the same', (text) => {
    const part: GraphPart = { pattern: text, kind: 'linear' }
    const steps = [
      writerStep(text, [], { role: text, parts: [part] }),
      writerStep('b', [text], { role: 'judge', work: 'judge', provider: text }),
    ]
    const { labels, boxes, edges } = read(draw(drawnPlan(steps, { name: text, answer: text })))
    const shown = safeLine(text)
    expect(labels.get('s1')).toEqual([shown, shown])
    expect(labels.get('s2')).toEqual(['b', `judge on ${shown}`])
    expect([...boxes.values()].map(({ title }) => title)).toEqual([`linear ${shown}`])
    expect(edges).toEqual([['s1', 's2']])
  })

  it('shortens long labels in their middle', () => {
    const long = `begin${'x'.repeat(5000)}end`
    const [first = ''] = read(draw(drawnPlan([writerStep(long)]))).labels.get('s1') ?? []
    expect(first).toMatch(/^beginx+ … x+end$/)
    expect(first.length).toBeLessThanOrEqual(120)
  })

  it('draws a large debate with fewer arrows than Mermaid allows', () => {
    const names = Array.from({ length: 20 }, (_, i) => `d${i}`)
    const round = (turn: number) =>
      names.map((name) =>
        writerStep(`${name}.${turn}`, turn === 1 ? [] : names.map((one) => `${one}.${turn - 1}`)),
      )
    const plan = drawnPlan(Array.from({ length: 10 }, (_, i) => round(i + 1)).flat())
    const { edges, labels } = read(draw(plan))
    expect(labels.size).toBe(200 + 9)
    expect(edges.length).toBe(9 * 40)
    // Mermaid refuses more than 500 arrows and more than 50,000 characters.
    expect(draw(plan).length).toBeLessThan(50_000)
  })

  it('has the same bytes each time', () => {
    expect(draw(mixedPlan())).toBe(draw(mixedPlan()))
    expect(draw(structuredClone(mixedPlan()))).toBe(draw(mixedPlan()))
  })

  it('refuses a plan that names a step which it does not have', () => {
    expect(() => draw(drawnPlan([writerStep('a', ['gone'])]))).toThrow('the plan has no step gone')
  })
})

it('a plan in DOT names its font for the title, the nodes and the arrows', () => {
  expect(readDot(planDot(mixedPlan())).fonts).toEqual(Array(3).fill('"Helvetica,Arial,sans-serif"'))
})

const folder = join(packageRoot(), 'strategies/dag')

it.each(readdirSync(folder))('%s is a plan in every format', (file) => {
  const problems: Problem[] = []
  const read = readGraphDocument(readFileSync(join(folder, file), 'utf8'), file, problems, {
    read: () => 'text',
  })
  expect(problems).toEqual([])
  if (!read) return
  const { document, workflows } = read
  for (const workflow of [undefined, ...workflows]) {
    const plan = compilePlan(document, workflow)
    expect(GraphPlan.parse(JSON.parse(canonicalJson(plan)))).toEqual(plan)
    expect(planText(plan)).toContain(plan.digest)
    const { labels } = readMermaid(planMermaid(plan))
    expect(readDot(planDot(plan)).labels).toEqual(labels)
    const ids = [...labels.values()].map(([id]) => id)
    expect(ids).toEqual(expect.arrayContaining(plan.steps.map(({ id }) => id)))
  }
})

const rowOf = (text: string, id: string) => text.split('\n').find((line) => line.includes(`  ${id} `)) ?? ''

it('a plan as text says what holds for all steps', () => {
  const text = planText({ ...mixedPlan(), input: 'Some\nwords.', seed: 7, conflict: 'merge' })
  expect(text).toMatch(/^Plan of example, workflow main\n/)
  for (const line of [
    /^ {2}Digest +(?:d1){32}$/m,
    /^ {2}Seed +7$/m,
    /^ {2}Concurrency +at most 4 steps at the same time$/m,
    /^ {2}Conflicts +merge/m,
    /^ {2}Input +11 characters: "Some\\nwords\."$/m,
    /^ {2}Answer +the reply of choose$/m,
    /^ {2}Providers +fast: local_ollama llama3\.2$/m,
    /^ +far: http_remote m at http:\/\/127\.0\.0\.1:9\/v1$/m,
    /^ +any: bench_agent simulated$/m,
    /16 steps on at most 18 levels, and at most 13 more at run time/,
  ])
    expect(text).toMatch(line)
})

it('a plan as text has a row for each step, with its needs as numbers of rows', () => {
  const text = planText(mixedPlan())
  expect(rowOf(text, 'draft')).toMatch(
    /^ +1 +1 +draft +write +writer +produce +the run's agent +- +fail +timeout 30\.0 s; 2 retries; tools files$/,
  )
  expect(rowOf(text, 'p::f::left.talk::bob::r2')).toMatch(
    / 6 +3 .* debater@fast +produce +fast +2-4 +fail +fork_join > debate round 2$/,
  )
  expect(rowOf(text, 'p::f::right::check')).toMatch(/summarise .* continue +fork_join$/)
  expect(rowOf(text, 'p::f::join')).toMatch(/ 8-9 +fail +fork_join joins; conflict merge$/)
  expect(rowOf(text, 'choose')).toMatch(/ 1, 15 +fail +answer; names one of first, last$/)
})

it('a plan as text shows the steps that are added at run time with their maximum, and counts them for the levels', () => {
  const text = planText(mixedPlan())
  expect(rowOf(text, 'p::work::execute::01 … 05')).toMatch(
    /^ +\+ .* executor .* 11 .* up to 5, one after another$/,
  )
  expect(rowOf(text, 'p::lead::coder::r1_1 … r1_4')).toMatch(/ up to 4, counted with the other workers$/)
  expect(rowOf(text, 'p::work::plan')).toMatch(/^ +11 +6 /)
  expect(rowOf(text, 'p::work::finish')).toMatch(/^ +12 +12 /)
})

describe('a boss who may give tasks again', () => {
  const rounds = (count: number) =>
    planOf(
      documentOf(
        `- { pattern: planner_executor, id: p, planner: plan, executor: make, max_steps: 8 }
- { pattern: hierarchical, id: h, boss: plan, workers: { a: make, b: make }, rounds: ${count}, finish: make }`,
      ),
    )

  it('counts each further round, itself and its tasks, as the limit of steps does', () => {
    expect(planText(rounds(1))).toContain('3 steps on at most 12 levels, and at most 12 more at run time.')
    expect(planText(rounds(2))).toContain('3 steps on at most 14 levels, and at most 17 more at run time.')
    expect(planText(rounds(5))).toContain('and at most 32 more at run time.')
  })

  it('has a row that says that a round may follow', () => {
    const text = planText(rounds(3))
    expect(rowOf(text, 'p::h::b::r1_1 … r3_4')).toMatch(/ up to 4 a round, counted with the other workers$/)
    expect(rowOf(text, 'p::h::boss::r2 … r3')).toMatch(
      / chief .* 2 .* up to 2 further rounds, while it gives tasks$/,
    )
    expect(rowOf(planText(rounds(2)), 'p::h::boss::r2')).toMatch(/ a further round, if it gives tasks$/)
  })

  it.each(languages)(
    'is drawn behind the tasks that it reads, and before those that it gives, in $name',
    ({ draw, read }) => {
      const { labels, edges } = read(draw(rounds(3)))
      expect(labels.get('s2a3')?.[0]).toBe('p::h::boss::r2 … r3')
      for (const edge of [
        ...[
          ['s2', 's2a1'],
          ['s2a1', 's2a3'],
          ['s2a3', 's2a1'],
          ['s2a3', 's2a2'],
          ['s2a3', 's3'],
          ['s2a1', 's3'],
        ],
      ])
        expect(edges).toContainEqual(edge)
      expect(edges).not.toContainEqual(['s2', 's2a3'])
    },
  )
})

it('a plan of 200 steps has a line for each, and one long id does not widen the others', () => {
  const ids = Array.from({ length: 200 }, (_, i) => `step${i + 1}`)
  const long = 'x'.repeat(300)
  const steps = ids.map((id, i) => writerStep(id, ids.slice(Math.max(0, i - 50), i)))
  const lines = planText(drawnPlan([...steps, writerStep(long, ids)])).split('\n')
  const table = lines.slice(lines.findIndex((line) => line.includes('on failure')) + 1, -1)
  expect(table).toHaveLength(201)
  expect(Math.max(...table.slice(0, 200).map(({ length }) => length))).toBeLessThan(100)
  expect(table[199]).toMatch(/200 +200 +step200 .* 150-199 /)
  expect(table[200]).toContain(` ${long} `)
})

it('a plan as text shows no control characters, and leaves out columns without content', () => {
  const text = planText(drawnPlan([writerStep('a')], { name: 'x\u001b[2J\n\u202ey', workflow: 'w\r' }))
  expect(text).toContain('Plan of x\\x1b[2J\\n\\u202ey, workflow w\\x0d')
  expect(text).not.toMatch(/provider|notes|at run time/i)
})

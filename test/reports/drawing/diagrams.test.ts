import { describe, expect, it } from 'vitest'
import { planDot } from '../../../src/reports/drawing/dot.ts'
import { planMermaid } from '../../../src/reports/drawing/mermaid.ts'
import { safeLine } from '../../../src/reports/words/safe-text.ts'
import type { GraphPart } from '../../../src/schema/graph/plan.ts'
import { readDot, readMermaid } from '../../helpers/graph/read-diagrams.ts'
import { drawnPlan, mixedPlan, writerStep } from '../../helpers/runs/drawn-plans.ts'

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

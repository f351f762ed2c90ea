import { describe, expect, it } from 'vitest'
import { planDot } from '../../../src/reports/drawing/dot.ts'
import { planMermaid } from '../../../src/reports/drawing/mermaid.ts'
import { planText } from '../../../src/reports/drawing/plan-text.ts'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { askStep } from '../../../src/workflows/graph/ask-step.ts'
import { dag } from '../../../strategies/dag.ts'
import { planOf } from '../../helpers/graph/documents.ts'
import { documentWith } from '../../helpers/graph/tool-documents.ts'

describe('the tools of a plan', () => {
  it('are those that its steps use, with their whole configuration', () => {
    const plan = planOf(documentWith({ maker: 'words, notes', critic: 'look' }))
    expect(plan.tools).toEqual({
      look: { id: 'look', kind: 'workspace', config: { allow: ['read', 'check'] } },
      notes: { id: 'notes', kind: 'memory', config: {} },
      words: {
        ...{ id: 'words', kind: 'mcp' },
        config: {
          ...{ command: ['node', 'words.mjs'], allow: ['count', 'find'], files: [], env: {} },
          ...{ workspace: false, stateless: false, timeout_ms: 30_000, max_bytes: 1_048_576 },
        },
      },
    })
    expect(GraphPlan.parse(plan)).toEqual(plan)
  })

  it('are narrowed by a task', () => {
    const plan = planOf(documentWith({ maker: 'files, notes', make: 'notes' }))
    expect(plan.steps.map((step) => step.tools)).toEqual([['notes'], []])
    expect(Object.keys(plan.tools ?? {})).toEqual(['notes'])
  })

  it('are none where no step uses any, so such a plan says nothing of them', () => {
    expect(planOf(documentWith())).not.toHaveProperty('tools')
    expect(planOf(documentWith({ maker: 'files', make: '' }))).not.toHaveProperty('tools')
  })

  it('include those of steps that are added at run time', () => {
    const steps = `- { id: p, pattern: planner_executor, planner: judge, executor: make }
      - { id: h, pattern: hierarchical, boss: judge, workers: { w: make }, finish: { task: make } }`
    const text = documentWith({ maker: 'words', critic: 'notes', steps }).replace(
      'work: judge',
      'work: decide',
    )
    expect(Object.keys(planOf(text).tools ?? {})).toEqual(['notes', 'words'])
  })

  it('stay with a step that is moved to another provider, and are the agent’s where it goes to another agent', () => {
    const providers =
      'providers: { near: { kind: bench_agent, config: { agent: x } }, far: { kind: bench_agent, config: { agent: y } } }\n'
    const text = documentWith({
      maker: 'files',
      critic: 'look',
      run: ', placement: { steps: { a: { provider: far } } }',
    })
      .replace('maker: {', 'maker: { provider: near, ')
      .replace('critic: {', 'critic: { provider: near, ')
      .replace('agents:', `${providers}agents:`)
    expect(planOf(text).steps[0]).toMatchObject({ role: 'maker@far', tools: ['files'] })
    const other = documentWith({
      maker: 'files',
      critic: 'look',
      run: ', placement: { steps: { a: { agent: critic } } }',
    })
    expect(planOf(other.replace('- { id: b, task: judge }', '- { id: b, task: make }')).steps).toMatchObject([
      { role: 'critic', tools: ['look'] },
      { role: 'maker', tools: ['files'] },
    ])
  })

  it('are what dag declares as the tools of the method', () => {
    const plan = planOf(documentWith({ maker: 'notes' }))
    expect(dag.toolsOf?.({ workflow: 'x', plan })).toEqual(plan.tools)
    expect(dag.toolsOf?.({ workflow: 'x', plan: planOf(documentWith()) })).toEqual({})
  })

  it('are shown in the text and in both diagrams of bench plan', () => {
    const plan = planOf(documentWith({ maker: 'words, terms', critic: 'look, notes' }))
    const text = planText(plan)
    expect(text).toMatch(/^ {2}Tools +look: workspace, read, check$/m)
    expect(text).toMatch(/^ +notes: memory of the trial's notes$/m)
    expect(text).toMatch(/^ +terms: memory of the trial's notes and of terms\.md$/m)
    expect(text).toMatch(/^ +words: mcp server `node words\.mjs`, count, find$/m)
    expect(text).toMatch(/ 1 +1 +a .* tools words, terms$/m)
    expect(planMermaid(plan)).toContain('a<br/>maker<br/>tools words, terms')
    expect(planDot(plan)).toContain('"b\\ncritic\\ntools look, notes"')
  })

  it('show no values of a server’s variables', () => {
    const server =
      '\n  s: { kind: mcp, config: { command: [s], allow: [f], env: { PLACE: hidden-value } } }\n'
    const plan = planOf(documentWith({ tools: server, maker: 's' }))
    for (const shown of [planText(plan), planMermaid(plan), planDot(plan)])
      expect(shown).not.toContain('hidden-value')
  })
})

describe('the steps of a plan', () => {
  it('name their tools when they ask, and nothing where they have none', async () => {
    const plan = planOf(
      documentWith({ critic: 'look' })
        .replace('agent_ref: maker', 'agent_ref: solver')
        .replace('maker: {', 'solver: {'),
    )
    const { steps } = plan
    const asked: [string, readonly string[] | undefined][] = []
    const context = {
      instruction: 'Do it.',
      workspace: { list: () => [], diff: () => '', read: () => undefined },
      label: () => undefined,
      ask: async (role: string, _: string, options: { tools?: readonly string[] }) => {
        asked.push([role, options.tools])
        return 'done'
      },
    }
    for (const step of steps) await askStep(context as never, step, { prompt: 'p', show: undefined })
    expect(asked).toEqual([
      ['solver', undefined],
      ['critic', ['look']],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { readGraphDocument } from '../../../src/orchestration/graph/read-document.ts'
import { askStep } from '../../../src/orchestration/graph/run/ask-step.ts'
import { planDot } from '../../../src/reports/plan/dot.ts'
import { planMermaid } from '../../../src/reports/plan/mermaid.ts'
import { planText } from '../../../src/reports/plan/text.ts'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { dag } from '../../../strategies/dag.ts'
import { planOf, problemsOf } from '../../helpers/graph/documents.ts'

const tools = `
  files: { kind: workspace, config: { allow: [read, list, write] } }
  look: { kind: workspace, config: { allow: [read, check] } }
  notes: { kind: memory }
  terms: { kind: memory, config: { file: terms.md } }
  words: { kind: mcp, config: { command: [node, words.mjs], allow: [find, count] } }
`

interface Parts {
  tools?: string
  maker?: string
  critic?: string
  make?: string
  steps?: string
  run?: string
}

const documentOf = (parts: Parts = {}) => `version: "0.5"
tools:${parts.tools ?? tools}
agents:
  maker: { tools: [${parts.maker ?? ''}] }
  critic: { work: judge, tools: [${parts.critic ?? ''}] }
tasks:
  make: { agent_ref: maker, prompt: Do the task.${parts.make === undefined ? '' : `, tools: [${parts.make}]`} }
  judge: { agent_ref: critic, prompt: Judge the work. }
workflows:
  main:
    steps:
      ${parts.steps ?? '- { id: a, task: make }\n      - { id: b, task: judge }'}
run: { workflow_ref: main${parts.run ?? ''} }
`

describe('the tools of a plan', () => {
  it('are those that its steps use, with their whole configuration', () => {
    const plan = planOf(documentOf({ maker: 'words, notes', critic: 'look' }))
    expect(plan.tools).toEqual({
      look: { id: 'look', kind: 'workspace', config: { allow: ['read', 'check'] } },
      notes: { id: 'notes', kind: 'memory', config: {} },
      words: {
        ...{ id: 'words', kind: 'mcp' },
        config: {
          ...{ command: ['node', 'words.mjs'], allow: ['find', 'count'], files: [], env: {} },
          ...{ workspace: false, stateless: false, timeout_ms: 30_000, max_bytes: 1_048_576 },
        },
      },
    })
    expect(GraphPlan.parse(plan)).toEqual(plan)
  })

  it('are narrowed by a task', () => {
    const plan = planOf(documentOf({ maker: 'files, notes', make: 'notes' }))
    expect(plan.steps.map((step) => step.tools)).toEqual([['notes'], []])
    expect(Object.keys(plan.tools ?? {})).toEqual(['notes'])
  })

  it('are none where no step uses any, so such a plan says nothing of them', () => {
    expect(planOf(documentOf())).not.toHaveProperty('tools')
    expect(planOf(documentOf({ maker: 'files', make: '' }))).not.toHaveProperty('tools')
  })

  it('include those of steps that are added at run time', () => {
    const steps = `- { id: p, pattern: planner_executor, planner: judge, executor: make }
      - { id: h, pattern: hierarchical, boss: judge, workers: { w: make }, finish: { task: make } }`
    const text = documentOf({ maker: 'words', critic: 'notes', steps }).replace('work: judge', 'work: decide')
    expect(Object.keys(planOf(text).tools ?? {})).toEqual(['notes', 'words'])
  })

  it('stay with a step that is moved to another provider, and are the agent’s where it goes to another agent', () => {
    const providers =
      'providers: { near: { kind: bench_agent, config: { agent: x } }, far: { kind: bench_agent, config: { agent: y } } }\n'
    const text = documentOf({
      maker: 'files',
      critic: 'look',
      run: ', placement: { steps: { a: { provider: far } } }',
    })
      .replace('maker: {', 'maker: { provider: near, ')
      .replace('critic: {', 'critic: { provider: near, ')
      .replace('agents:', `${providers}agents:`)
    expect(planOf(text).steps[0]).toMatchObject({ role: 'maker@far', tools: ['files'] })
    const other = documentOf({
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
    const plan = planOf(documentOf({ maker: 'notes' }))
    expect(dag.toolsOf?.({ workflow: 'x', plan })).toEqual(plan.tools)
    expect(dag.toolsOf?.({ workflow: 'x', plan: planOf(documentOf()) })).toEqual({})
  })

  it('are shown in the text and in both diagrams of bench plan', () => {
    const plan = planOf(documentOf({ maker: 'words, terms', critic: 'look, notes' }))
    const text = planText(plan)
    expect(text).toMatch(/^ {2}Tools +look: workspace, read, check$/m)
    expect(text).toMatch(/^ +notes: memory of the trial's notes$/m)
    expect(text).toMatch(/^ +terms: memory of the trial's notes and of terms\.md$/m)
    expect(text).toMatch(/^ +words: mcp server `node words\.mjs`, find, count$/m)
    expect(text).toMatch(/ 1 +1 +a .* tools words, terms$/m)
    expect(planMermaid(plan)).toContain('a<br/>maker<br/>tools words, terms')
    expect(planDot(plan)).toContain('"b\\ncritic\\ntools look, notes"')
  })

  it('show no values of a server’s variables', () => {
    const server =
      '\n  s: { kind: mcp, config: { command: [s], allow: [f], env: { PLACE: hidden-value } } }\n'
    const plan = planOf(documentOf({ tools: server, maker: 's' }))
    for (const shown of [planText(plan), planMermaid(plan), planDot(plan)])
      expect(shown).not.toContain('hidden-value')
  })
})

describe('the steps of a plan', () => {
  it('name their tools when they ask, and nothing where they have none', async () => {
    const plan = planOf(
      documentOf({ critic: 'look' })
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

describe('a document whose tools have mistakes', () => {
  it.each<[string, Parts, string[]]>([
    [
      'a judge that may write',
      { critic: 'look, files' },
      [
        '[graph.yaml:11:40 agents.critic.tools.1] allows write, but agent "critic" has work: judge, and only work: produce changes files. Define another tool for it, with allow: [read, list].',
      ],
    ],
    [
      'a judge that may do nothing but write',
      { tools: '\n  pen: { kind: workspace, config: { allow: [write] } }\n', critic: 'pen' },
      [
        '[graph.yaml:7:34 agents.critic.tools.0] allows write, but agent "critic" has work: judge, and only work: produce changes files. Remove it from the agent, or set work: produce.',
      ],
    ],
    [
      'two memories of one agent',
      { maker: 'notes, terms' },
      [
        '[graph.yaml:10:27 agents.maker.tools.1] gives the agent a second function "memory_store"; it already has that of tool "notes". Give it one memory.',
      ],
    ],
    [
      'two memories of one task',
      { maker: 'files, notes, terms', make: 'terms, notes' },
      [
        '[graph.yaml:13:66 tasks.make.tools.1] gives the agent a second function "memory_store"; it already has that of tool "terms". Give it one memory.',
      ],
    ],
    [
      'servers whose functions get one name',
      {
        tools:
          '\n  a.b: { kind: mcp, config: { command: [s], allow: [f] } }\n  a_b: { kind: mcp, config: { command: [s], allow: [g, f] } }\n',
        maker: 'a.b, a_b',
      },
      [
        '[graph.yaml:7:25 agents.maker.tools.1] gives the agent a second function "a_b__f"; it already has that of tool "a.b". Rename one of the two tools.',
      ],
    ],
    [
      'fields of all kinds',
      {
        tools: `
  a: { kind: workspace, config: { allow: [read, read, delete] } }
  b: { kind: workspace, config: { allow: [] } }
  c: { kind: mcp, config: { command: [], allow: [f, f], files: [x, y, x], env: { 1X: a, EXAMPLE_API_KEY: abcdefgh12345678 }, timeout_ms: 0, stateles: true } }
  d: { kind: mcp, config: { allow: [f] } }
  e: { kind: memory, config: { path: x } }
  f: { kind: memo }
  g: { kind: workspace }
`,
      },
      [
        '[graph.yaml:3:49 tools.a.config.allow.1] names "read" twice. Remove it.',
        '[graph.yaml:3:55 tools.a.config.allow.2] "delete" is not allowed. Use one of read, list, write, check.',
        '[graph.yaml:4:35 tools.b.config.allow] must have at least 1 item(s). Write `allow:` with a list of names.',
        '[graph.yaml:5:29 tools.c.config.command] must have at least 1 item(s). Write `command:` with a program and its arguments, such as `[node, server.mjs]`.',
        '[graph.yaml:5:53 tools.c.config.allow.1] names "f" twice. Remove it.',
        '[graph.yaml:5:71 tools.c.config.files.2] names "x" twice. Remove it.',
        '[graph.yaml:5:82 tools.c.config.env.1X] is not the name of an environment variable. Use letters, digits and underscores, and do not begin with a digit.',
        '[graph.yaml:5:89 tools.c.config.env.EXAMPLE_API_KEY] would give its server the key EXAMPLE_API_KEY; no server of tools gets a key. Remove it. The server runs in the sandbox, without a network.',
        '[graph.yaml:5:126 tools.c.config.timeout_ms] must be more than 0.',
        '[graph.yaml:5:141 tools.c.config.stateles] is not a known field. Did you mean stateless?',
        '[graph.yaml:6:19 tools.d.config.command] is missing. Write `command:` with a program and its arguments, such as `[node, server.mjs]`.',
        '[graph.yaml:7:32 tools.e.config.path] is not a known field. Use one of file.',
        '[graph.yaml:8:8 tools.f.kind] "memo" is not a known kind. Did you mean memory?',
        '[graph.yaml:9:3 tools.g.config] is missing. Write `config:` with what the kind needs.',
      ],
    ],
    [
      'the memory of another program',
      { maker: '', tools: tools.replace('notes: {', 'notes: { memory: true,') },
      [
        '[graph.yaml:5:12 tools.notes.memory] is not a known field. Remove it; a step reads the steps that it needs. For notes, give the agent a tool of kind memory.',
      ],
    ],
  ])('is refused with all of them: %s', (_, parts, problems) => {
    expect(problemsOf(documentOf(parts))).toEqual(problems)
  })

  it('shows no value of a server’s variables in its problems', () => {
    const found: Problem[] = []
    const server =
      '\n  s: { kind: mcp, config: { command: [s], allow: [f], env: { MY_TOKEN: abcdefgh12345678 } } }\n'
    readGraphDocument(documentOf({ tools: server }), 'g.yaml', found, { read: () => undefined })
    expect(found.map(formatProblem).join()).toContain('MY_TOKEN')
    expect(found.map(formatProblem).join()).not.toContain('abcdefgh')
  })

  it('is none where an agent’s memories are divided among its tasks', () => {
    const text = documentOf({ maker: 'notes, terms', make: 'notes' })
    expect(problemsOf(text)).toEqual([])
  })

  it('is none where two tools allow the same of the workspace', () => {
    expect(problemsOf(documentOf({ maker: 'files, look' }))).toEqual([])
  })
})

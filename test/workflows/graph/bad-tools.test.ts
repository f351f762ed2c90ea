import { describe, expect, it } from 'vitest'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { readGraphDocument } from '../../../src/workflows/document/read-graph.ts'
import { problemsOf } from '../../helpers/graph/documents.ts'
import { documentWith, type Parts, tools } from '../../helpers/graph/tool-documents.ts'

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
    expect(problemsOf(documentWith(parts))).toEqual(problems)
  })

  it('shows no value of a server’s variables in its problems', () => {
    const found: Problem[] = []
    const server =
      '\n  s: { kind: mcp, config: { command: [s], allow: [f], env: { MY_TOKEN: abcdefgh12345678 } } }\n'
    readGraphDocument(documentWith({ tools: server }), 'g.yaml', found, { read: () => undefined })
    expect(found.map(formatProblem).join()).toContain('MY_TOKEN')
    expect(found.map(formatProblem).join()).not.toContain('abcdefgh')
  })
})

it('a document may divide the memories of an agent among its tasks', () => {
  const text = documentWith({ maker: 'notes, terms', make: 'notes' })
  expect(problemsOf(text)).toEqual([])
})

it('a document may give an agent two tools that allow the same of the workspace', () => {
  expect(problemsOf(documentWith({ maker: 'files, look' }))).toEqual([])
})

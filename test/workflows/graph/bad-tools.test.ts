import { describe, expect, it } from 'vitest'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { readGraphDocument } from '../../../src/workflows/document/read-graph.ts'
import { problemsOf } from '../../helpers/graph/documents.ts'
import { inShort } from '../../helpers/graph/in-short.ts'
import { documentWith, type Parts, tools } from '../../helpers/graph/tool-documents.ts'

describe('a document whose tools have mistakes', () => {
  it.each<[string, Parts, string[]]>([
    [
      'a judge that may write',
      { critic: 'look, files' },
      ['11:40 agents.critic.tools.1: allows write, but agent "critic"'],
    ],
    [
      'a judge that may do nothing but write',
      { tools: '\n  pen: { kind: workspace, config: { allow: [write] } }\n', critic: 'pen' },
      ['7:34 agents.critic.tools.0: allows write, but agent "critic"'],
    ],
    [
      'two memories of one agent',
      { maker: 'notes, terms' },
      ['10:27 agents.maker.tools.1: gives the agent a second'],
    ],
    [
      'two memories of one task',
      { maker: 'files, notes, terms', make: 'terms, notes' },
      ['13:66 tasks.make.tools.1: gives the agent a second'],
    ],
    [
      'servers whose functions get one name',
      {
        tools:
          '\n  a.b: { kind: mcp, config: { command: [s], allow: [f] } }\n  a_b: { kind: mcp, config: { command: [s], allow: [g, f] } }\n',
        maker: 'a.b, a_b',
      },
      ['7:25 agents.maker.tools.1: gives the agent a second'],
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
        '3:49 tools.a.config.allow.1: names "read" twice',
        '3:55 tools.a.config.allow.2: "delete" is not allowed',
        '4:35 tools.b.config.allow: must have at least 1',
        '5:29 tools.c.config.command: must have at least 1',
        '5:53 tools.c.config.allow.1: names "f" twice',
        '5:71 tools.c.config.files.2: names "x" twice',
        '5:82 tools.c.config.env.1X: is not the name of',
        '5:89 tools.c.config.env.EXAMPLE_API_KEY: would give its server the',
        '5:126 tools.c.config.timeout_ms: must be more than 0',
        '5:141 tools.c.config.stateles: is not a known field',
        '6:19 tools.d.config.command: is missing',
        '7:32 tools.e.config.path: is not a known field',
        '8:8 tools.f.kind: "memo" is not a known',
        '9:3 tools.g.config: is missing',
      ],
    ],
    [
      'the memory of another program',
      { maker: '', tools: tools.replace('notes: {', 'notes: { memory: true,') },
      ['5:12 tools.notes.memory: is not a known field'],
    ],
  ])('is refused with all of them: %s', (_, parts, problems) => {
    expect(problemsOf(documentWith(parts), {}, 'g.yaml', inShort)).toEqual(problems)
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

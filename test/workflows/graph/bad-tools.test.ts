import { describe, expect, it } from 'vitest'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { readGraphDocument } from '../../../src/workflows/document/read-graph.ts'
import { problemsOf } from '../../helpers/graph/documents.ts'
import { inShort } from '../../helpers/graph/in-short.ts'
import { documentWith, type Parts, tools } from '../../helpers/graph/tool-documents.ts'

describe('a document whose tools have mistakes', () => {
  it.each<[string, Parts]>([
    ['a judge that may write', { critic: 'look, files' }],
    [
      'a judge that may do nothing but write',
      { tools: '\n  pen: { kind: workspace, config: { allow: [write] } }\n', critic: 'pen' },
    ],
    ['two memories of one agent', { maker: 'notes, terms' }],
    ['two memories of one task', { maker: 'files, notes, terms', make: 'terms, notes' }],
    [
      'servers whose functions get one name',
      {
        tools:
          '\n  a.b: { kind: mcp, config: { command: [s], allow: [f] } }\n  a_b: { kind: mcp, config: { command: [s], allow: [g, f] } }\n',
        maker: 'a.b, a_b',
      },
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
    ],
    [
      'the memory of another program',
      { maker: '', tools: tools.replace('notes: {', 'notes: { memory: true,') },
    ],
  ])('is refused with all of them: %s', (_, parts) => {
    expect(problemsOf(documentWith(parts), {}, 'g.yaml', inShort)).toMatchSnapshot()
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

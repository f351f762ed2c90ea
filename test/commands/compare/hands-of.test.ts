import { expect, it } from 'vitest'
import { handsText } from '../../../src/analysis/compare/hands.ts'
import { handsOf } from '../../../src/commands/compare/hands-of.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import type { ResolvedTool } from '../../../src/schema/tool/tool-set.ts'

const server = (version: string): ResolvedTool => ({
  ...{ kind: 'mcp', command: ['node', 'x'], files: [], env: {}, workspace: false, stateless: true },
  ...{ timeoutMs: 1, maxBytes: 1, server: { name: 's', version }, definitions: [] },
})
const read: ResolvedTool = { kind: 'workspace', allow: ['check', 'read'] }
const tools = (known: Record<string, ResolvedTool>, given = Object.keys(known), turns = 20) => ({
  ...{ known, given, turns },
})
type Method = Partial<RunManifest['methods'][number]>
const manifest = (methods: Method[], more: Partial<RunManifest> = {}) =>
  ({
    agents: { '*': 'anthropic:m' },
    methods: methods.map((method, i) => ({
      ...{ label: `m${i}`, strategy: 'baseline', options: { turns: 1 }, digest: 'd', roles: ['solver'] },
      ...method,
    })),
    ...more,
  }) as RunManifest
const texts = (run: RunManifest) => Object.values(handsOf(run)).map(handsText)

it('the tools of a row are named, or `none`', () => {
  const run = manifest([
    {},
    { tools: tools({ workspace: read, memory: { kind: 'memory' }, calc: server('1') }) },
  ])
  expect(texts(run)).toEqual(['none', 'read, check, calc, memory'])
})

it('a row whose agents call no tools has none, and one with a program has the program’s own', () => {
  const methods = ['oracle', 'no-op', 'claude-cli:m', 'fast=codex-cli:m', 'simulated', 'ollama:m'].map(
    (name, i) => ({
      ...{ label: `m${i}`, agents: { solver: name }, tools: tools({ workspace: read }) },
    }),
  )
  expect(texts(manifest(methods))).toEqual([
    ...['none', 'none', 'own tools of claude-cli', 'own tools of codex-cli', 'read, check', 'read, check'],
  ])
  const own = manifest([{ agents: { solver: 'own=cli:m' } }], {
    agentSettings: { 'own=cli:m': { program: { command: ['my-agent'] } } } as never,
  })
  expect(texts(own)).toEqual(['own tools of my-agent'])
})

it('given tools count only where an agent that calls tools produces work', () => {
  const agents = { auditor: 'anthropic:m', 'code-generator': 'claude-cli:m', refiner: 'claude-cli:m' }
  const method = {
    strategy: 'sequential',
    roles: Object.keys(agents),
    agents,
    tools: tools({ workspace: read }),
  }
  expect(texts(manifest([{ ...method, options: {} }]))[0]).toMatch(/^own tools of claude-cli$/)
})

it('rows are of one method if only their tools differ', () => {
  const run = manifest([{}, { tools: tools({ memory: { kind: 'memory' } }) }, { options: { turns: 2 } }])
  const { m0, m1, m2 } = handsOf(run)
  expect(m1?.method).toBe(m0?.method)
  expect(m2?.method).not.toBe(m0?.method)
  expect(m1?.tools).not.toBe(m0?.tools)
  expect(m2?.tools).toBe(m0?.tools)
})

it('tools are the same by their content: neither the id of workspace tools nor the turns count, versions do', () => {
  const toolsOf = (known: Record<string, ResolvedTool>, turns = 20) =>
    handsOf(manifest([{ tools: tools(known, Object.keys(known), turns) }])).m0?.tools
  expect(toolsOf({ workspace: read })).toBe(toolsOf({ look: read }, 5))
  expect(toolsOf({ calc: server('1') })).not.toBe(toolsOf({ calc: server('2') }))
})

it('each set of agents is a row of its own', () => {
  const sets = ['anthropic:m', 'claude-cli:m'].map((name, i) => ({ label: 'AB'[i], agents: { '*': name } }))
  const run = manifest([{ tools: tools({ workspace: read }) }], { agentSets: sets as never })
  expect(handsOf(run)).toMatchObject({
    'm0@A': { names: ['read', 'check'] },
    'm0@B': { names: ['own tools of claude-cli'] },
  })
})

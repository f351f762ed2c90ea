import { describe, expect, it } from 'vitest'
import { findToolDifference, toolsText } from '../../../src/analysis/compare/tools.ts'
import type { KindOfWork } from '../../../src/ask.ts'
import { toolsOf } from '../../../src/commands/compare/tools-of.ts'
import type { PlanStep } from '../../../src/schema/graph/plan.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import type { ResolvedTool } from '../../../src/schema/tool/tool-set.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { planOf, planStep } from '../../helpers/runs/graph-plans.ts'

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
const texts = (run: RunManifest) => Object.values(toolsOf(run)).map(toolsText)

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

describe('the own tools of a program of the config file', () => {
  const row = (...command: string[]) =>
    manifest([{ label: 'm0', agents: { solver: 'own=cli:m' } }], {
      agentSettings: { 'own=cli:m': { program: { command } } } as never,
    })
  const differenceOf = (a: string[], b: string[]) =>
    findToolDifference(toolsOf(row(...a)).m0, toolsOf(row(...b)).m0)

  it.each(tableOf<[string[], string[], string][]>(import.meta.url, 'differIts'))(
    'differ with its whole command: %j and %j',
    (a, b, text) => {
      expect(differenceOf(a, b)).toMatchObject({ text })
      expect(differenceOf(a, [...a])).toBeUndefined()
    },
  )

  it('are named by the first words of its command', () => {
    expect(texts(row('npx', '-y', 'agent-one', '--model', '{model}'))).toEqual(['own tools of npx agent-one'])
    expect(texts(row('a'.repeat(99)))[0]).toMatch(/^own tools of a+ … a+$/)
  })
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

const differ = (a: Method, b: Method) => {
  const { m0, m1 } = toolsOf(manifest([a, b]))
  return findToolDifference(m0, m1)
}

it('rows are of one method if only their tools differ', () => {
  const run = manifest([{}, { tools: tools({ memory: { kind: 'memory' } }) }, { options: { turns: 2 } }])
  const { m0, m1, m2 } = toolsOf(run)
  expect(m1?.method).toBe(m0?.method)
  expect(m2?.method).not.toBe(m0?.method)
  expect(findToolDifference(m0, m1)).toEqual({
    ...{ a: 'none', b: 'memory', text: 'the first has none; the second has memory', kind: 'compared' },
  })
  expect(findToolDifference(m0, m2)).toBeUndefined()
})

it('rows with other wordings are of other methods, so none is the noise of another', () => {
  const agents = { '*': 'anthropic:m' }
  const worded = (label: string, text?: string) => ({
    ...{ label, agents },
    ...(text !== undefined && { instructions: { file: `${label}.md`, text } }),
  })
  const agentSets = [worded('default'), worded('careful', 'Be careful.')]
  const rows = toolsOf(manifest([{ label: 'a' }, { label: 'again' }], { agentSets }))
  expect(rows['a@careful']?.method).toBe(rows['again@careful']?.method)
  expect(rows['a@careful']?.method).not.toBe(rows['a@default']?.method)
})

describe('tools are compared by their content', () => {
  const given = (known: Record<string, ResolvedTool>, turns = 20) => ({
    tools: tools(known, Object.keys(known), turns),
  })
  const memory = (digest: string): ResolvedTool => ({ kind: 'memory', file: { path: 'a.md', digest } })

  it('so other ids and other turns are no difference', () => {
    expect(
      differ(
        given({ workspace: read, memory: { kind: 'memory' } }),
        given({ look: read, notes: { kind: 'memory' } }, 5),
      ),
    ).toBeUndefined()
    expect(differ(given({ calc: server('1') }), given({ sums: server('1') }))).toBeUndefined()
    const two: ResolvedTool = { kind: 'workspace', allow: ['check'] }
    expect(
      differ(given({ a: read }), given({ a: { kind: 'workspace', allow: ['read'] }, b: two })),
    ).toBeUndefined()
  })

  it('a server or a file in another version is one, and the text says which', () => {
    expect(differ(given({ calc: server('1') }), given({ calc: server('2') }))?.text).toMatchSnapshot()
    expect(differ(given({ m: memory('x') }), given({ m: memory('y') }))?.text).toMatchSnapshot()
    expect(differ(given({ m: memory('x') }), given({ m: { kind: 'memory' } }))?.text).toMatchSnapshot()
  })

  it('what only one has is named', () => {
    const write: ResolvedTool = { kind: 'workspace', allow: ['read', 'list', 'write'] }
    expect(differ(given({ a: read }), given({ a: write }))?.text).toMatchSnapshot()
  })
})

describe('the tools of a document', () => {
  const all: ResolvedTool = { kind: 'workspace', allow: ['read', 'list', 'write', 'check'] }
  const baseline = { tools: tools({ workspace: all }) }
  const work = (role: string, kind: KindOfWork, ...ids: string[]) =>
    planStep(role, [], { role, agent: role, work: kind, tools: ids })
  const dag = (steps: PlanStep[], known: Record<string, ResolvedTool>, given = ['workspace']): Method => ({
    ...{ strategy: 'dag', roles: steps.map(({ role }) => role) },
    options: { workflow: 'x', plan: planOf(steps) },
    tools: tools({ workspace: all, ...known }, given),
  })

  it('are what is compared where none takes them away from one of two rows', () => {
    const on = dag([work('maker', 'produce', 'notes')], { notes: { kind: 'memory' } }, [])
    expect(differ(on, { ...on, tools: tools({}) })).toEqual({
      ...{ a: 'memory', b: 'none', text: 'the first has memory; the second has none', kind: 'compared' },
    })
  })

  it('of other ids than the given ones are no difference where agents that produce can call the same', () => {
    const own = { files: { kind: 'workspace', allow: ['read', 'write'] } as ResolvedTool }
    expect(differ(baseline, dag([work('maker', 'produce', 'files')], own))).toBeUndefined()
    expect(
      differ(baseline, dag([work('maker', 'produce', 'files'), work('critic', 'judge')], own)),
    ).toBeUndefined()
  })

  it('for its judges are a difference, and the text says which', () => {
    const steps = [work('maker', 'produce'), work('critic', 'judge', 'workspace')]
    expect(differ(baseline, dag(steps, {}))).toMatchSnapshot()
    expect(differ(dag(steps, {}), baseline)?.text).toMatchSnapshot()
    expect(differ(dag(steps, {}), dag(steps, {}))).toBeUndefined()
  })

  it('that only some agents can call are told from those that all can', () => {
    const both = [work('a', 'produce', 'workspace'), work('b', 'produce', 'workspace')]
    const one = [work('a', 'produce', 'workspace'), work('b', 'produce')]
    expect(differ(dag(both, {}, []), dag(one, {}, []))?.text).toMatchSnapshot()
  })

  it('beside given ones are named', () => {
    const steps = [work('maker', 'produce', 'notes'), work('boss', 'decide', 'notes')]
    expect(differ(baseline, dag(steps, { notes: { kind: 'memory' } }))?.text).toMatchSnapshot()
  })
})

it('each set of agents is a row of its own', () => {
  const sets = ['anthropic:m', 'claude-cli:m'].map((name, i) => ({ label: 'AB'[i], agents: { '*': name } }))
  const run = manifest([{ tools: tools({ workspace: read }) }], { agentSets: sets as never })
  expect(toolsOf(run)).toMatchObject({
    'm0@A': { names: ['read', 'check'] },
    'm0@B': { names: ['own tools of claude-cli'] },
  })
})

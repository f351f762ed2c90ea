import { describe, expect, it } from 'vitest'
import { flowMermaid, flowText } from '../../../src/reports/drawing/flow.ts'
import type { Flow } from '../../../src/schema/method/declaration.ts'

const flow: Flow = [
  'planner',
  { repeat: [{ beside: 'writer', times: 'agents' }, 'judge'], most: 'rounds', until: 'judge' },
  { maybe: 'editor' },
]
const roles = { planner: 'decide', writer: 'produce', judge: 'judge', editor: 'summarise', unused: 'judge' }

it('flowText writes a flow on one line', () => {
  expect(flowText(flow)).toBe('planner → ( [ writer ] × agents → judge )* up to rounds → ( editor )?')
  expect(flowText({ either: ['a', { repeat: 'b', times: 3 }] })).toBe('( a | ( b )* 3 )')
})

it('flowMermaid draws a flow with an arrow wherever one role may follow another', () => {
  expect(flowMermaid(flow, roles)).toMatchSnapshot()
})

const debate: Flow = [{ beside: ['writer', ['planner', 'editor']] }, 'judge']

it('both diagrams show roles that run side by side: in brackets with bars between, and in a box', () => {
  expect(flowText(debate)).toBe('[ writer ‖ planner → editor ] → judge')
  expect(flowMermaid(debate, roles)).toMatchSnapshot()
})

it('flowMermaid draws an arrow past parts side by side only if all of them may ask nobody', () => {
  const after = (flow: Flow) => flowMermaid([flow, 'judge'], roles)
  expect(after({ beside: [{ maybe: 'writer' }, { maybe: 'editor' }] })).toContain('begin --> r2')
  expect(after({ beside: ['writer', { maybe: 'editor' }] })).not.toContain('begin --> r2')
})

it('flowMermaid draws one box around nested parts side by side, and none around a single part', () => {
  const nested: Flow = { beside: ['writer', ['planner', { beside: ['judge', 'editor'] }]] }
  expect(flowMermaid(nested, roles).match(/subgraph/g)).toHaveLength(1)
  expect(flowMermaid({ beside: ['writer'] }, roles)).not.toContain('subgraph')
})

it('flowMermaid draws n equal parts side by side with the arrows of that part n times', () => {
  const arrows = (flow: Flow) => flowMermaid(flow, roles).match(/\S+ --> \S+/g)
  const part: Flow = ['writer', { maybe: 'editor' }]
  expect(arrows({ beside: [part, part] })).toEqual(arrows({ beside: part, times: 2 }))
})

describe('the diagram of a declared graph', () => {
  const flow: Flow = {
    graph: [
      { id: 'plan', role: 'planner', open: true, inserts: { prefix: 'w::', roles: ['writer'] } },
      { id: 'sum', role: 'writer', after: ['plan'] },
    ],
  }

  it('names its steps on one line', () => {
    expect(flowText(flow)).toBe('{ plan: planner, which may add w::…: writer; sum: writer after plan }')
  })

  it('names only the first of many steps', () => {
    const graph = Array.from({ length: 20 }, (_, i) => ({ id: `s${i}`, role: 'writer' }))
    expect(flowText({ graph })).toContain('s7: writer; and 12 more steps }')
  })

  it('draws a node for each step', () => {
    expect(flowMermaid(flow, { planner: 'decide', writer: 'produce' })).toMatchSnapshot()
  })

  it('is drawn by its roles beside other parts of a flow', () => {
    const drawn = flowMermaid(['planner', flow], { planner: 'decide', writer: 'produce' })
    expect(drawn).toContain('  r0 --> r1')
    expect(drawn).toContain('  r1 --> done')
  })
})

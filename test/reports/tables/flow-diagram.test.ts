import { expect, it } from 'vitest'
import { flowMermaid, flowText } from '../../../src/reports/tables/flow-diagram.ts'
import type { Flow } from '../../../src/schema/method/declaration.ts'

const flow: Flow = [
  'planner',
  { repeat: [{ beside: 'writer', times: 'agents' }, 'judge'], most: 'rounds', until: 'judge' },
  { maybe: 'editor' },
]
const roles = { planner: 'decide', writer: 'produce', judge: 'judge', editor: 'summarise', unused: 'judge' }

it('draws a flow as one line', () => {
  expect(flowText(flow)).toBe('planner → ( [ writer ] × agents → judge )* up to rounds → ( editor )?')
  expect(flowText({ either: ['a', { repeat: 'b', times: 3 }] })).toBe('( a | ( b )* 3 )')
})

it('draws a flow as a Mermaid flowchart, with an arrow wherever one role may follow another', () => {
  expect(flowMermaid(flow, roles)).toBe(`flowchart LR
  begin(( ))
  r0{"planner"}
  r1["writer × agents"]
  r2{{"judge"}}
  r3[/"editor"/]
  begin --> r0
  r0 --> r1
  r1 --> r2
  r2 --> r1
  r2 --> r3
  r2 --> done
  r3 --> done
  done((end))`)
})

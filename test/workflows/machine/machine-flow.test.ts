import { expect, it } from 'vitest'
import { flowMermaid, flowText } from '../../../src/reports/drawing/flow.ts'
import { Flow } from '../../../src/schema/method/declaration.ts'
import { machineAgents, machineFlow, machineRoles } from '../../../src/workflows/machine/state-facts.ts'
import { machineFrom, states } from '../../helpers/fanout/machine-lines.ts'

const machine = machineFrom(
  { ...states, check: { ...states.check, on_enter: [{ validate: 'drafts/*.md' }] } },
  {
    orchestrator: { persona: 'lead', agent: 'boss' },
    agents: { ada: { agent: 'openai:gpt' }, ben: {}, gate: {}, idle: {} },
  },
)
const flow = machineFlow(machine)

it('the flow of a machine is its states with their roles, and is valid', () => {
  expect(Flow.safeParse(flow).error).toBeUndefined()
  expect(flow).toMatchSnapshot()
  expect(machineFlow(machine, 'draft')).toEqual({
    machine: [{ state: 'draft', roles: ['ada', 'ben'], next: [] }],
  })
})

it('a flow with a machine is drawn as text and as Mermaid', () => {
  expect(flowText(flow)).toMatchSnapshot()
  expect(flowMermaid(flow, {})).toMatchSnapshot()
  const inList = flowMermaid(['editor', flow], { editor: '', ada: '', ben: '', gate: '', orchestrator: '' })
  for (const arrow of ['r0 --> r1', 'r0 --> r2', 'r1 --> r3', 'r3 --> r4', 'r4 --> done'])
    expect(inList).toContain(arrow)
})

it.each([
  [{ machine: [] }, 'must have at least one state'],
  [{ machine: [{ state: 'a', roles: [], next: ['b'] }] }, 'names "b", which is not a state'],
  [{ machine: ['a', 'a'].map((state) => ({ state, roles: [], next: [] })) }, 'is a second state "a"'],
  [{ machine: [{ state: 'a', next: [] }] }, 'must be a list of roles'],
  [{ machine: [{ state: 'a', roles: [], next: [] }], decider: 1 }, 'must be a text'],
])('a wrong machine in a declaration is named: %j', (wrong, message) => {
  expect(Flow.safeParse(wrong).error?.issues.map((issue) => issue.message)).toContain(message)
})

it('the roles of a machine produce where any state lets them, and its agents are those that it names', () => {
  expect(machineRoles(machine)).toEqual({
    ...{ orchestrator: 'produce', ada: 'produce', ben: 'produce', gate: 'judge', idle: 'judge' },
  })
  const { combine: _, ...others } = states
  const alone = {
    ...others,
    check: { ...states.check, transitions: { proceed: 'complete', retry: 'draft', halt: 'halt' } },
  }
  expect(machineRoles(machineFrom(alone)).orchestrator).toBe('decide')
  expect(machineAgents(machine, 'post.yaml')).toEqual([
    { role: 'orchestrator', where: 'post.yaml orchestrator.agent', name: 'boss' },
    { role: 'ada', where: 'post.yaml agents.ada.agent', name: 'openai:gpt' },
  ])
})

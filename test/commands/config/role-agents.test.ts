import { expect, it } from 'vitest'
import { splitRoleAgents } from '../../../src/commands/config/run-options.ts'

const roles = ['step-1', 'step-2', 'solver']

it.each([
  ['step-1=openai:a,step-2=b', undefined, ['step-1=openai:a', 'step-2=b']],
  ['big, step-1=small', 'big', ['step-1=small']],
  ['a,b', 'a,b', undefined],
  ['solver', 'solver', undefined],
  ['label=openai:a', 'label=openai:a', undefined],
])('--agents %s: %s for all roles, and %j', (agents, all, agent) => {
  expect(splitRoleAgents({ agents }, roles)).toEqual({
    ...(all !== undefined && { agents: all }),
    ...(agent && { agent }),
  })
})

it('keeps the agents of --agent, so that a role with two of them is refused', () => {
  expect(splitRoleAgents({ agents: 'step-1=a', agent: ['step-1=b'] }, roles)).toEqual({
    agent: ['step-1=a', 'step-1=b'],
  })
})

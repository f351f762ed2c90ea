import { expect, it } from 'vitest'
import { agentTools, createAgents, providers } from '../../src/agents/registry.ts'
import { createScripted } from '../../src/agents/scripted.ts'
import { loadProfile } from '../../src/agents/simulated/load-profile.ts'
import { lazySandbox } from '../../src/sandbox/open-sandbox.ts'

it('each agent uses tools as its provider says before it is created', async () => {
  const names = providers
    .filter(({ name, needsProgram }) => name !== 'scripted' && !needsProgram)
    .map(({ name, model }) => (model === undefined ? name : `${name}:m`))
  const agents = await createAgents(Object.fromEntries(names.map((name) => [name, name])), {
    ...{ tasks: [], profile: loadProfile('default'), sandbox: lazySandbox('none') },
    trySubmission: () => Promise.reject(new Error('nothing is submitted')),
  })
  expect([...agents].map(([name, { tools }]) => [name, tools])).toEqual(
    names.map((name) => [name, agentTools(name)]),
  )
  expect(createScripted(['x']).tools).toBe(agentTools('scripted:x.mjs'))
  expect(agentTools('own=cli:m')).toBe('own')
  expect([agentTools('oracle'), agentTools('no-op'), agentTools('nobody')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

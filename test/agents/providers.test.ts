import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { SubmissionRunner } from '../../src/agents/mutants/mutant-pool.ts'
import type { AgentEnvironment } from '../../src/agents/provider.ts'
import { agentSyntax, createAgents, providers } from '../../src/agents/registry.ts'
import { loadProfile } from '../../src/agents/simulated/load-profile.ts'
import { lazySandbox } from '../../src/sandbox/open-sandbox.ts'
import { UserError } from '../../src/text/errors.ts'
import { agentContract } from '../helpers/agents/agent-contract.ts'
import { answerTask, codeTask } from '../helpers/agents/agent-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'agents-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'echo.mjs'), "export default ({ role }) => 'asked as ' + role\n")
writeFileSync(join(folder, 'number.mjs'), 'export default 3\n')
writeFileSync(join(folder, 'broken.mjs'), 'export default (\n')

const tasks = [codeTask(), answerTask(), codeTask({ ref: 'test/bare', checks: {} })]
const trySubmission: SubmissionRunner = async () => ({
  visible: { status: 'failed', passed: 0, total: 1, output: '' },
  passed: false,
  ms: 1,
})
const environment: AgentEnvironment = {
  tasks,
  profile: loadProfile('default'),
  trySubmission,
  sandbox: lazySandbox('none'),
  cwd: folder,
}
const names: Record<string, string> = { scripted: 'scripted:echo.mjs' }

/** Providers without a server. Those with one have suites of their own, over a server on loopback. */
const own = providers.filter(({ reaches }) => reaches === 'nothing' || reaches === 'module')

for (const provider of own) {
  const name = names[provider.name] ?? provider.name
  for (const task of tasks) {
    describe(`${name} on ${task.ref}`, () => {
      agentContract({
        create: async () => (await createAgents({ '*': name }, environment)).get(name) as never,
        task,
        deterministic: provider.name !== 'scripted',
      })
    })
  }
}

const problemsOf = async (byRole: Record<string, string>, env = environment) => {
  const error = await createAgents(byRole, env).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UserError)
  return (error as UserError).message
}

describe('making agents', () => {
  it('makes one agent for each name, however many roles share it', async () => {
    const agents = await createAgents({ '*': 'no-op', a: 'oracle', b: 'oracle' }, environment)
    expect([...agents.keys()]).toEqual(['no-op', 'oracle'])
  })

  it('reports all wrong names together, each with its role, a suggestion and the known names', async () => {
    const known = `Known: ${providers.map(agentSyntax).join(', ')}.`
    const problems = await problemsOf({
      '*': 'simulatd',
      judge: 'orcale',
      solver: 'scripted:none.mjs',
      x: 'scripted',
    })
    expect(problems.split('\n')).toEqual([
      `[agent simulatd] there is no provider "simulatd". Did you mean "simulated"? ${known}`,
      `[agent orcale (role judge)] there is no provider "orcale". Did you mean "oracle"? ${known}`,
      '[agent scripted:none.mjs (role solver)] there is no file none.mjs. Give the path of an .mjs module.',
      '[agent scripted (role x)] "scripted" needs PATH after it. Write scripted:PATH.',
    ])
  })

  it.each([
    ['scripted:number.mjs', 'has no default export that is a function or an array'],
    ['scripted:broken.mjs', 'does not load'],
    ['oracle:x', '"oracle" does not take a model'],
  ])('refuses %s with the reason', async (name, message) => {
    expect(await problemsOf({ '*': name })).toContain(message)
  })

  it('refuses a simulated agent without a profile', async () => {
    expect(await problemsOf({ '*': 'simulated' }, { ...environment, profile: undefined })).toContain(
      'needs a behaviour profile',
    )
  })

  it('describes each provider in one line', () => {
    for (const { summary } of providers) expect(summary).toMatch(/^[A-Z].{20,}\.$/)
  })
})

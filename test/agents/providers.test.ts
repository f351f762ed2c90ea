import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadContextWindows } from '../../src/agents/context-window.ts'
import type { SubmissionRunner } from '../../src/agents/mutants/mutant-pool.ts'
import type { AgentEnvironment } from '../../src/agents/provider.ts'
import { agentSyntax, agentTools, createAgents, providers } from '../../src/agents/registry.ts'
import { createScripted } from '../../src/agents/scripted.ts'
import { loadProfile } from '../../src/agents/simulated/load-profile.ts'
import { lazySandbox } from '../../src/sandbox/open-sandbox.ts'
import { UserError } from '../../src/text/errors.ts'
import { agentContract } from '../helpers/agents/agent-contract.ts'
import { answerTask, codeTask } from '../helpers/agents/agent-request.ts'

describe('providers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'echo.mjs'), "export default ({ role }) => 'asked as ' + role\n")
  writeFileSync(join(folder, 'number.mjs'), 'export default 3\n')
  writeFileSync(join(folder, 'broken.mjs'), 'export default (\n')

  const tasks = [codeTask(), answerTask(), codeTask({ ref: 'test/bare', checks: {} })]
  const trySubmission: SubmissionRunner = async () => ({
    visible: { status: 'failed', passed: 0, total: 1, output: '' },
    passed: false,
    quality: 0,
    ms: 1,
  })
  const environment: AgentEnvironment = {
    tasks,
    profile: loadProfile('default'),
    trySubmission,
    sandbox: lazySandbox('none'),
    cwd: folder,
    readRecorded: async () => ({
      facts: {
        ...{ model: 'm', source: 's', licence: 'MIT', date: '2025', prompts: 'source', samples: 1 },
      },
      find: (task, sample) => ({
        ...{ task, sample, reply: `${task} ${sample}`, tokens: { input: 10, output: 2 }, finish: 'stop' },
      }),
    }),
  }
  const names: Record<string, string> = { scripted: 'scripted:echo.mjs', recorded: 'recorded:m@replies' }

  /** Providers without a server. Those with one have suites of their own, over a server on loopback. */
  const own = providers.filter(({ reaches }) => ['nothing', 'replies', 'module'].includes(reaches))

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

    it('names an agent with its provider as it is, and a set without a label once', async () => {
      const problems = await problemsOf({
        '*': 'A=acp:gemini --acp',
        '* of B=acp:gemini --acp': 'B=acp:gemini --acp',
        '* of C': 'D=ollama:a/gpt-4',
      })
      const fix = 'Or put one of their roles before the =; bench methods METHOD lists them.'
      expect(problems.split('\n')).toEqual([
        `[agent A=acp:gemini --acp] "A" is not a role of these methods. Write acp:gemini --acp alone. ${fix}`,
        `[agent B=acp:gemini --acp] "B" is not a role of these methods. Write acp:gemini --acp alone. ${fix}`,
        `[agent D=ollama:a/gpt-4 (role * of C)] "D" is not a role of these methods. Write ollama:a/gpt-4 alone. ${fix}`,
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
})

it("an agent's own window wins, then that of its program, then the price table's", async () => {
  const windowOf = await loadContextWindows()
  const agent = 'main=anthropic:claude-sonnet-4-5'
  const program = { command: ['own'], text: '$.a', window: 5000 }
  expect(windowOf({ agent, setting: { window: 1000, program } })).toEqual({ tokens: 1000, source: 'setting' })
  expect(windowOf({ agent: 'own=cli:m', setting: { program } })).toEqual({ tokens: 5000, source: 'setting' })
  expect(windowOf({ agent })).toEqual({ tokens: 200_000, source: 'table' })
  expect(windowOf({ agent: 'claude-cli:sonnet', answered: 'claude-sonnet-4-5' })).toEqual({
    tokens: 200_000,
    source: 'table',
  })
})

it('the window of a simulated agent, an unknown model or a server of your own is unknown, not guessed', async () => {
  const windowOf = await loadContextWindows()
  expect(windowOf({ agent: 'simulated' })).toBeUndefined()
  expect(windowOf({ agent: 'anthropic:no-such-model' })).toBeUndefined()
  expect(windowOf({ agent: 'openai-compatible:gpt-5', endpoint: 'http://127.0.0.1:8000/v1' })).toBeUndefined()
  expect(windowOf({ agent: 'ollama:gpt-5', endpoint: 'http://127.0.0.1:11434' })).toBeUndefined()
})

it('each agent uses tools as its provider says before it is created', async () => {
  const names = providers
    .filter(({ name, needsProgram }) => name !== 'scripted' && !needsProgram)
    .map(({ name, model }) => (model === undefined || name === 'simulated' ? name : `${name}:m`))
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

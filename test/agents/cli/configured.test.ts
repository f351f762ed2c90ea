import { chmodSync, copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Agent, AgentReply } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { lazySandbox, type SandboxChoice } from '../../../src/sandbox/open-sandbox.ts'
import type { AgentProgram } from '../../../src/schema/agent/agent-program.ts'
import type { AgentSetting } from '../../../src/schema/agent/agent-settings.ts'
import { UserError } from '../../../src/text/errors.ts'
import { agentContract } from '../../helpers/agents/agent-contract.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { answerTask } from '../../helpers/runs/trial.ts'
import { startModelServer } from '../../model-server/server.ts'
import { ask, folderOf, foldersOfTrial, trial } from './cli-trial.ts'

const key = 'sk-a-real-key-0123456789'
const restoreEnvironment = keepEnvironment()
afterAll(restoreEnvironment)

// Not in /tmp, which programs in a sandbox have for themselves.
const bin = folderOf('own-cli-', '/var/tmp')
chmodSync(bin, 0o755)
copyFileSync(join(packageRoot(), 'test/helpers/agents/own-cli.mjs'), join(bin, 'own'))
const own = join(bin, 'own')

const program: AgentProgram = {
  command: [own, 'run', '--model', '{model}', '$(touch /tmp/never)'],
  resume: [own, 'run', '--model', '{model}', '--continue', '{session}'],
  env: { OWN_URL: '{baseUrl}' },
  keyInside: 'OWN_KEY',
  home: { '.own/settings.json': '{"url": "{baseUrl}", "other": "{env:X}"}' },
  text: '$.answer',
  session: '$.id',
  error: '$.problem',
  status: '$.problem.code',
  tokens: { input: '$.usage.in', output: '$.usage.out', cached: '$.usage.hit', reasoning: '$.usage.thought' },
  cost: '$.dollars',
  usage: '$.usage',
  totals: ['tokens', 'cost'],
}

async function agentOf(setting: AgentSetting = { program }, sandbox: SandboxChoice = 'none'): Promise<Agent> {
  process.env.TEST_OWN_KEY = key
  const name = 'mine=cli:m-1'
  const environment = {
    tasks: [],
    profile: undefined,
    trySubmission: () => Promise.reject(new Error('not here')),
    run: 'run-1',
    sandbox: lazySandbox(sandbox),
    settings: { [name]: setting },
    prices: { prices: { [name]: { input: 1, output: 2, cached: 0.5 } } },
  }
  return (await createAgents({ '*': name }, environment)).get(name) as Agent
}

const askCli = async (prompt: string, setting?: AgentSetting) =>
  ask(await agentOf(setting), trial().request({ prompt }))
const given = ({ text }: AgentReply) => JSON.parse(text)

/** The reported usage of a call without a request through the gateway. */
const reported = { input: 100, output: 10, cached: 40, reasoning: 3 }

describe('cli', () => {
  describe('keeps to the contract', () => {
    // The user chose the label before the name.
    const create = async () => ({ ...(await agentOf()), name: 'cli:m-1' })
    agentContract({ create, task: answerTask(), deterministic: false, folders: foldersOfTrial })
  })

  it('is called with its command, environment and HOME files, and its JSON is found between banners', async () => {
    const reply = await askCli('Say it.')
    expect(reply).toMatchObject({ tokens: reported, usage: { in: 100 }, reportedCostUsd: 0.25 })
    expect(reply.error).toBeUndefined()
    const { args, env, settings, prompt } = given(reply)
    expect(args).toEqual(['run', '--model', 'm-1', '$(touch /tmp/never)'])
    expect(prompt).toContain('Say it.')
    expect(settings).toEqual({ url: env.OWN_URL, other: '{env:X}' })
    expect(env.OWN_KEY).not.toBe(key)
    expect(JSON.stringify(reply)).not.toContain(key)
  })

  it('is billed by its own prices, also for cached input, with its reported cost beside', async () => {
    const reply = await askCli('Say it.')
    expect(reply.costUsd).toBeCloseTo((60 * 1 + 40 * 0.5 + 10 * 2) / 1e6, 12)
    expect(reply.costSource).toBe('file')
  })

  it('calls its provider through the gateway, which holds the key and counts the tokens', async () => {
    const server = await startModelServer([{ text: 'Hello', usage: { input: 777, output: 55 } }])
    onTestFinished(() => server.close())
    const reply = await askCli('[ask]', { program, baseUrl: `${server.url}/v1`, keyVariable: 'TEST_OWN_KEY' })
    expect(given(reply).received).toContain('Hello')
    expect(server.log[0]?.headers.authorization).toBe(`<${'Bearer '.length + key.length} characters>`)
    expect(reply.tokens).toMatchObject({ input: 777, output: 55 })
    expect(JSON.stringify(reply)).not.toContain(key)
  })

  it('has no network if no address is set', async () => {
    expect(given(await askCli('[ask]')).received).toContain('this agent has no baseUrl')
  })

  it('resumes its session by the resume command and reports the usage of each call alone', async () => {
    const { request } = trial({ session: 's' })
    const agent = await agentOf()
    const first = await ask(agent, request({ prompt: 'one', turns: [] }))
    const second = await ask(agent, request({ prompt: 'two', turns: [{ prompt: 'one', reply: first.text }] }))
    expect([first.continued, second.continued]).toEqual([undefined, 'resumed'])
    expect(given(second)).toMatchObject({ prompt: 'two', calls: 2 })
    expect(given(second).args.slice(-2)).toEqual(['--continue', 'session-7'])
    expect(second.tokens).toEqual(reported)
    expect(second.reportedCostUsd).toBe(0.25)
  })

  it('gets all turns again if it has no resume command', async () => {
    const { resume: _, session: __, ...stateless } = program
    const { request } = trial({ session: 's' })
    const agent = await agentOf({ program: stateless })
    await ask(agent, request({ prompt: 'one', turns: [] }))
    const second = await ask(agent, request({ prompt: 'two', turns: [{ prompt: 'one', reply: 'uno' }] }))
    expect(second.continued).toBe('retold')
    expect(given(second).prompt).toMatch(/one[\s\S]*uno[\s\S]*two/)
  })

  it('has null tokens, not 0, if it reports no usage', async () => {
    const reply = await askCli('[unreported]')
    expect(reply).toMatchObject({ tokens: { input: null, output: null, cached: null }, costUsd: null })
    expect(reply.error).toBeUndefined()
    expect(reply).not.toHaveProperty('reportedCostUsd')
  })

  it('gets 200 KB of any text on standard input, and nothing of it on its command line', async () => {
    const plain = `"double" 'single' \`back\` $(touch /tmp/never) \${HOME}\n${'text '.repeat(40_000)}`
    const { prompt, args } = given(await askCli(`${plain}\n\t\0 \ud800 😀 end`))
    expect(prompt).toContain(plain)
    expect(prompt).toContain('\u2400 \ufffd 😀 end')
    expect(args.join(' ')).not.toContain('double')
  })

  it('may reply 5 MB', async () => {
    const reply = await askCli('[big 5000000]')
    expect(reply.text).toBe('word {"[ '.repeat(555_555))
    expect(reply.tokens).toEqual(reported)
  })

  it('fails by its reported error despite exit code 0, with the tokens that it spent', async () => {
    const reply = await askCli('[fail slow down]')
    expect(reply).toMatchObject({
      text: '',
      tokens: reported,
      error: { reason: 'quota', message: 'slow down' },
    })
  })

  it('succeeds by its answer despite exit code 1', async () => {
    const reply = await askCli('[exit 1]')
    expect(reply.error).toBeUndefined()
    expect(given(reply).calls).toBe(1)
  })

  it('names the sandbox limit that ended it, with its amount', async () => {
    const { error } = await askCli('[silent] [exit 134] [mutter FATAL ERROR: JavaScript heap out of memory]')
    expect(error).toMatchObject({
      reason: 'exit',
      message: expect.stringMatching(
        /^the program ran out of memory, of which it has 8 GiB, a fixed limit of the sandbox: /,
      ),
    })
  })

  it('fails without JSON, without an answer, or if it was killed', async () => {
    for (const prompt of ['[silent]', '[empty] [exit 3]', '[die]']) {
      const reply = await askCli(prompt)
      expect(reply, prompt).toMatchObject({ text: '', error: { reason: 'exit' } })
    }
  })

  it('does not get a prompt above its window, which costs nothing', async () => {
    const small = { ...program, window: 1000 }
    expect((await askCli('word '.repeat(700), { program: small })).error).toBeUndefined()
    const reply = await askCli('word '.repeat(900), { program: small })
    expect(reply).toMatchObject({
      error: { reason: 'context-overflow' },
      tokens: { input: 0, output: 0 },
      costUsd: 0,
    })
  })

  it('reports its version, and before a run that it is not installed', async () => {
    expect(await (await agentOf()).version?.()).toBe('4.5.6')
    const gone = await agentOf({ program: { command: ['no-such-cli'], output: 'text' } })
    expect(await gone.missing?.()).toMatchSnapshot()
  })

  it('is refused without a program; other providers refuse a program', async () => {
    const problemsOf = (making: Promise<unknown>) =>
      making.then(
        () => [],
        (error: unknown) => (error instanceof UserError ? error.problems.map(({ what }) => what) : [error]),
      )
    expect(await problemsOf(agentOf({}))).toEqual(['has no program'])
    const settings = { 'x=openai:y': { program } }
    const environment = {
      tasks: [],
      profile: undefined,
      trySubmission: () => Promise.reject(new Error('not here')),
      sandbox: lazySandbox('none'),
      settings,
    }
    expect(await problemsOf(createAgents({ '*': 'x=openai:y' }, environment))).toMatchSnapshot()
  })

  needs('bwrap').it('works in the sandbox as outside', async () => {
    const server = await startModelServer([{ text: 'Hello', usage: { input: 777, output: 55 } }])
    onTestFinished(() => server.close())
    const { workspace, request } = trial()
    const setting = { program, baseUrl: `${server.url}/v1`, keyVariable: 'TEST_OWN_KEY' }
    const agent = await agentOf(setting, 'bubblewrap')
    const reply = await ask(agent, request({ prompt: '[write inside] [ask]' }))
    expect(reply.error).toBeUndefined()
    expect(given(reply).received).toContain('Hello')
    expect(given(reply).env.HOME).not.toBe(process.env.HOME)
    expect(reply.tokens).toMatchObject({ input: 777, output: 55 })
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('inside')
  })
})

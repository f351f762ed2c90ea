import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { pricedModel } from '../../../src/agents/context-window.ts'
import type { AgentSetting } from '../../../src/schema/agent/agent-settings.ts'
import { acpAgent, acpProgram, namedAcpAgent } from '../../helpers/agents/acp-agents.ts'
import { agentContract } from '../../helpers/agents/agent-contract.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { answerTask } from '../../helpers/runs/trial.ts'
import { startModelServer } from '../../model-server/server.ts'
import { ask, foldersOfTrial, trial } from '../cli/cli-trial.ts'

const program = acpProgram()
const keyLike = ['sk', 'ant', 'api03', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('-')
const restoreEnvironment = keepEnvironment()
afterAll(restoreEnvironment)

const agentOf = (mode = 'good', setting?: Partial<AgentSetting>) => acpAgent([program, mode], setting)
const replyTo = async (prompt: string, mode?: string) => ask(await agentOf(mode), trial().request({ prompt }))

describe('an agent of the Agent Client Protocol', () => {
  agentContract({
    create: async () => ({ ...(await agentOf()), name: 'acp:m' }),
    task: answerTask(),
    deterministic: false,
    folders: foldersOfTrial,
  })

  it('answers with the last message, without thoughts, other sessions and what came before calls of tools', async () => {
    const prompt = '[say I look. ][tool][think It is 41.][other Answer: 41][say Answer:][say  42]'
    expect((await replyTo(prompt)).text).toBe('Answer: 42')
    expect((await replyTo('[say Answer: 42][tool]')).text).toBe('Answer: 42')
  })

  it('works in the trial’s folder and in a HOME of its own', async () => {
    const { request, workspace, home } = trial()
    const reply = await ask(await agentOf(), request({ prompt: '[make changed][environment HOME]' }))
    expect(reply.text).toBe(home)
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('changed')
  })

  it('reads and writes files of the trial’s folder through bench, and no others', async () => {
    const { request, workspace, home } = trial()
    writeFileSync(join(workspace, 'a.txt'), 'one\ntwo\n')
    writeFileSync(join(home, 'secret.txt'), 'secret')
    const agent = await agentOf()
    const textOf = async (prompt: string) => (await ask(agent, request({ prompt }))).text
    expect(await textOf('[read CWD/a.txt]')).toBe('one\ntwo\n')
    expect(await textOf('[write CWD/sub/b.txt]')).toBe('{}')
    expect(readFileSync(join(workspace, 'sub/b.txt'), 'utf8')).toBe('written by the agent')
    const refused = /^refused: .*(is no path of a file in|cannot be read|is no plain file)/
    for (const path of [
      '/etc/passwd',
      `CWD/../${home.split('/').at(-1)}/secret.txt`,
      'a.txt',
      'CWD',
      'CWD/none',
    ])
      expect(await textOf(`[read ${path}]`), path).toMatch(refused)
    const outside = join(home, 'outside.txt')
    for (const path of [outside, 'CWD/../outside.txt', 'CWD/.git/config'])
      expect(await textOf(`[write ${path}]`), path).toMatch(refused)
    expect(await textOf(`[link ${join(home, 'secret.txt')}][read CWD/link]`)).toMatch(refused)
    expect(await textOf('[write CWD/link]')).toMatch(refused)
    expect(await textOf(`[folder ${home}][read CWD/linked/secret.txt]`)).toMatch(refused)
    expect(await textOf('[write CWD/linked/outside.txt]')).toMatch(refused)
    expect(readFileSync(join(home, 'secret.txt'), 'utf8')).toBe('secret')
    expect([outside, join(workspace, '.git')].filter((path) => existsSync(path))).toEqual([])
  })

  it('gets no terminal, and without a sandbox leave for edits of the folder alone', async () => {
    expect((await replyTo('[terminal]')).text).toMatch(/^refused: /)
    const answers: [string, string][] = [
      ['[permission edit]', 'allow_once'],
      ['[permission execute]', 'reject_once'],
      ['[permission edit /etc/passwd]', 'reject_once'],
      ['[permission edit CWD/../x]', 'reject_once'],
    ]
    for (const [prompt, answer] of answers) expect((await replyTo(prompt)).text, prompt).toBe(answer)
  })
})

describe('the conversation with an agent of the protocol', () => {
  const turns = [{ prompt: 'Before.', reply: 'What was said.' }]

  it.each(['good', 'resuming'])(
    'continues in the session of the agent where it can be loaded again (%s)',
    async (mode) => {
      const { request, home } = trial()
      const agent = await agentOf(mode)
      const session = { session: 'work', role: 'solver' }
      const first = await ask(agent, request({ ...session, prompt: '[say One]' }))
      expect(first.continued).toBeUndefined()
      const known = [{ prompt: '[say One]', reply: 'One' }]
      const second = await ask(agent, request({ ...session, turns: known, prompt: '[say Two]' }))
      expect(second).toMatchObject({ text: 'Two', continued: 'resumed' })
      expect(new Set(readFileSync(join(home, 'sessions'), 'utf8').trim().split('\n')).size).toBe(1)
    },
  )

  it('is told again where the agent cannot load it, and where another branch went on', async () => {
    const { request } = trial()
    const session = { session: 'work', role: 'solver' }
    for (const mode of ['forgetful', 'cannot-load']) {
      const agent = await agentOf(mode)
      await ask(agent, request({ ...session, prompt: '[say One]' }))
      const known = [{ prompt: '[say One]', reply: 'One' }]
      const told = await ask(agent, request({ ...session, turns: known, prompt: '[say Two]' }))
      expect(told, mode).toMatchObject({ text: 'OneTwo', continued: 'retold' })
    }
    expect(await ask(await agentOf(), request({ ...session, turns, prompt: '[say Two]' }))).toMatchObject({
      continued: 'retold',
    })
  })
})

describe('the use of an agent of the protocol', () => {
  it('is counted by the gateway, to the token, with the model and the key of the run', async () => {
    const server = await startModelServer([{ text: 'Hello', always: true }])
    onTestFinished(() => server.close())
    process.env.TEST_ACP_KEY = 'sk-a-real-key-0123456789'
    const agent = await acpAgent([program, 'usage'], {
      ...{ baseUrl: `${server.url}/v1`, keyVariable: 'TEST_ACP_KEY' },
      program: { command: [program, 'usage'], env: { MODEL_URL: '{baseUrl}' }, keyInside: 'MODEL_KEY' },
    })
    const reply = await ask(agent, trial().request({ prompt: '[model m][environment MODEL_KEY]' }))
    const [{ usage } = {}] = server.log
    expect(reply).toMatchObject({ requests: 1, tokens: { input: usage?.input, output: usage?.output } })
    expect(reply.text).not.toContain('sk-a-real-key')
    const other = await ask(agent, trial().request({ prompt: '[model other]' }))
    expect(other.refused?.total).toBe(1)
  })

  it('is what the agent tells where no gateway counts it, and unknown where it tells nothing', async () => {
    expect(await replyTo('[say Answer: 42]', 'usage')).toMatchObject({
      tokens: { input: 15, output: 3, cached: 5, cacheWrite: 0 },
      reportedCostUsd: 0.25,
    })
    expect((await replyTo('[say Answer: 42]')).tokens).toEqual({ input: null, output: null, cached: null })
  })
})

it.each([
  ['refusal', 'refusal'],
  ['max_turn_requests', 'exit'],
  ['cancelled', 'exit'],
])('a turn that ends with %s has no answer', async (stop, reason) => {
  expect(await replyTo(`[say Answer: 42][stop ${stop}]`)).toMatchObject({ text: '', error: { reason } })
})

describe('the name of an agent of the protocol', () => {
  const problemOf = async (name: string) => {
    const agent = namedAcpAgent(name)
    return agent.then(
      async (made) => (await made.missing?.())?.map(({ what, fix }) => `${what}. ${fix}`).join('\n'),
      (error: Error) => error.message,
    )
  }

  it('is a command, with the environment before it', async () => {
    const { name } = await namedAcpAgent('acp:ANTHROPIC_MODEL=m claude-code-acp --x "a b"')
    expect(name).toBe('acp:ANTHROPIC_MODEL=m claude-code-acp --x "a b"')
  })

  it('says whose model answers, at whose prices', () => {
    const { model, billedBy } = pricedModel('acp:gemini --acp -m gemini-2.5-pro', undefined, undefined)
    expect([model, billedBy]).toEqual(['gemini-2.5-pro', 'google'])
    expect(pricedModel('mine=acp:own', undefined, 'http://127.0.0.1:1')).toEqual({
      agent: 'mine=acp:own',
      model: 'own',
    })
  })

  it.each([
    'acp',
    'acp:',
    'acp:foo | bar',
    'acp:A=b',
    'acp:gemini\n--acp',
    'acp:OPENAI_API_KEY=sk-0123456789 codex-acp',
    'acp:claude-code-acp',
    'acp:unheard-of --acp',
  ])('%s is refused in one line, with the remedy', async (name) => {
    expect(await problemOf(name)).toMatchSnapshot()
  })

  it('has no key, by the form of any of its words, and the refusal does not show it', async () => {
    for (const command of [`X=Authorization:${keyLike} codex-acp`, `codex-acp --header "Bearer ${keyLike}"`])
      expect(await problemOf(`acp:${command}`)).toBe(
        '[agent acp] the command of "acp" has what looks like an API key, which every report would show. Leave it out: bench gives the program a stand-in for the key of your environment.',
      )
  })

  it('has no password after an option, which no refusal shows', async () => {
    const password = 'hunter2hunter2'
    const commands = [`gemini --acp --password ${password}`, `gemini --api-key AIza${'x9Y'.repeat(12)}`]
    for (const command of commands)
      expect(await problemOf(`acp:${command}`)).toContain('[agent acp] the command')
    expect(await problemOf(`acp:gemini 'open --password ${password}`)).not.toContain(password)
  })

  it('says of a program that it is not there, or not a program', async () => {
    const { home } = trial()
    const plain = join(home, 'gemini')
    writeFileSync(plain, '#!/bin/sh\n')
    const [text, folder] = [join(home, 'text', 'gemini'), join(home, 'folder', 'gemini')]
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(home, 'text'))
    writeFileSync(text, 'root:x:0:0\n')
    for (const [command, told] of [
      ['./gemini --acp', 'the program ./gemini has a relative path. Write its full path.'],
      [`${plain} --acp`, `the program ${plain} cannot be executed. Run: chmod +x ${plain}`],
      [
        `${text} --acp`,
        `the program ${text} is not a program: it has no first line with #!. Correct its command.`,
      ],
      [`${folder} --acp`, `the program ${folder} is a folder. Correct its command.`],
    ]) {
      process.env.GEMINI_API_KEY = 'sk-a-real-key-0123456789'
      expect(await problemOf(`acp:${command}`)).toBe(told)
    }
  })
})

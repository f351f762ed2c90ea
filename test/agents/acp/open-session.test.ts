import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { acpAgent, acpProgram } from '../../helpers/agents/acp-agents.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { startModelServer } from '../../model-server/server.ts'
import { ask, trial } from '../cli/cli-trial.ts'

const program = acpProgram()
afterAll(keepEnvironment())

const replyTo = async (prompt: string, ...words: string[]) =>
  ask(await acpAgent([program, ...words]), trial().request({ prompt }))

describe('an agent that wants a login', () => {
  it('gets the key of its environment, where it takes one, and no other login', async () => {
    expect((await replyTo('[say Answer: 42]', 'key-login')).text).toBe('Answer: 42')
    const { error } = await replyTo('[say Answer: 42]', 'login')
    expect(error).toEqual({
      reason: 'key',
      message: `${program} wants a login (oauth), which bench never makes. Name the variable from which it reads a key: keyInside of its program`,
    })
  })

  it('is told that it takes no key from the variable that is named', async () => {
    const command = [program, 'login']
    const agent = await acpAgent(command, { program: { command, keyInside: 'WRONG_KEY' } })
    const { error } = await ask(agent, trial().request())
    expect(error?.message).toBe(
      `${program} wants a login (oauth), which bench never makes. It takes no key from WRONG_KEY, which bench sets: set keyInside of its program to the variable from which it does`,
    )
  })
})

describe('the words of an agent', () => {
  it('give the reason of a request that failed, in one line without codes of a terminal', async () => {
    const { error } = await replyTo('x', 'failing', '429 Too Many Requests')
    expect(error).toEqual({ reason: 'quota', message: `${program}: Internal error: 429 Too Many Requests` })
    const coloured = await replyTo('x', 'failing', '\u001b[31mcannot\r\n\tgo on\u001b[0m\u0007')
    expect(coloured.error?.message).toBe(`${program}: Internal error: cannot go on`)
  })

  it('that are a version as a text are told as such', async () => {
    expect((await replyTo('x', 'text-version')).error).toEqual({
      reason: 'request',
      message: `${program} speaks version "1" of the Agent Client Protocol, which must be the number 1. Use a release of it that writes a number`,
    })
  })

  it.each([
    [
      'stderr',
      'Options:\n  --debug  Run in debug mode\nUnknown argument: proxy\n',
      'Unknown argument: proxy',
    ],
    [
      'stderr',
      "python3: can't open file '/a.py': No such file",
      "python3: can't open file '/a.py': No such file",
    ],
    ['stdout', 'Options:\n  --acp  speak the protocol\nUnknown argument: proxy\n', 'Unknown argument: proxy'],
    ['stdout', 'Options:\n\u001b[1mWelcome to the agent.\u001b[0m\n', 'Welcome to the agent.'],
  ])('on %s, before it ends without an answer, are the message: %s', async (stream, printed, told) => {
    const { error } = await replyTo('x', 'prints', printed, stream)
    const message = `ended with exit code 1 and no answer; it printed "${told}", which is no message of the Agent Client Protocol`
    expect(error?.message).toBe(stream === 'stderr' ? told : message)
  })
})

describe('a reply that the agent says was cut', () => {
  it('is a cut reply in the step, with and without a gateway that counts it', async () => {
    const prompt = '[say Answer: 4][stop max_tokens]'
    expect(await replyTo(prompt)).toMatchObject({ text: 'Answer: 4', finish: 'length' })
    expect((await replyTo('[say Answer: 42]')).finish).toBeUndefined()
    const server = await startModelServer([{ text: 'Hello', always: true }])
    onTestFinished(() => server.close())
    process.env.TEST_ACP_KEY = 'sk-a-real-key-0123456789'
    const command = [program, 'good']
    const agent = await acpAgent(command, {
      ...{ baseUrl: `${server.url}/v1`, keyVariable: 'TEST_ACP_KEY' },
      program: { command, env: { MODEL_URL: '{baseUrl}' }, keyInside: 'MODEL_KEY' },
    })
    const finishOf = async (words: string) =>
      (await ask(agent, trial().request({ prompt: `[model m]${words}` }))).finish
    expect(await finishOf('[stop max_tokens]')).toBe('length')
    expect(await finishOf('')).toBe('stop')
  })
})

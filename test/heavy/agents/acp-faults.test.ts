import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { ask, trial } from '../../agents/cli/cli-trial.ts'
import { acpAgent, acpProgram } from '../../helpers/agents/acp-agents.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { running, sandboxes } from '../../helpers/machine/sandboxes.ts'

const program = acpProgram()
const page = readFileSync(join(packageRoot(), 'docs/reference/acp.md'), 'utf8')
afterAll(keepEnvironment())

/** What an agent does, the beginning of its row in docs/reference/acp.md, the reason of its step, and its message. */
const faults: [mode: string, row: string, reason: string, message: RegExp][] = [
  ['flood-updates', 'sends a line', 'exit', /sent more than \d+ (bytes|messages) in one call$/],
  ['flood-requests', 'sends a line', 'exit', /sent more than 10000 requests in one call$/],
  [
    'flood-pending',
    'has 1,000',
    'exit',
    /(sent more than 10000 requests in one call|has more than 1000 requests without an answer)$/,
  ],
  ['giant-line', 'sends a line', 'exit', /sent a line of more than 16777216 bytes$/],
  ['garbage', 'sends a line', 'exit', /sent more than 1000 lines that are no messages in one call$/],
  [
    'garbage-in-prompt',
    'sends a line',
    'exit',
    /sent more than 1000 lines that are no messages in one call$/,
  ],
  [
    'hang-after-initialize',
    'does not answer',
    'timeout',
    /did not answer session\/new within 1000 ms|no whole reply in 1000 ms/,
  ],
  [
    'deaf',
    'does not answer',
    'timeout',
    /did not answer initialize within 1000 ms|no whole reply in 1000 ms/,
  ],
  ['hang-in-prompt', 'does not answer', 'timeout', /^no whole reply in 1000 ms$/],
  ['leave-children', 'does not answer', 'timeout', /^no whole reply in 1000 ms$/],
  ['die-after-initialize', 'ends or is killed', 'exit', /^ended with exit code 4 and no answer$/],
  ['die-in-prompt', 'ends or is killed', 'exit', /^ended with exit code 3 and no answer$/],
  ['kill-in-prompt', 'ends or is killed', 'exit', /^ended by SIGKILL$/],
  [
    'help',
    'prints help',
    'exit',
    /^ended with exit code 0 and no answer; it printed "Usage: agent \[options\]", which is no message of the Agent/,
  ],
  [
    'framed',
    'does not answer',
    'timeout',
    /; it printed "Content-Length: 20", which is no message of the Agent Client Protocol$/,
  ],
  [
    'old-version',
    'speaks another',
    'request',
    /speaks version 0 of the Agent Client Protocol, and bench version 1\. /,
  ],
  [
    'new-version',
    'speaks another',
    'request',
    /speaks version 2 of the Agent Client Protocol, and bench version 1\. /,
  ],
  [
    'no-version',
    'speaks another',
    'request',
    /speaks no version of the Agent Client Protocol, and bench version 1\. /,
  ],
]

/** Agents that do what they should not, and answer all the same. */
const answering: [mode: string, text: string][] = [
  ['answer-nothing-asked', 'Answer: 42'],
  ['deep', 'Answer: 42'],
  ['other-session', ''],
  ['stays', 'Answer: 42'],
  ['quick', 'Answer: 42'],
]

describe.each(sandboxes)('a hostile agent of the protocol in the sandbox %s', (sandbox, requirements) => {
  const agents = new Map<string, Agent>()
  const agentOf = async (mode: string) => {
    const made = agents.get(mode) ?? (await acpAgent([program, mode], {}, sandbox))
    agents.set(mode, made)
    return made
  }
  const tests = needs(...requirements)

  // Without a sandbox, those whose end is another there.
  const isTried = ([mode]: readonly [string, ...unknown[]]) =>
    sandbox !== 'none' || ['leave-children', 'giant-line', 'die-in-prompt', 'stays'].includes(mode)

  tests.it.each(faults.filter(isTried))(
    '%s (%s) ends as %s, and leaves no process',
    async (mode, row, reason, message) => {
      expect(page).toMatch(new RegExp(`^\\| ${row}[^|]*\\| \`${reason}\` \\|$`, 'm'))
      const prompt = '[say Answer: 42]'
      const { error } = await ask(
        await agentOf(mode),
        trial().request({
          prompt,
          timeoutMs: mode === 'framed' ? 5000 : reason === 'timeout' ? 1000 : 20_000,
        }),
      )
      expect(error?.reason, error?.message).toBe(reason)
      expect(error?.message).toMatch(message)
      expect(running(program)).toBe(0)
      expect(running('sleep\u00001000')).toBe(0)
    },
  )

  tests.it.each(answering.filter(isTried))(
    '%s is answered with what belongs to the session',
    async (mode, text) => {
      const prompt =
        mode === 'answer-nothing-asked' || mode === 'deep' || mode === 'other-session'
          ? 'x'
          : '[say Answer: 42]'
      const reply = await ask(await agentOf(mode), trial().request({ prompt, timeoutMs: 20_000 }))
      expect(reply).toMatchObject({ text })
      expect(reply.error).toBeUndefined()
      expect(running(program)).toBe(0)
    },
  )

  tests.it('a run that is stopped leaves no process of it', async () => {
    const { request, workspace } = trial()
    const stop = new AbortController()
    const agent = await agentOf('leave-children')
    const asked = agent.ask(request({ prompt: '[make x]', timeoutMs: 20_000 }), stop.signal)
    asked.catch(() => {})
    for (let tries = 0; tries < 200 && running(program) === 0; tries++) await setTimeout(25)
    stop.abort(new Error('stopped'))
    await expect(asked).rejects.toThrow('stopped')
    expect(running(program)).toBe(0)
    expect(existsSync(join(workspace, 'made.txt'))).toBe(false)
  })
})

needs('bwrap').it(
  'an agent in a sandbox sees the trial’s folder alone, and may use its tools there',
  async () => {
    const agent = await acpAgent([program, 'good'], {}, 'bubblewrap')
    const { request, workspace } = trial()
    const textOf = async (prompt: string) => (await ask(agent, request({ prompt }))).text
    expect(await textOf('[write CWD/sub/a.txt][read /workspace/sub/a.txt]')).toBe('{}written by the agent')
    expect(readFileSync(join(workspace, 'sub/a.txt'), 'utf8')).toBe('written by the agent')
    expect(await textOf('[permission execute]')).toBe('allow_once')
    expect(await textOf(`[read ${workspace}/sub/a.txt]`)).toMatch(/^refused: /)
  },
)

needs('bwrap').it('says before a run who the agent is, or that it is none, without a model', async () => {
  const told = async (...words: string[]) => {
    const agent = await acpAgent(
      words[0]?.includes('/') ? ['node', ...words] : [program, ...words],
      {},
      'bubblewrap',
    )
    const problems = ((await agent.missing?.()) ?? []).map(({ what, fix = '' }) => `${what}. ${fix}`)
    return [await agent.version?.(), ...problems].join(' | ').replaceAll(program, 'agent')
  }
  for (const mode of ['good', 'help', 'new-version', 'die-after-initialize', 'garbage'])
    expect(await told(mode), mode).toMatchSnapshot()
  for (const words of [
    ['prints', 'Unknown argument: proxy', 'stderr'],
    ['help', '0', '--acp'],
    [`${program}`],
  ])
    expect(await told(...words), words.join(' ')).toMatchSnapshot()
})

needs('bwrap').it('tells that it waits for an agent that takes long to say who it is, once', async () => {
  const told: string[] = []
  const note = (message: string) => void told.push(message)
  const agent = await acpAgent([program, 'slow'], {}, 'bubblewrap', note)
  expect(await agent.missing?.()).toEqual([])
  expect(await agent.version?.()).toContain('1.2.3')
  expect(told).toEqual([`waiting for ${program} to say who it is, at most 60 s`])
})

import { describe, expect, it } from 'vitest'
import type { AgentReply } from '../../../src/agents/agent.ts'
import { failureOf } from '../../../src/agents/failures/failure.ts'
import { messageCleaner } from '../../../src/agents/http/address.ts'
import type { SandboxResult } from '../../../src/sandbox/sandbox.ts'
import { Config } from '../../../src/schema/run/config.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { createRedactor, type Redactor } from '../../../src/text/redact.ts'
import { readYaml } from '../../../src/yaml/read-fields.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const key = 'sk-0123456789abcdefXYZ'
const redact = createRedactor([{ name: 'MY_API_KEY', value: key }]) as Redactor
const pieces = Array.from({ length: key.length - 5 }, (_, i) => key.slice(i, i + 6))

const ended: Omit<SandboxResult, 'stdout'> = {
  stderr: '',
  exitCode: 1,
  killedBy: null,
  timedOut: false,
  truncated: false,
  level: 'full',
  durationMs: 1,
}

function expectNone(text: string): void {
  expect(pieces.filter((piece) => text.includes(piece))).toEqual([])
}

/** All positions of the key around a cut after this many characters. */
const across = (cut: number) =>
  Array.from({ length: key.length + 8 }, (_, i) => Math.max(0, cut - key.length - 4 + i))

it.each(['tokens', 'retryAfterMs'])(
  'an error about a reply with invalid %s contains no key, wherever it is cut',
  async (field) => {
    const strategy = strategyOf(async ({ ask }) => {
      await ask('solver', 'x')
      return { stopReason: 'done' }
    })
    for (const at of across(50)) {
      const value = `${'x'.repeat(at)}${key} and more`
      const reply =
        field === 'tokens'
          ? { tokens: { input: value, output: 1, cached: 0 } }
          : { error: { reason: 'quota', message: '', retryAfterMs: value } }
      const agent = agentOf(() => reply as unknown as Partial<AgentReply>, { virtualTime: true })
      const { record, steps } = await playTrial({ redact, agent, strategy })
      expect(record.outcome.reason).toContain('the adapter broke: its reply has')
      expectNone(JSON.stringify([record, steps]))
    }
  },
)

it('a long message of a provider contains no key, wherever it is cut', () => {
  const clean = messageCleaner('MY_API_KEY', key)
  for (const at of across(500)) {
    const { message } = failureOf(new Error(`${'x'.repeat(at)}${key}${'y'.repeat(600)}`))
    expect(message).toMatch(/^(?:x|$).*…$/)
    expectNone(clean(message))
  }
})

describe('printed problems in YAML', () => {
  it.each([
    ['epochs', (text: string) => `run: { epochs: ${text} }`],
    ['mode', (text: string) => `run: { mode: ${text} }`],
    ['tasks', (text: string) => `run: { tasks: { a: ${text} } }`],
  ])('contain no part of a key in %s', (_, yaml) => {
    for (const at of across(80)) {
      const problems: Problem[] = []
      const text = yaml(JSON.stringify(`${'a'.repeat(at)}${key}${'b'.repeat(40)}`))
      readYaml(text, 'bench.config.yaml', Config, problems)
      expect(problems).not.toEqual([])
      expectNone(redact.cut(problems.map(({ what, fix }) => `${what} ${fix}\n`).join('')))
    }
  })

  it('contain no part of a key in text that is not YAML', () => {
    for (const at of across(300)) {
      const problems: Problem[] = []
      readYaml(`a: *${'a'.repeat(at)}${key}${'b'.repeat(300)}`, 'bench.config.yaml', Config, problems)
      expect(problems).toHaveLength(1)
      expectNone(redact.cut(problems[0]?.what ?? ''))
    }
  })
})

it('reasons and check outputs contain no key, wherever the output of tests is cut', async () => {
  const tests = { runner: 'command' as const, command: ['check'], expectTests: 1, timeoutMs: 1000 }
  const task = answerTask({ checks: tests, graders: [{ kind: 'tests', name: 'tests', ...tests }] })
  const strategy = strategyOf(async ({ workspace }) => ({
    stopReason: 'done',
    answer: '1',
    state: { output: (await workspace.check()).output },
  }))
  // Output keeps its last 1,500 characters, a reason its first and last 298.
  for (const at of [
    ...across(1600 - 1500 + key.length),
    ...across(370),
    ...across(1600 - 298 + key.length),
  ]) {
    const stdout = `${'x'.repeat(at)}${key}${'y'.repeat(1600 - at)}`
    const sandbox = async () => ({ ...ended, stdout })
    const { record, steps } = await playTrial({ task, strategy, redact, sandbox, agent: agentOf(() => '1') })
    expect(record.scores?.[0]?.reason).toMatch(/^0 of 1 tests passed/)
    expect(steps.map(({ kind }) => kind)).toEqual(['check', 'grade'])
    expectNone(JSON.stringify([record, steps]))
  }
})

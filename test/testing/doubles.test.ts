import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScripted } from '../../src/agents/scripted.ts'
import { type AgentDouble, failingAfter, scriptedAgent, timingOut } from '../../src/testing.ts'
import { agentContract } from '../helpers/agents/agent-contract.ts'
import { agentRequest, answerTask, codeTask, type Wanted } from '../helpers/agents/agent-request.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

const ask = (double: AgentDouble, wanted: Wanted = {}) =>
  createScripted(double).ask(agentRequest(wanted), new AbortController().signal)
const texts = async (double: AgentDouble, ...asks: Wanted[]) => {
  const given: string[] = []
  for (const wanted of asks) {
    const { text, error } = await ask(double, wanted)
    given.push(error ? `${error.reason}: ${error.message}` : text)
  }
  return given
}

const doubles: Readonly<Record<string, () => AgentDouble>> = {
  scriptedAgent: () => scriptedAgent(['one', { data: { ok: true }, files: { 'a.txt': 'a' } }]),
  'failingAfter 1': () => failingAfter(1, ['one']),
  'failingAfter 0': () => failingAfter(0, [], 'refusal'),
  timingOut: () => timingOut(5000),
}
for (const [name, create] of Object.entries(doubles))
  for (const task of [codeTask(), answerTask()])
    describe(`the double ${name} on ${task.ref}`, () => {
      const folders = () => ({ folder: async () => tempFolder() })
      agentContract({ create: () => createScripted(create()), task, deterministic: false, folders })
    })

describe('a scripted double', () => {
  it('cycles through its replies, for each role and each trial from the first', async () => {
    const double = scriptedAgent(['one', 'two'])
    expect(await texts(double, {}, {}, {})).toEqual(['one', 'two', 'one'])
    expect(await texts(double, { role: 'auditor' }, { trial: { id: 't2' } }, {})).toEqual([
      'one',
      'one',
      'two',
    ])
  })

  it('fails after its last reply if it is told to', async () => {
    const double = scriptedAgent(['one'], { atEnd: 'fail' })
    expect(await texts(double, {}, {})).toMatchSnapshot()
  })

  it('has replies for single roles, and for all others', async () => {
    const double = scriptedAgent({ auditor: ['no', 'yes'], '*': ['work'] })
    const given = await texts(double, { role: 'auditor' }, { role: 'refiner' }, { role: 'auditor' })
    expect(given).toEqual(['no', 'work', 'yes'])
    const strict = scriptedAgent({ auditor: ['no'] })
    expect(await texts(strict, { role: 'constructor' })).toMatchSnapshot()
  })

  it('continues at its place in a resumed trial, whose first asks it never saw', async () => {
    const past = [
      { role: 'code-generator', work: 'produce' },
      { role: 'auditor', work: 'judge' },
    ] as const
    expect(await texts(scriptedAgent(['one', 'two', 'three']), { history: past }, { history: past })).toEqual(
      ['two', 'three'],
    )
  })

  it('records the asks that it received, until it is reset', async () => {
    const double = scriptedAgent(['x'])
    await texts(double, { prompt: 'First?', system: 'Be brief.' }, { prompt: 'Second?', role: 'auditor' })
    expect(double.prompts).toEqual(['First?', 'Second?'])
    expect(double.asks).toMatchObject([{ system: 'Be brief.' }, { role: 'auditor', work: 'produce' }])
    double.reset()
    expect(double.prompts).toEqual([])
    expect(double.asks).toEqual([])
  })

  it('edits files in its workspace', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'old.txt'), '')
    const double = scriptedAgent([{ files: { 'src/new.txt': 'new', 'old.txt': null, 'gone.txt': null } }])
    await ask(double, { folder: async () => folder })
    expect(readFileSync(join(folder, 'src/new.txt'), 'utf8')).toBe('new')
    expect(existsSync(join(folder, 'old.txt'))).toBe(false)
  })

  it.each(['../out.txt', '/tmp/out.txt', 'a/../../out.txt'])(
    'refuses to edit %s, outside of its workspace',
    async (path) => {
      const folder = join(tempFolder(), 'inside')
      const { error } = await ask(scriptedAgent([{ files: { [path]: 'x' } }]), { folder: async () => folder })
      expect(error?.message).toContain(`a reply changes ${path}, which is outside of the workspace`)
    },
  )

  it('states tokens, cost and time, or estimates the tokens', async () => {
    const exact = scriptedAgent([
      { text: 'x', tokens: { input: 7, output: 3 }, costUsd: 0.5, durationMs: 20 },
    ])
    expect(await ask(exact)).toMatchObject({
      ...{ tokens: { input: 7, output: 3, cached: 0 }, costUsd: 0.5, durationMs: 20 },
    })
    const { tokens, costUsd, durationMs } = await ask(scriptedAgent(['some words']), {
      prompt: 'A longer prompt.',
    })
    expect(tokens.input).toBeGreaterThan(tokens.output as number)
    expect([costUsd, durationMs]).toEqual([0, 1000])
  })

  it.each([
    ['no reply', []],
    ['a role without a reply', { auditor: [] }],
    ['no role', {}],
    ['a text in place of a list', 'one'],
  ])('refuses %s when it is made', (_, replies) => {
    expect(() => scriptedAgent(replies as never)).toThrow(/needs an array with at least one reply/)
  })
})

describe('a failing double', () => {
  it('answers some calls, and fails at each one after them', async () => {
    const double = failingAfter(2, ['one'], 'server')
    const failure = 'server: the test double fails after 2 calls'
    expect(await texts(double, {}, {}, {}, {})).toEqual(['one', 'one', failure, failure])
  })
})

describe('a double that times out', () => {
  it('takes its time on the clock of the trial, or that of the ask, and no real time', async () => {
    const started = performance.now()
    expect(await ask(timingOut(600_000))).toMatchObject({
      durationMs: 600_000,
      error: { reason: 'timeout', message: 'no reply in 600000 ms' },
    })
    expect(await ask(timingOut(600_000), { timeoutMs: 300_000 })).toMatchObject({ durationMs: 300_000 })
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

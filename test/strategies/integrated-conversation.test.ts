import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Strategy } from '../../src/strategy.ts'
import { integrated } from '../../strategies/integrated.ts'
import { agentAt } from '../helpers/agents/http-agents.ts'
import { type AnyContext, playTrial, type Setting } from '../helpers/runs/trial.ts'
import type { ModelRequest } from '../model-server/script.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'

const options = { session: true, maxDecisions: 9, maxEvaluations: 2 }
const families = ['anthropic:claude-sonnet-4-5', 'openai-compatible:local-model'] as const

let server: ModelServer
const orchestrated: ModelRequest['messages'][] = []

/** Has the generator work once, and ends; says in each brief which request it was. */
beforeEach(async () => {
  orchestrated.length = 0
  server = await startModelServer(({ system, messages }) => {
    if (!system.includes('You coordinate the work')) return { text: 'Answer: 42' }
    expect(system).toContain('## task')
    orchestrated.push(messages)
    const next = messages.filter(({ role }) => role === 'user').length % 2 === 1 ? 'code-generator' : 'finish'
    return { text: JSON.stringify({ next, brief: `brief ${orchestrated.length}.` }) }
  })
  onTestFinished(() => server.close())
})

async function settingOf(name: string, strategy: Strategy = integrated as Strategy): Promise<Setting> {
  return { agent: await agentAt(name, server.url), strategy, options, mode: 'live' }
}

const asked = () => server.log.filter(({ number }) => number > 0).length
const rolesOf = (messages: ModelRequest['messages']) => messages.map(({ role }) => role)
const texts = (messages: ModelRequest['messages']) => messages.map(({ text }) => text).join('\n')

it.each(families)(
  'integrated keeps one conversation over HTTP and sends only what is new (%s)',
  async (name) => {
    const { record } = await playTrial(await settingOf(name))
    expect(record).toMatchObject({ outcome: { status: 'completed' }, answer: 'Answer: 42' })
    expect(orchestrated.map(rolesOf)).toEqual([['user'], ['user', 'assistant', 'user']])
    const [first = [], second = []] = orchestrated
    // The session is what was said, word for word; the task stands in its system prompt alone.
    expect(second.slice(0, 1)).toEqual(first)
    expect(second[1]?.text).toBe('{"next":"code-generator","brief":"brief 1."}')
    expect(second[2]?.text).toContain('Answer: 42')
    expect(texts(second).split('Answer: 42').length).toBe(2)
  },
)

it('integrated goes on after a crash with its session, and repeats no ask', async () => {
  const setting = await settingOf(families[0])
  const { folder, record } = await playTrial(setting)
  const whole = structuredClone(orchestrated[1])
  const path = join(folder, 'steps.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  // Intent and result of two asks: the orchestrator's second one is still to come.
  writeFileSync(path, lines.slice(0, 4).join('\n').concat('\n'))
  orchestrated.length = 0
  const before = asked()
  const resumed = await playTrial({ ...setting, folder })
  expect(asked() - before).toBe(1)
  expect(orchestrated).toEqual([whole])
  expect(resumed.divergences).toEqual([])
  expect(resumed.record.answer).toBe(record.answer)
  expect((await playTrial({ ...setting, folder, replay: true })).divergences).toEqual([])
})

it('a branch has its own copy of a session, without the words of other branches', async () => {
  const twice: Strategy = {
    ...(integrated as Strategy),
    async run(context: AnyContext) {
      const whole = await integrated.run(context)
      const again = (name: string) =>
        context.branch(name, (inner: AnyContext) => integrated.run({ ...inner, options: context.options }))
      await Promise.all([again('left'), again('right')])
      return whole
    },
  }
  const { record } = await playTrial(await settingOf(families[0], twice))
  expect(record.outcome.status).toBe('completed')
  const root = orchestrated[1] ?? []
  const ends = orchestrated.filter((messages) => messages.length === 7)
  expect(ends).toHaveLength(2)
  for (const end of ends) expect(end.slice(0, 3)).toEqual(root)
  const own = ends.map((end) => texts(end.slice(4)).match(/brief \d+\./g))
  expect(own[0]).not.toEqual(own[1])
  for (const briefs of own) expect(new Set(briefs)).toHaveLength(1)
})

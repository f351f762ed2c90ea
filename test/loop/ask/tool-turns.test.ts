import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { requestHash } from '../../../src/loop/ask/prompt.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { agentThatCalls, toolsOf, turnOf } from '../../helpers/agents/agent-that-calls.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import {
  type AnyContext,
  agentThatReplies,
  answerTask,
  asksIn,
  playTrial,
  type Setting,
  strategyOf,
  toolCallsIn,
} from '../../helpers/runs/trial.ts'

const task = answerTask({ output: 'files', graders: [] }, { 'a.txt': 'alpha\n', 'src/b.txt': 'beta\n' })

/** Plays a trial of one ask, and returns what came of it and the files and error that the strategy sees. */
async function playAsk(
  turns: Parameters<typeof agentThatCalls>[0],
  change: Partial<Setting> & { ask?: (context: AnyContext) => Promise<unknown> } = {},
) {
  const { ask = ({ ask }: AnyContext) => ask('solver', 'one'), ...setting } = change
  const seen: { reply?: unknown; error?: unknown; diff?: string } = {}
  const strategy = strategyOf(async (context) => {
    seen.reply = await ask(context).catch((error: unknown) => {
      seen.error = error
    })
    seen.diff = context.workspace.diff()
    return { stopReason: 'done' }
  })
  const agent = agentThatCalls(turns, { virtualTime: true })
  const played = await playTrial({ agent, strategy, task, tools: toolsOf(), ...setting })
  return { ...played, ...seen, agent }
}

const write = (path: string, content: string) => ['write', { path, content }] as const

describe('an ask with tools', () => {
  it('makes turns and calls as steps under its key, in order, and gives the results back', async () => {
    const { steps, agent, record } = await playAsk([
      [['list'], ['read', { path: 'a.txt' }]],
      [['check'], ['read', { path: 'src/b.txt' }]],
    ])
    expect(steps.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      'ask #0.1',
      'tool #0.1.1',
      'tool #0.1.2',
      'ask #0.2',
      'check #0.2.1.1',
      'tool #0.2.1',
      'tool #0.2.2',
      'ask #0.3',
    ])
    expect(agent.requests[2]?.tools?.turns.map(({ results }) => results)).toMatchSnapshot()
    expect(record).toMatchObject({
      iterations: 1,
      spent: { calls: 3, input: 300, checks: 1 },
      tools: { calls: 4, turns: 3 },
    })
    expect(record.tools).not.toHaveProperty('failed')
  })

  it('is one ask without turns where none took the tools of its document away, whatever it names', async () => {
    const { steps, record, agent } = await playAsk([[['list']]], {
      tools: toolsOf({}),
      ask: ({ ask }) => ask('solver', 'one', { tools: ['workspace', 'notes'] }),
    })
    expect(agent.requests.map(({ tools }) => tools)).toEqual([undefined])
    expect(steps.map(({ key }) => key)).toEqual(['#0'])
    expect(record.tools).toBeUndefined()
  })

  it('counts in the record only if it called a tool', async () => {
    const turns = (request: AgentRequest) =>
      request.prompt.includes('first') && turnOf(request) < 3 ? [['list'] as const] : 'Answer: 42'
    const { record } = await playAsk(turns, {
      ask: async ({ ask }) => [await ask('solver', 'first'), await ask('solver', 'second')],
    })
    expect(record.tools).toMatchObject({ calls: 2, turns: 3, asks: 1 })
  })

  it('is one ask without turns for an agent that calls no tools or uses its own', async () => {
    for (const tools of [undefined, 'own'] as const) {
      const { steps, record } = await playAsk(['Answer: 42'], {
        agent: { ...agentThatReplies('Answer: 42'), ...(tools && { tools }) },
      })
      expect(asksIn(steps).map(({ key }) => key)).toEqual(['#0'])
      expect(record).not.toHaveProperty('tools.calls')
    }
  })

  it('keeps the hash of an ask without tools', async () => {
    const { steps } = await playAsk(['Answer: 42'], { tools: toolsOf({}) })
    const [first] = asksIn(steps) as [AskStep]
    expect(first.key).toBe('#0')
    expect(first.hash).toBe(requestHash(first.agent, first.role, first.prompt, undefined))
  })

  it('gives tools to work of kind produce alone, unless the ask names them, and never write', async () => {
    const plain = await playAsk(['fine'], { ask: ({ ask }) => ask('judge', 'well?') })
    expect(asksIn(plain.steps)[0]?.key).toBe('#0')
    const named = await playAsk(['fine'], {
      ask: ({ ask }) => ask('judge', 'well?', { tools: ['workspace'] }),
    })
    expect(named.agent.requests[0]?.tools?.definitions.map(({ name }) => name)).toEqual([
      'read',
      'list',
      'check',
    ])
  })

  it.each(tableOf<[string[], string[]][]>(import.meta.url, 'takesWords'))(
    'takes the words of --tools for tools that the method has: %j',
    async (tools, expected) => {
      const has = toolsOf({
        workspace: { kind: 'workspace', allow: ['read', 'write', 'check'] },
        memory: { kind: 'memory' },
      })
      for (const role of ['solver', 'judge']) {
        const given = role === 'solver' ? { ...has, given: [] } : has
        const { agent, error } = await playAsk(['fine'], {
          ask: ({ ask }) => ask(role, 'well?', { tools }),
          tools: given,
        })
        expect(error).toBeUndefined()
        expect(agent.requests[0]?.tools?.definitions.map(({ name }) => name)).toEqual(
          expected.filter((name) => role === 'solver' || name !== 'write'),
        )
      }
    },
  )

  it('rejects a word of --tools that the method is not given, and lists those that it is', async () => {
    const { error } = await playAsk(['fine'], {
      ask: ({ ask }) => ask('judge', 'well?', { tools: ['list'] }),
      tools: toolsOf({
        workspace: { kind: 'workspace', allow: ['read', 'write'] },
        memory: { kind: 'memory' },
      }),
    })
    expect(String(error)).toContain(
      'the method has no tool "list". It has: workspace, read, write, memory. Declare',
    )
  })

  it('rejects a tool that the method does not have, and names those that it has', async () => {
    const { error } = await playAsk(['fine'], {
      ask: ({ ask }) => ask('solver', 'one', { tools: ['workspaces'] }),
    })
    expect(String(error)).toContain('the method has no tool "workspaces". Did you mean "workspace"?')
    const { error: none } = await playAsk(['fine'], {
      ask: ({ ask }) => ask('solver', 'one', { tools: ['web'] }),
      tools: undefined,
    })
    expect(String(none)).toContain('has no tool "web". It has none.')
  })

  it('asks for the answer in its last turn, and fails if the agent calls again', async () => {
    const setting = { tools: toolsOf(undefined, { turns: 2 }) }
    const { agent, record } = await playAsk([[['list']]], setting)
    expect(agent.requests.map(({ tools }) => tools?.mustAnswer)).toEqual([false, true])
    expect(record.outcome.status).toBe('completed')
    const again = await playAsk([[write('a.txt', 'new\n')], [['list']]], setting)
    expect(again.error).toBeInstanceOf(AgentError)
    expect(again.error).toMatchObject({ reason: 'tools' })
    expect(String(again.error)).toContain(
      'called list in its last turn, after 1 turn with calls, instead of answering',
    )
    expect(again.diff).toBe('')
    expect(asksIn(again.steps).at(-1)?.error?.reason).toBe('tools')
  })

  it('repairs data that does not parse in the next turn, without tools', async () => {
    const { reply, agent, steps } = await playAsk(
      ({ tools, repair }) => (repair ? '{"ok":true}' : tools?.turns.length ? 'no data' : [['list']]),
      { ask: ({ ask }) => ask('solver', 'one', { shape: z.object({ ok: z.boolean() }) }) },
    )
    expect(reply).toEqual({ ok: true })
    expect(asksIn(steps).map(({ key, attempt, repair }) => [key, attempt, repair ?? false])).toEqual([
      ['#0.1', 1, false],
      ['#0.2', 1, false],
      ['#0.3', 1, true],
    ])
    expect(agent.requests[2]?.tools).toBeUndefined()
  })

  it('retries a turn that failed under its own key', async () => {
    const { steps, record } = await playAsk(
      ({ tools, attempt }) =>
        !tools?.turns.length
          ? [['list']]
          : attempt === 1
            ? { error: { reason: 'exit', message: 'died' } }
            : 'Answer: 42',
      { retries: 2 },
    )
    expect(record).toMatchObject({ outcome: { status: 'completed' }, retries: 1, tools: { turns: 2 } })
    expect(asksIn(steps).map(({ key, attempt }) => `${key}/${attempt}`)).toEqual([
      '#0.1/1',
      '#0.2/1',
      '#0.2/2',
    ])
  })
})

describe('the draft of an ask with tools', () => {
  it('is seen by later calls, and becomes the files with the answer, before its own edits', async () => {
    const { diff, agent, steps, folder } = await playAsk([
      [write('a.txt', 'one\n'), ['read', { path: 'a.txt' }]],
      [write('c.txt', 'new\n'), ['write', { path: 'src/b.txt', delete: true }]],
      'FILE: a.txt\n```\ntwo\n```\n',
    ])
    expect(agent.requests[1]?.tools?.turns[0]?.results[1]?.text).toBe('one\n')
    expect(agent.requests[2]?.workspace.files()).toBeDefined()
    expect(diff).toContain('+two')
    expect(diff).toContain('+new')
    expect(diff).toContain('-beta')
    expect(toolCallsIn(steps).map(({ changeSet }) => changeSet?.source)).toEqual([
      'tool',
      undefined,
      'tool',
      'tool',
    ])
    const again = await playAsk([], { folder, replay: true })
    expect(again.divergences).toEqual([])
    expect(again.diff).toBe(diff)
  })

  it('is dropped where the ask fails', async () => {
    const { diff, error } = await playAsk([
      [write('a.txt', 'one\n')],
      { error: { reason: 'refusal', message: 'no' } },
    ])
    expect(error).toMatchObject({ reason: 'refusal' })
    expect(diff).toBe('')
  })

  it('makes an answer without text no empty one, if it holds changes', async () => {
    const written = await playAsk([[write('a.txt', 'one\n')], ''])
    expect(written.error).toBeUndefined()
    expect(written.diff).toContain('+one')
    const read = await playAsk([[['list']], ''])
    expect(read.error).toMatchObject({ reason: 'empty' })
    const undone = await playAsk([[write('a.txt', 'one\n')], [write('a.txt', 'alpha\n')], ''])
    expect(undone.error).toMatchObject({ reason: 'empty' })
  })
})

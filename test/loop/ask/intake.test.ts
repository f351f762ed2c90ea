import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import {
  type AnyContext,
  agentOf,
  answerTask,
  asksIn,
  playTrial,
  type Setting,
  strategyOf,
} from '../../helpers/runs/trial.ts'

const half = '\ud83d'
const files = answerTask({ output: 'files', editable: ['*.txt'], graders: [] }, { 'a.txt': 'alpha\n' })

/** What strict readers of JSON refuse: an escaped half of a surrogate pair. */
const lone = /\\ud[89a-f][0-9a-f]{2}/
const textsOf = (folder: string) =>
  ['steps.jsonl', 'events.jsonl'].map((name) => readFileSync(join(folder, name), 'utf8')).join('')

async function play(
  run: (context: AnyContext) => Promise<unknown>,
  reply: (request: AgentRequest) => Partial<AgentReply> | string,
  setting: Partial<Setting> = {},
) {
  const requests: AgentRequest[] = []
  const agent = agentOf((request) => {
    requests.push(request)
    return reply(request)
  })
  const seen: unknown[] = []
  const strategy = strategyOf(async (context) => {
    seen.push(await run(context))
    return { stopReason: 'done' }
  })
  const played = await playTrial({ agent, strategy, ...setting })
  return { ...played, requests, seen, again: { agent, strategy, ...setting, folder: played.folder } }
}

describe('a text of an agent is cleaned before it is journaled', () => {
  it('a reply', async () => {
    const { steps, seen, requests, folder } = await play(
      async ({ ask }) => [
        await ask('solver', 'one', { session: 's' }),
        await ask('solver', 'two', { session: 's' }),
      ],
      () => `\uFEFF1${half}\r\nAnswer: 42`,
    )
    const clean = '1\ufffd\nAnswer: 42'
    expect(asksIn(steps).map(({ reply }) => reply)).toEqual([clean, clean])
    expect(seen).toEqual([[clean, clean]])
    expect(requests[1]?.turns).toEqual([{ prompt: expect.any(String), reply: clean }])
    expect(textsOf(folder)).not.toMatch(lone)
  })

  it('an error, a model and a usage', async () => {
    const { steps } = await play(
      ({ ask }) => ask('solver', 'one').catch(String),
      () => ({
        error: { reason: 'server', message: `a${half}\r\nb` },
        model: `m${half}`,
        usage: { [half]: [half] },
      }),
    )
    expect(asksIn(steps)[0]).toMatchObject({
      error: { message: 'a\ufffd\nb' },
      model: 'm\ufffd',
      usage: { '\ufffd': ['\ufffd'] },
    })
  })

  it('a call of a tool; what the provider signed keeps its line ends', async () => {
    const message = [{ signed: 'a\r\nb', text: `c${half}` }]
    const agent = agentThatCalls((request) =>
      request.tools?.turns.length
        ? 'done'
        : {
            text: '',
            toolCalls: [{ id: '1', name: 'write', arguments: '{"path":"a.txt","content":"x\\ud83d\\r\\n"}' }],
            message,
          },
    )
    let text: string | undefined
    const strategy = strategyOf(async ({ ask, workspace }) => {
      await ask('solver', 'one')
      text = workspace.read('a.txt')
      return { stopReason: 'done' }
    })
    const setting = { agent, strategy, task: files, tools: toolsOf() }
    const { steps, folder, record } = await playTrial(setting)
    expect(asksIn(steps)[0]?.message).toEqual([{ signed: 'a\r\nb', text: 'c\ufffd' }])
    expect(text).toBe('x\ufffd\r\n')
    expect(textsOf(folder)).not.toMatch(lone)
    const replayed = await playTrial({ ...setting, folder, replay: true })
    expect([replayed.divergences, text]).toEqual([[], 'x\ufffd\r\n'])
    expect(replayed.record.delivered).toBe(record.delivered)
  })

  it('a file block has \\n as line ends', async () => {
    const written = 'FILE: a.txt\r\n```\r\nbeta\r\n```\r\n'
    const { seen } = await play(
      async ({ ask, workspace }) => {
        await ask('solver', 'one')
        return workspace.read('a.txt')
      },
      () => written,
      { task: files },
    )
    expect(seen).toEqual(['beta\n'])
  })

  it('a file that an agent leaves in its folder keeps its line ends', async () => {
    const agent = agentOf(async ({ workspace }) => {
      writeFileSync(join(await workspace.folder(), 'a.txt'), 'beta\r\n')
      return 'done'
    })
    let text: string | undefined
    const strategy = strategyOf(async ({ ask, workspace }) => {
      await ask('solver', 'one')
      text = workspace.read('a.txt')
      return { stopReason: 'done' }
    })
    await playTrial({ agent, strategy, task: files })
    expect(text).toBe('beta\r\n')
  })
})

it('a text of the method with half of a pair reaches no provider and no file', async () => {
  const { requests, folder, record, again } = await play(
    async ({ ask, checkpoint, note, workspace, outputs, approve }) => {
      workspace.apply([{ path: 'a.txt', content: half }])
      await outputs.write('o.md', half)
      note({ type: 'n', text: half })
      await checkpoint({ text: half })
      await approve(half)
      await ask('solver', half, { system: half, show: { files: half } })
      throw new Error(half)
    },
    () => 'x',
    { task: files },
  )
  expect(JSON.stringify([requests[0]?.prompt, requests[0]?.system, record])).not.toMatch(lone)
  expect(textsOf(folder)).not.toMatch(lone)
  const replayed = await playTrial({ ...again, replay: true })
  expect(replayed.divergences).toEqual([])
  expect({ ...replayed.record, wall: 0 }).toEqual({ ...record, wall: 0 })
})

describe('thoughts', () => {
  const thought = '<think>Is it {"ok":false} or 41?\nAnswer: 41</think>\n'

  it('stay in the ledger and are left out of what is read, also in a replay and a resumed trial', async () => {
    const run = async ({ ask }: AnyContext) => [
      await ask('solver', 'one', { session: 's' }),
      await ask('judge', 'two', { shape: z.object({ ok: z.boolean() }) }),
      await ask('solver', 'three', { session: 's' }),
    ]
    const reply = ({ prompt }: AgentRequest) =>
      prompt.startsWith('two') ? `${thought}{"ok":true}` : `${thought}Answer: 42`
    const { steps, seen, requests, record, again } = await play(run, reply)
    expect(asksIn(steps)[0]?.reply).toBe(`${thought}Answer: 42`)
    expect(asksIn(steps)).toHaveLength(3)
    expect(seen).toEqual([['Answer: 42', { ok: true }, 'Answer: 42']])
    expect(requests[2]?.turns?.map(({ reply }) => reply)).toEqual(['Answer: 42'])
    expect([record.answer, record.passed]).toEqual(['Answer: 42', true])
    seen.length = 0
    const replayed = await playTrial({ ...again, replay: true })
    expect([replayed.divergences, seen, replayed.record.answer]).toEqual([
      [],
      [['Answer: 42', { ok: true }, 'Answer: 42']],
      'Answer: 42',
    ])
    const resumed = await playTrial(again)
    expect([resumed.divergences, resumed.record.answer]).toEqual([[], 'Answer: 42'])
  })

  it('hold no file blocks', async () => {
    const { steps, seen } = await play(
      async ({ ask, workspace }) => {
        await ask('solver', 'one')
        return [workspace.read('a.txt'), workspace.list()]
      },
      () => '<think>\nFILE: draft.txt\n```\ndraft\n```\n</think>\nFILE: a.txt\n```\nbeta\n```\n',
      { task: files },
    )
    expect(seen).toEqual([['beta\n', ['a.txt']]])
    expect(asksIn(steps)[0]?.changeSet?.changes.map(({ path }) => path)).toEqual(['a.txt'])
  })

  it.each([
    [' \n', 'gave an empty reply'],
    ['<think>Is it 41?</think>\n', 'gave only thoughts, and no answer after them'],
    ['<think>Answer: 42', 'gave only thoughts, and no answer after them'],
  ])('alone are an empty reply, also in a replay: %j', async (text, message) => {
    const { steps, record, again } = await play(
      ({ ask, label }) => {
        label({ round: 1 })
        return ask('solver', 'one').catch(String)
      },
      () => text,
    )
    expect(asksIn(steps)[0]?.error).toEqual({ reason: 'empty', message })
    expect(asksIn(steps)[0]?.reply).toBe(text)
    const replayed = await playTrial({ ...again, replay: true })
    expect([replayed.divergences, { ...replayed.record, wall: 0 }]).toEqual([[], { ...record, wall: 0 }])
  })

  it('of a turn that calls tools go back to the model as they came', async () => {
    const agent = agentThatCalls(({ tools }) =>
      tools?.turns.length
        ? `${thought}Answer: 42`
        : { text: thought, toolCalls: [{ id: '1', name: 'list', arguments: '{}' }] },
    )
    const strategy = strategyOf(async ({ ask }) => ({
      stopReason: 'done',
      answer: await ask('solver', 'one'),
    }))
    const { record } = await playTrial({ agent, strategy, tools: toolsOf() })
    expect(agent.requests[1]?.tools?.turns.map(({ text }) => text)).toEqual([thought])
    expect(record.answer).toBe('Answer: 42')
  })
})

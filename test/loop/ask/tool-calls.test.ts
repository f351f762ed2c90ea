import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../../src/schema/ledger/step.ts'
import type { Limits } from '../../../src/schema/limits.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { agentThatCalls, type ScriptedTurn, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { answerTask, playTrial, type Setting, strategyOf, toolCallsIn } from '../../helpers/runs/trial.ts'

const task = answerTask({}, { 'a.txt': 'alpha\n' })
const one = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  return { stopReason: 'done' }
})
const play = (turns: readonly ScriptedTurn[], change: Partial<Setting> = {}) =>
  playTrial({ agent: agentThatCalls(turns), strategy: one, task, tools: toolsOf(), ...change })
const outcomes = (steps: readonly Step[]) => toolCallsIn(steps).map(({ outcome }) => outcome)

describe('the same call of a tool', () => {
  const read = ['read', { path: 'a.txt' }] as const

  it('is not made for the third time, whatever the spaces in its arguments', async () => {
    const { steps, record } = await play([[read, read], [['read', '{ "path" : "a.txt" }']], [read]])
    expect(outcomes(steps)).toEqual(['ok', 'ok', 'repeated', 'repeated'])
    expect(toolCallsIn(steps)[2]?.result).toContain('You have called read with these arguments twice before')
    expect(record.tools).toMatchObject({ calls: 4, turns: 4, failed: { repeated: 2 } })
  })

  it('is made again when files or notes have changed', async () => {
    const recall = ['memory_recall', { query: '' }] as const
    const store = (text: string) => ['memory_store', { title: 't', text }] as const
    const { steps } = await play(
      [
        [read, read, ['write', { path: 'b.txt', content: 'x' }], read],
        [recall, recall, store('one'), recall, recall, recall],
      ],
      {
        tools: toolsOf({
          workspace: { kind: 'workspace', allow: ['read', 'write'] },
          memory: { kind: 'memory' },
        }),
      },
    )
    expect(outcomes(steps).filter((outcome) => outcome === 'repeated')).toHaveLength(1)
    expect(toolCallsIn(steps).at(-1)?.outcome).toBe('repeated')
  })

  it('is no check either: the third one runs nothing', async () => {
    const { steps, record } = await play([[['check'], ['check'], ['check']]])
    expect(outcomes(steps)).toEqual(['ok', 'ok', 'repeated'])
    expect(record.spent.checks).toBe(2)
  })
})

describe('the calls of one turn', () => {
  const reads = (count: number) =>
    Array.from({ length: count }, (_, i) => ['read', { path: `${i}.txt` }] as const)

  it('are made up to 64; the rest get an error, and the next turn may call again', async () => {
    const turns: ScriptedTurn[] = [
      [...reads(64), ['check'], ['write', { path: 'b.txt', content: 'x' }]],
      [['list']],
    ]
    const { steps, record, folder } = await play(turns)
    expect(outcomes(steps).slice(62)).toEqual(['failed', 'failed', 'too-many', 'too-many', 'ok'])
    expect(toolCallsIn(steps)[64]?.result).toMatch(
      /^One turn may make 64 calls, so this call of check was not made/,
    )
    expect(toolCallsIn(steps)[66]?.result).toBe('a.txt')
    expect(record).toMatchObject({ tools: { calls: 67, failed: { 'too-many': 2 } }, spent: { checks: 0 } })
    const again = await play(turns, { folder, replay: true })
    expect(again.divergences).toEqual([])
    expect(again.record.tools).toEqual(record.tools)
  })

  it('that were not made do not count as repeated', async () => {
    const list = ['list'] as const
    const { steps } = await play([[...reads(64), list, list, list], [list]])
    expect(outcomes(steps).slice(64)).toEqual(['too-many', 'too-many', 'too-many', 'ok'])
  })
})

describe('a limit of the trial', () => {
  it.each<[keyof Limits, number, string[]]>([
    ['calls', 2, ['ask #0.1', 'tool #0.1.1', 'ask #0.2', 'tool #0.2.1', 'limit #0.3']],
    ['tokens', 200, ['ask #0.1', 'tool #0.1.1', 'ask #0.2', 'tool #0.2.1', 'limit #0.3']],
    ['costUsd', 0.01, ['ask #0.1', 'tool #0.1.1', 'limit #0.2']],
    ['checks', 1, ['ask #0.1', 'check #0.1.1.1', 'tool #0.1.1', 'ask #0.2', 'limit #0.2.1.1']],
    ['timeMs', 1500, ['ask #0.1', 'tool #0.1.1', 'ask #0.2', 'limit #0.3']],
  ])('in %s counts turns and their checks', async (limit, value, expected) => {
    const call = limit === 'checks' ? 'check' : 'list'
    const turns = [[[call]], [[call]], [[call]]] as ScriptedTurn[]
    const { steps, record, folder } = await play(turns, { limits: { [limit]: value } })
    const names = steps.map(({ kind, key }) => `${kind} ${key}`).filter((name) => !name.startsWith('grade'))
    expect(limit === 'timeMs' ? names.filter((name) => name !== 'tool #0.2.1') : names).toEqual(expected)
    expect(record.outcome).toMatchObject({ status: 'limited' })
    const again = await play(turns, { limits: { [limit]: value }, folder, replay: true })
    expect(again.divergences).toEqual([])
    expect(again.record.outcome).toEqual(record.outcome)
  })

  it('of the ask counts its turns, and leaves the trial going', async () => {
    const limited = strategyOf(async ({ ask }) => {
      const error = await ask('solver', 'one', { limits: { calls: 2 } }).catch((error: unknown) => error)
      return { stopReason: 'done', detail: String(error) }
    })
    const { record } = await play([[['list']], [['list']]], { strategy: limited })
    expect(record.outcome.status).toBe('completed')
    expect(record.detail).toContain('2 of 2 calls used')
  })
})

describe('secrets', () => {
  it('are in no call, result, note or file', async () => {
    const secret = 'sk-live-3f9a8b7c6d5e4f3a2b1c'
    const redact = createRedactor([{ name: 'MY_KEY', value: secret }])
    const { steps, folder } = await play(
      [
        [
          ['write', { path: 'b.txt', content: `key ${secret}\n` }],
          ['read', { path: 'b.txt' }],
          ['memory_store', { title: secret, text: secret }],
          [secret, {}],
        ],
      ],
      {
        ...(redact && { redact }),
        tools: toolsOf({
          workspace: { kind: 'workspace', allow: ['read', 'write'] },
          memory: { kind: 'memory' },
        }),
      },
    )
    expect(JSON.stringify(steps)).not.toContain(secret)
    expect(toolCallsIn(steps)[1]?.result).toBe('key [redacted MY_KEY]\n')
    const again = await play([], {
      folder,
      replay: true,
      tools: toolsOf({
        workspace: { kind: 'workspace', allow: ['read', 'write'] },
        memory: { kind: 'memory' },
      }),
    })
    expect(again.divergences).toEqual([])
  })
})

describe('a text of more than 64 K characters', () => {
  it('goes to a blob, as an argument, a result and a file, and comes back on replay', async () => {
    const long = 'x'.repeat(70_000)
    const turns: ScriptedTurn[] = [
      [
        ['write', { path: 'long.txt', content: long }],
        ['read', { path: 'long.txt' }],
      ],
    ]
    const { steps, folder, record } = await play(turns)
    expect(toolCallsIn(steps)[0]?.call.arguments).toContain(long)
    const again = await play(turns, { folder, replay: true })
    expect(again.divergences).toEqual([])
    expect(again.record.delivered).toBe(record.delivered)
  })
})

describe('a call of a paid agent', () => {
  it('is in the file before the next one begins, so that killing bench loses none', async () => {
    const folder = tempFolder()
    const seen: string[] = []
    // The second call reads the memory's file, so this sees the ledger between the two.
    const toolFiles = new Map([['d', 'text']])
    toolFiles.get = () => {
      seen.push(readFileSync(join(folder, 'steps.jsonl'), 'utf8'))
      return 'text'
    }
    await play([[['list'], ['memory_recall', { query: 'text' }]]], {
      agent: agentThatCalls([[['list'], ['memory_recall', { query: 'text' }]]], { paid: true }),
      folder,
      toolFiles,
      tools: toolsOf({
        workspace: { kind: 'workspace', allow: ['list'] },
        memory: { kind: 'memory', file: { path: 'memo.txt', digest: 'd' } },
      }),
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('"key":"#0.1.1"')
  })
})

describe('notes of the memory', () => {
  const tools = toolsOf({ memory: { kind: 'memory' } })
  const storing = strategyOf(async ({ ask, branch, first, graph }) => {
    const work = (name: string) => async (context: { ask: typeof ask }) => {
      await context.ask('solver', name)
      return name
    }
    await Promise.all([branch('b', work('one')), branch('a', work('two'))])
    await first({ fast: work('three'), slow: work('lost') })
    await graph([
      { id: 'y', after: [], run: work('four') },
      { id: 'x', after: [], run: work('five') },
      { id: 'z', after: ['y', 'x'], run: work('six') },
    ])
    await ask('solver', 'recall')
    return { stopReason: 'done' }
  })
  const notes = agentThatCalls((request) => {
    const text = request.prompt.trim().split('\n').at(-1) as string
    if (request.tools?.turns.length) return { text: 'Answer: 42', durationMs: text === 'lost' ? 9000 : 100 }
    return text === 'recall' ? [['memory_recall', { query: '' }]] : [['memory_store', { title: text, text }]]
  })

  it('are seen in the order of joining (recalled newest first), in no conflict, and the loser of a first leaves none', async () => {
    const { steps, record, folder } = await playTrial({ agent: notes, strategy: storing, task, tools })
    expect(record.outcome).toEqual({ status: 'completed', reason: '' })
    const recalled = toolCallsIn(steps).at(-1)?.result ?? ''
    const places = ['one', 'two', 'three', 'four', 'five', 'six'].map((title) => recalled.indexOf(title))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => b - a))
    expect(recalled).not.toContain('lost')
    const again = await playTrial({ agent: notes, strategy: storing, task, tools, folder, replay: true })
    expect(again.divergences).toEqual([])
  })
})

describe('a write to a file that the task puts back', () => {
  it('is made, and the agent is told that it does not count', async () => {
    const only = answerTask(
      { output: 'files', editable: ['a.txt'] },
      { 'a.txt': 'alpha\n', 'test.txt': 'x\n' },
    )
    const write = (path: string) => ['write', { path, content: 'y' }] as const
    const { steps } = await play([[write('a.txt'), write('test.txt'), ['read', { path: 'test.txt' }]]], {
      task: only,
    })
    expect(toolCallsIn(steps).map(({ result }) => result)).toMatchSnapshot()
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { Interrupted } from '../../../src/loop/branch/recorded-steps.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import type { ResolvedMcpTool } from '../../../src/schema/tool/tool-set.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { agentThatCalls, type ScriptedTurn, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { answerTask, playTrial, type Setting, strategyOf, toolCallsIn } from '../../helpers/runs/trial.ts'
import { mcpFixtures, notesTool, resolved } from '../../helpers/tools/mcp-tools.ts'
import { cutAfter, plainRecord } from '../../helpers/tools/random-calls.ts'

const source = readFileSync(join(mcpFixtures, 'notes.mjs'), 'utf8')
const task = answerTask({}, { 'a.txt': 'alpha\n' })
const one = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  return { stopReason: 'done' }
})
const results = (steps: readonly Step[]) => toolCallsIn(steps).map(({ result }) => result)

/** Plays a trial whose agent has the tools of the notes server, in a program that reads `text`. */
function play(
  turns: Parameters<typeof agentThatCalls>[0],
  tool: ResolvedMcpTool,
  change: Partial<Setting> = {},
  text = source,
) {
  const digest = sha256(text)
  const files = [{ path: 'notes.mjs', digest }]
  const tools = toolsOf({ workspace: { kind: 'workspace', allow: ['write'] }, notes: { ...tool, files } })
  const toolFiles = new Map([[digest, text]])
  const agent = agentThatCalls(turns)
  const setting = { agent, strategy: one, task, tools, toolFiles, ...change }
  return playTrial(setting).then((played) => ({ ...played, agent }))
}

/** How many lines of the ledger there are up to a step. */
function linesUpTo(folder: string, key: string): number {
  const lines = readFileSync(join(folder, 'steps.jsonl'), 'utf8').split('\n').filter(Boolean)
  return lines.findIndex((line) => (JSON.parse(line) as Step).key === key) + 1
}

const count: ScriptedTurn = [['notes__count']]

describe('a server of an ask', () => {
  it('lives from its first call to the end of the ask, sees what was written, and is in the record', async () => {
    const tool = await resolved(notesTool({ workspace: true }))
    const turns: ScriptedTurn[] = [
      count,
      [['write', { path: 'b.txt', content: 'beta\n' }], ['notes__count'], ['notes__files']],
    ]
    const { steps, record, folder } = await play(turns, tool)
    expect(results(steps).filter((result) => result.startsWith('call'))).toEqual(['call 1', 'call 2'])
    expect(results(steps).at(-1)).toContain('b.txt: beta')
    expect(toolCallsIn(steps)[0]).toMatchObject({ durationMs: 500, server: { name: 'notes' }, tool: 'notes' })
    expect(record.tools?.servers).toEqual([{ id: 'notes', name: 'notes', version: '1.0.0' }])
    const again = await play(turns, tool, { folder, replay: true, toolFiles: new Map() })
    expect(again.divergences).toEqual([])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
  })

  it('with a state loses it in a crash: all from its first call on is void and made anew, once', async () => {
    const tool = await resolved(notesTool())
    const turns = [[['write', { path: 'b.txt', content: 'x' }]], count, count] as ScriptedTurn[]
    const { folder, record } = await play(turns, tool)
    const cut = cutAfter(folder, linesUpTo(folder, '#0.3.1'))
    const again = await play(turns, tool, { folder: cut })
    expect(again.agent.requests.map(({ trial }) => trial.key)).toEqual(['#0.3', '#0.4'])
    expect(again.divergences).toEqual([])
    expect(again.begunAnew).toEqual([
      expect.stringMatching(
        /^trial \w+: the MCP server "notes" lost its state when the last session ended, so ask #0 goes on .* \(#0\.2\.1\): 3 steps are made again/,
      ),
    ])
    expect(again.steps.find(({ kind }) => kind === 'void')).toMatchObject({
      keys: ['#0.2.1/1', '#0.3/1', '#0.3.1/1'],
    })
    expect(results(again.steps)).toEqual(['Created b.txt (1 byte).', 'call 1', 'call 2', 'call 1', 'call 2'])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
    const replayed = await play(turns, tool, { folder: cut, replay: true })
    expect(replayed.divergences).toEqual([])
  })

  it('keeps all steps of an ask that has its answer', async () => {
    const tool = await resolved(notesTool())
    const { folder } = await play([count], tool)
    const again = await play([count], tool, { folder: cutAfter(folder, linesUpTo(folder, '#0.2')) })
    expect(again.agent.requests).toEqual([])
    expect(again.divergences).toEqual([])
  })

  it('keeps all steps of an ask whose answer is under repair, also one that waits for its retry', async () => {
    const tool = await resolved(notesTool())
    const shape = z.object({ ok: z.boolean() })
    const strategy = strategyOf(async ({ ask }) => {
      await ask('solver', 'one', { shape })
      return { stopReason: 'done' }
    })
    const script = ({ tools, repair, attempt }: AgentRequest): ScriptedTurn => {
      if (!repair) return tools?.turns.length ? 'no json' : [['notes__count']]
      return attempt === 1 ? { error: { reason: 'network', message: 'gone' } } : '{"ok":true}'
    }
    const change = { strategy, retries: 2 }
    const { folder, record } = await play(script, tool, change)
    const cut = cutAfter(folder, linesUpTo(folder, '#0.3'))
    const again = await play(script, tool, { ...change, folder: cut })
    expect(again.divergences).toEqual([])
    expect(again.agent.requests.map(({ trial, attempt }) => `${trial.key}/${attempt}`)).toEqual(['#0.3/2'])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
  })

  it('that is stateless is asked again only for what has no result', async () => {
    const tool = await resolved(notesTool({ stateless: true }))
    const turns: ScriptedTurn[] = [
      [
        ['notes__add', { a: 1, b: 2 }],
        ['notes__add', { a: 3, b: 4 }],
      ],
    ]
    const { folder, record } = await play(turns, tool)
    const again = await play(turns, tool, { folder: cutAfter(folder, linesUpTo(folder, '#0.1.1')) })
    expect(again.agent.requests.map(({ trial }) => trial.key)).toEqual(['#0.2'])
    expect(results(again.steps)).toEqual(['3', '7'])
    expect(again.divergences).toEqual([])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
  })
})

describe('the same call of a server', () => {
  const outcomes = (steps: readonly Step[]) => toolCallsIn(steps).map(({ outcome }) => outcome)
  const polling = source.replace('count: () =>', "count: () => 'running',\n  old: () =>")
  const add = ['notes__add', { a: 1, b: 2 }] as const

  it('with a state is made as long as its answers differ', async () => {
    const turns = [count, count, count, count, count]
    const tool = await resolved(notesTool())
    const { steps, folder } = await play(turns, tool)
    expect(results(steps)).toEqual(['call 1', 'call 2', 'call 3', 'call 4', 'call 5'])
    const again = await play(turns, tool, { folder, replay: true })
    expect(again.divergences).toEqual([])
  })

  it('with a state is refused after two equal answers, until another call of the server', async () => {
    const turns: ScriptedTurn[] = [count, count, count, [add], count]
    const { steps } = await play(turns, await resolved(notesTool()), {}, polling)
    expect(outcomes(steps)).toEqual(['ok', 'ok', 'repeated', 'ok', 'ok'])
    expect(results(steps)[2]).toContain(
      'got the same answer each time, and have called nothing else of its server',
    )
  })

  it('that is stateless is refused after two', async () => {
    const turns: ScriptedTurn[] = [count, count, [add], count]
    const { steps } = await play(turns, await resolved(notesTool({ stateless: true })))
    expect(outcomes(steps)).toEqual(['ok', 'ok', 'ok', 'repeated'])
  })
})

describe('a server that does wrong', () => {
  const outcomes = (steps: readonly Step[]) => toolCallsIn(steps).map(({ outcome }) => outcome)
  const doing = (code: string) => source.replace('count: () =>', `count: () => { ${code} },\n  old: () =>`)

  it('and answers too much gives the agent an error, and the ask goes on with the same server', async () => {
    const tool = await resolved(notesTool({ max_bytes: 500 }))
    const text = doing("return 'x'.repeat(calls++ === 0 ? 5000 : 5)")
    const { steps, record, agent, folder } = await play([count, count], tool, {}, text)
    expect(outcomes(steps)).toEqual(['too-large', 'ok'])
    expect(results(steps)).toMatchSnapshot()
    expect(agent.requests[1]?.tools?.turns[0]?.results[0]).toMatchObject({ isError: true })
    expect(record).toMatchObject({ outcome: { status: 'completed' }, tools: { failed: { 'too-large': 1 } } })
    const again = await play([count, count], tool, { folder, replay: true }, text)
    expect(again.divergences).toEqual([])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
  })

  it.each([
    [false, ['broken', 'broken'], 'cannot be called any more'],
    [true, ['broken', 'ok'], 'is started again for your next call'],
  ] as const)('and dies in a call ends no trial; stateless: %s', async (stateless, expected, words) => {
    const tool = await resolved(notesTool({ stateless }))
    const text = doing('process.exit(3)')
    const turns: ScriptedTurn[] = [count, [['notes__add', { a: 1, b: 2 }]]]
    const { steps, record, folder } = await play(turns, tool, {}, text)
    expect(outcomes(steps)).toEqual(expected)
    expect(results(steps)[0]).toContain('ended with exit code 3')
    expect(results(steps)[0]).toContain(words)
    expect(record.outcome.status).toBe('completed')
    const again = await play(turns, tool, { folder, replay: true }, text)
    expect(again.divergences).toEqual([])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
  })
})

describe('a call that hangs', () => {
  const hanging = source.replace('count: () =>', 'count: () => { for (;;) {} },\n  old: () =>')

  it('ends with the time of the trial, which is limited then', async () => {
    const tool = await resolved(notesTool())
    const { steps, record } = await play([count], tool, { mode: 'live', limits: { timeMs: 2500 } }, hanging)
    expect(toolCallsIn(steps)[0]).toMatchObject({ outcome: 'timeout' })
    expect(record.outcome).toMatchObject({ status: 'limited' })
  })

  it('ends when the run is interrupted, without a step', async () => {
    const tool = await resolved(notesTool())
    const stop = new AbortController()
    const playing = play([count], tool, { signal: stop.signal }, hanging)
    setTimeout(() => stop.abort(), 300)
    await expect(playing).rejects.toThrow(Interrupted)
  })
})

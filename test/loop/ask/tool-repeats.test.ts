import { describe, expect, it } from 'vitest'
import { countRepeats } from '../../../src/loop/ask/tools.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { agentThatCalls, type ScriptedTurn, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { answerTask, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'

/** Makes calls, and returns which of them were refused. */
function refusals(calls: readonly (readonly [same: string, server: string | undefined, answer: string])[]) {
  const repeats = countRepeats()
  return calls.map(([same, server, answer]) => {
    const isRepeated = repeats.isRepeated({ same, server })
    if (!isRepeated) repeats.add({ same, server }, answer)
    return isRepeated
  })
}

it('a call without a server is refused after two, whatever comes between', () => {
  const calls = ['a', 'a', 'b', 'a', 'b', 'b', 'c'].map((same) => [same, undefined, 'x'] as const)
  expect(refusals(calls)).toEqual([false, false, false, true, false, true, false])
})

it('a call of a server with a state is made as long as its answers differ', () => {
  const calls = ['0', '1', '2', '3', '4'].map((answer) => ['count', 'notes', answer] as const)
  expect(refusals(calls)).not.toContain(true)
})

it('a call of a server with a state is made again after another call of the server, but not after one of another server', () => {
  const poll = ['status', 'jobs', 'running'] as const
  const other = ['add', 'jobs', 'done'] as const
  const elsewhere = ['count', 'notes', '1'] as const
  expect(refusals([poll, poll, poll, other, poll, poll, poll])).toEqual([
    ...[false, false, true],
    ...[false, false, false, true],
  ])
  expect(refusals([poll, poll, elsewhere, poll])).toEqual([false, false, false, true])
})

it('polling a server with a state begins anew when its answer changes', () => {
  const poll = (answer: string) => ['status', 'jobs', answer] as const
  const calls = [poll('running'), poll('done'), poll('done'), poll('done')]
  expect(refusals(calls)).toEqual([false, false, false, true])
})

describe('an agent that repeats itself for ever', () => {
  const list: ScriptedTurn = [['list']]
  const task = answerTask({}, { 'a.txt': 'alpha\n' })
  const strategy = strategyOf(async ({ ask }) => {
    const error = await ask('solver', 'one').catch((error: unknown) => error)
    return { stopReason: 'done', detail: String(error) }
  })
  const play = async (turns: readonly ScriptedTurn[], change: Partial<Setting> = {}) => {
    const agent = agentThatCalls(turns)
    const played = await playTrial({ agent, strategy, task, tools: toolsOf(), ...change })
    return { ...played, last: agent.requests.map(({ tools }) => tools?.mustAnswer).indexOf(true) + 1 }
  }

  it('must answer after three turns with nothing but repeated calls', async () => {
    const { last, steps, record, folder } = await play(Array.from({ length: 30 }, () => list))
    expect(last).toBe(6)
    const asks = steps.filter((step): step is AskStep => step.kind === 'ask')
    expect(asks).toHaveLength(6)
    expect(asks.at(-1)?.error).toMatchObject({
      reason: 'tools',
      message: 'called list in its last turn, after 5 turns with calls, instead of answering',
    })
    const replayed = await play([], { folder, replay: true })
    expect(replayed.divergences).toEqual([])
    expect(replayed.record.detail).toBe(record.detail)
  })

  it('may go on while a turn has a call that is made, and its answer counts', async () => {
    const other = (i: number): ScriptedTurn => [['list'], ['read', { path: `${i}.txt` }]]
    const turns = [list, list, list, list, other(1), list, list, other(2), list, list, list]
    const { last, record } = await play([...turns, 'fine'])
    expect(last).toBe(12)
    expect(record.detail).toBe('fine')
  })
})

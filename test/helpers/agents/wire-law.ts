import { expect } from 'vitest'
import type { AgentReply, ToolTurn } from '../../../src/agents/agent.ts'
import { type Random, seededRandom } from '../../../src/base/random.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Answer, Usage } from '../../model-server/script.ts'
import type { Body } from '../../model-server/wire.ts'
import { agentRequest } from './agent-request.ts'
import { serve } from './http-agents.ts'
import { sentEvents } from './sent-events.ts'
import { callingAgent, toolsWith, turnOf } from './tool-agents.ts'

const draw = (random: Random, most: number) => Math.floor(random() * (most + 1))

/** Draws an answer: a final text, or one to three calls; streamed in odd pieces, signed or not, and often cut. */
export function drawAnswer(random: Random, isLast: boolean, mayLackUsage: boolean): Answer {
  const usage: Usage = {
    input: 500 + draw(random, 5000),
    cached: draw(random, 500),
    cacheWrite: 0,
    cacheWriteHour: 0,
    output: 60 + draw(random, 900),
    reasoning: draw(random, 50),
  }
  const toolCalls = Array.from({ length: 1 + draw(random, 2) }, (_, n) =>
    random() < 0.3
      ? { name: 'check', input: {} }
      : { name: 'read', input: { path: `é😀/${n}/${draw(random, 9)}` } },
  )
  return {
    ...(random() < 0.6 || isLast ? { text: `Ä😀 ${draw(random, 999)} `.repeat(1 + draw(random, 5)) } : {}),
    ...(random() < 0.5 && { thinking: `Hm 😀 ${draw(random, 99)}.`, signature: `c2ln${draw(random, 9)}` }),
    ...(!isLast && { toolCalls }),
    usage: mayLackUsage && random() < 0.15 ? null : usage,
    pieces: draw(random, 1000),
    ...(random() < 0.35 && {
      failure: { kind: 'cut', at: random() * 0.999, clean: random() < 0.4, early: random() < 0.1 },
    }),
  }
}

/** One exchange: what the server was asked and said, and what the agent made of it. */
interface Exchange {
  answer: Answer
  entry: LogEntry
  reply: AgentReply
}

/** Plays asks with tools as a loop does: a failed turn is asked again, calls get results, until there is an answer. */
async function playAsks(name: string, seed: string) {
  const random = seededRandom(seed)
  const answers: Answer[] = []
  const lasts = [2, 4, 5]
  let whole = 0
  const server = await serve(() => {
    const answer = drawAnswer(random, lasts.includes(whole), !name.startsWith('anthropic'))
    answers.push(answer)
    return answer
  })
  const agent = await callingAgent(name, server.url)
  const replies: AgentReply[] = []
  const asks: ToolTurn[][] = [[]]
  while (asks.length <= lasts.length && replies.length < 60) {
    const turns = asks.at(-1) as ToolTurn[]
    const request = agentRequest({ tools: toolsWith([...turns]), prompt: `Ask ${asks.length}.` })
    const reply = await agent.ask(request, new AbortController().signal)
    replies.push(reply)
    if (reply.error) continue
    whole++
    if (reply.toolCalls) turns.push(turnOf(reply, resultsFor(asks.length, turns.length, reply)))
    else asks.push([])
  }
  // A server that was cut off may write its log a moment later.
  await expect.poll(() => server.log.filter(({ number }) => number > 0).length).toBe(replies.length)
  const log = server.log.filter(({ number }) => number > 0).sort((a, b) => a.number - b.number)
  const exchanges = replies.map(
    (reply, i): Exchange => ({ reply, answer: answers[i] as Answer, entry: log[i] as LogEntry }),
  )
  return { exchanges, asks, whole }
}

const resultsFor = (ask: number, turn: number, { toolCalls = [] }: AgentReply) =>
  toolCalls.map((_, i) => ({ text: `result ${ask}.${turn}.${i}`, isError: i === 1 }))

/** Holds what an agent reports of several asks against the server's log: nothing lost, nothing twice, unknown stays null. */
export async function holdAgainstLog(name: string, seed: string): Promise<void> {
  const { exchanges, asks } = await playAsks(name, seed)
  expect(asks).toHaveLength(4)
  for (const exchange of exchanges) checkReply(name, exchange)
  const told = exchanges.map(({ entry }) => sentEvents(name, entry.body as Body))
  // The requests tell of every result once, and of no call of a reply that broke off.
  for (const [i, events] of told.entries()) {
    const results = events.flatMap((event) => (event.kind === 'result' ? [event.text] : []))
    expect(new Set(results).size).toBe(results.length)
    expect(events.filter(({ kind }) => kind === 'call')).toHaveLength(results.length)
    const before = exchanges[i - 1]
    if (before?.reply.toolCalls) {
      const ids = before.reply.toolCalls.map(({ id }) => id)
      expect(
        events.flatMap((event) => (event.kind === 'result' ? [event.id] : [])).slice(-ids.length),
      ).toEqual(ids)
    } else if (before?.reply.error) expect(events).toEqual(told[i - 1])
  }
}

function checkReply(name: string, { answer, entry, reply }: Exchange): void {
  if (reply.error) {
    expect(entry.failure).toBe('cut')
    expect(reply).not.toHaveProperty('toolCalls')
    expect(reply.tokens).toEqual({ input: null, output: null, cached: null })
    expect(reply.costUsd).toBeNull()
    return
  }
  const called = reply.toolCalls?.map((call) => [call.name, JSON.parse(call.arguments)])
  expect(called).toEqual(answer.toolCalls?.map((call) => [call.name, call.input]))
  expect(reply.text).toBe(answer.text ?? '')
  const { input, output, cached } = reply.tokens
  const counts = entry.usage as Usage
  const reported = [counts.input, counts.output, name.startsWith('ollama') ? null : counts.cached]
  // A reply that was cut after its last word may lack its counts; what it has is the server's.
  if (answer.usage === null) expect([input, output]).toEqual([null, null])
  else if (entry.failure === 'cut' && input === null) expect([input, output]).toEqual([null, null])
  else expect([input, output, cached]).toEqual(reported)
}

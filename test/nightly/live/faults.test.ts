import { expect, it } from 'vitest'
import { argv } from '../../helpers/runs/argv.ts'
import { asksOf, recordsOf } from '../../helpers/runs/cli.ts'
import { families, programs } from '../../live/clients.ts'
import {
  liveArgs,
  liveSetting,
  logByTrial,
  markIn,
  patience,
  runLive,
  tokensOf,
} from '../../live/live-run.ts'
import { markOf } from '../../live/methods-model.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Failure } from '../../model-server/script.ts'

const faults = {
  'a rate limit': { kind: 'status', status: 429, retryAfter: '1' },
  'a broken server': { kind: 'status', status: 500 },
  'an overloaded server': { kind: 'status', status: 529 },
  'a stream that is cut': { kind: 'cut' },
  'a connection that closes': { kind: 'cut', early: true },
  'an unreadable event': { kind: 'malformed' },
  'an error in the stream': { kind: 'error-event' },
} as const satisfies Record<string, Failure>
type Fault = keyof typeof faults
const names = Object.keys(faults) as Fault[]

/**
 * The result of each attempt: the reason of its failure or `ok`, whether its tokens were reported, and its number of requests.
 * With more than one request the program itself retried and hid it. If the result depends on what the program had read when the
 * connection broke, both results are listed, with `or` between them.
 */
type Attempts = Readonly<Record<Fault, string>>

const retriedByBench: Attempts = {
  'a rate limit': 'quota reported 1, ok reported 1',
  'a broken server': 'server reported 1, ok reported 1',
  'an overloaded server': 'server reported 1, ok reported 1',
  'a stream that is cut': 'network null 1, ok reported 1',
  'a connection that closes': 'network null 1, ok reported 1',
  'an unreadable event': 'server reported 1, ok reported 1',
  'an error in the stream': 'server null 1, ok reported 1',
}
const byItself: Attempts = {
  'a rate limit': 'ok reported 2',
  'a broken server': 'ok reported 2',
  'an overloaded server': 'ok reported 2',
  'a stream that is cut': 'ok null 2',
  'a connection that closes': 'ok null 2',
  'an unreadable event': 'ok reported 2',
  'an error in the stream': 'ok null 2',
}
const expected: Readonly<Record<(typeof programs)[number]['agent'], Attempts>> = {
  // It asks once more without a stream, after a broken one only at times.
  'claude-cli:claude-sonnet-4-5': {
    ...retriedByBench,
    'a stream that is cut': `${retriedByBench['a stream that is cut']} or ok null 2`,
    'a connection that closes': `${retriedByBench['a connection that closes']} or ok null 2`,
    'an error in the stream': 'ok null 2',
  },
  // It leaves the event out.
  'codex-cli:gpt-5': {
    ...retriedByBench,
    'an unreadable event': 'ok reported 1',
  },
  'gemini-cli:gemini-2.5-pro': { ...retriedByBench, 'an error in the stream': 'quota null 1, ok reported 1' },
  'qwen-cli:qwen3-coder': {
    ...byItself,
    'an unreadable event': 'server reported 1, ok reported 1',
    'an error in the stream': 'quota null 1, ok reported 1',
  },
  'opencode-cli:local-model': byItself,
}

/** A trial for each fault, which hits the first request of it. Gives attempts and requests by fault. */
async function withFaults(agent: string) {
  const faultOf = new Map<string, Fault>()
  const hit = new Set<string>()
  const setting = await liveSetting((request) => {
    const mark = markOf(request)
    const name = faultOf.get(mark) ?? (names[faultOf.size] as Fault)
    faultOf.set(mark, name)
    const answer = { text: '42', thinking: 'Six times seven.', usage: { cached: 3 } }
    if (hit.has(mark)) return answer
    hit.add(mark)
    return { ...answer, failure: faults[name] }
  })
  const { folder } = setting
  await runLive(
    setting,
    argv`${liveArgs(folder, agent, 'ferry-morning', 'baseline')} --epochs ${String(names.length)}`,
  )
  const log = logByTrial(setting)
  return recordsOf(folder).map(({ trial, outcome }) => ({
    fault: faultOf.get(markIn(folder, trial)) as Fault,
    outcome,
    asks: asksOf(folder).filter((ask) => ask.trial === trial),
    requests: log.get(trial) ?? [],
  }))
}

/** What the ledger must hold for requests of one attempt: the sum if the usage of every reply was reported, else null. A refused one counts as 0. */
function inTheLedger(requests: readonly LogEntry[]): unknown[] {
  const generated = requests.filter(({ usage, status }) => usage !== null || status === 0)
  if (generated.length === 0) return [0, 0, 0]
  if (generated.some(({ reported }) => !reported)) return [null, null, null]
  const total = (part: 'input' | 'output' | 'cached') =>
    generated.reduce((sum, { usage }) => sum + (usage?.[part] ?? 0), 0)
  return [total('input'), total('output'), generated[0]?.wire === 'ollama' ? null : total('cached')]
}

it.each(programs)(
  '$agent: after every fault the ledger holds the server’s counts, and null for a reply that broke off',
  async ({ agent }) => {
    for (const { fault, outcome, asks, requests } of await withFaults(agent)) {
      expect(outcome.status).toBe('completed')
      const ways = expected[agent][fault].split(' or ').map((way) => way.split(', '))
      const way = ways.find(({ length }) => length === asks.length) ?? ways[0] ?? []
      const attempts = way.map((one) => one.split(' '))
      const left = [...requests]
      for (const [i, [reason, isReported, count]] of attempts.entries()) {
        const ask = asks[i]
        const own = left.splice(0, Number(count))
        expect([fault, ask?.error?.reason ?? 'ok', ask && tokensOf(ask)]).toEqual([
          fault,
          reason,
          inTheLedger(own),
        ])
        expect(inTheLedger(own)[0] === null ? 'null' : 'reported', fault).toBe(isReported)
      }
      expect([asks.length, left], fault).toEqual([attempts.length, []])
    }
  },
  patience,
)

it.each(families)(
  '$agent: after every fault the ledger holds one request per attempt, with the server’s counts or null',
  async ({ agent }) => {
    for (const { fault, outcome, asks, requests } of await withFaults(agent)) {
      expect(outcome.status).toBe('completed')
      expect(asks.map(tokensOf), fault).toEqual(requests.map((request) => inTheLedger([request])))
      expect(asks.at(-1)?.error).toBeUndefined()
      expect(asks).toHaveLength(2)
    }
  },
  patience,
)

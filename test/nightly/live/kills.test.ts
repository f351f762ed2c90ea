import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import {
  asksOf,
  type Ended,
  intentsOf,
  recordsOf,
  root,
  soon,
  startBench,
  until,
} from '../../helpers/runs/cli.ts'
import { families, programs } from '../../live/clients.ts'
import {
  type LiveSetting,
  liveArgs,
  liveSetting,
  markIn,
  patience,
  runLive,
  tokensOf,
} from '../../live/live-run.ts'
import { markOf } from '../../live/methods-model.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Answer, Failure } from '../../model-server/script.ts'

/** Trials at once, and branches of one that may have a call in flight together. */
const [parallel, branches] = [2, 2]

/** Five asks, each with a prompt of its own: three in turn, two side by side. */
const method = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'five',
  summary: 'Five asks.',
  roles: { solver: 'decide' },
  options: z.object({}),
  async run({ ask, branch }) {
    for (const word of ['one', 'two', 'three']) await ask('solver', 'Say ' + word + '.')
    const say = (word) => branch(word, ({ ask }) => ask('solver', 'Say ' + word + '.'))
    await Promise.all([say('left'), say('right')])
    return { answer: 'said', stopReason: 'done' }
  },
})
`

/** Faults of random requests. Each ends an attempt, unless the program itself repeats the request. */
const faults: readonly Failure[] = [
  { kind: 'status', status: 429, retryAfter: '0' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 529 },
  { kind: 'cut', early: true },
  { kind: 'cut' },
]

/** What is killed, and how often. */
interface Kills {
  agent: string
  kills: number
  /** Trials of five asks. */
  epochs: number
  /** Share of requests that fail; 0 for programs, which repeat them inside an attempt. */
  faultRate: number
}

/** The content of the run folder when a process was killed. */
interface Kill {
  /** Asks whose answer was synced. */
  answered: ReadonlySet<string>
  /** Attempts with an intent and no step. */
  inFlight: number
  /** Requests that had reached the server. */
  asked: number
}

/**
 * Kills a live run at seeded moments, resumes it after each, and holds ledger against server: no request whose result was
 * synced is sent again, at most those in flight are, each reported as maybe paid, and all that was counted stands in the ledger.
 */
async function survivesKills({ agent, kills, epochs, faultRate }: Kills): Promise<void> {
  const random = seededRandom(`live-kills/${agent}`)
  // Requests that are answered in this session; what comes after them hangs, so that no run is over before its last kill.
  let left = 0
  const struck = new Map<string, number>()
  const setting = await liveSetting((request): Answer => {
    if (left-- <= 0) return { failure: { kind: 'hang' } }
    const ask = `${markOf(request)} ${wordIn(JSON.stringify(request.body))}`
    const times = struck.get(ask) ?? 0
    // Bench makes three retries, so that no ask runs out of them.
    const failure =
      times < 2 && random() < faultRate ? faults[Math.floor(random() * faults.length)] : undefined
    if (failure) struck.set(ask, times + 1)
    return { text: 'Said.', usage: { cached: 3 }, failure: failure ?? { kind: 'slow', ms: 60 } }
  })
  const { server, env, folder } = setting
  const file = join(tempFolder(), 'five.mjs')
  writeFileSync(file, method)
  const args = [...liveArgs(folder, agent, 'ferry-morning', file), '--epochs', String(epochs)]

  const past: Kill[] = []
  const sessions: Ended[] = []
  for (let killed = 0; killed < kills; killed++) {
    left = 1 + Math.floor((random() * epochs * 5) / kills)
    const before = server.asked()
    const isBegun = existsSync(join(folder, 'run.json'))
    const bench = startBench(isBegun ? ['--resume', folder, '--quiet'] : args, { env })
    const isEarly = random() < 0.5
    // Somewhere in the middle of a call, or when all hangs.
    await until(() => bench.isOver() || (isEarly ? server.asked() > before : left < 0))
    await soon(random() * 400)
    bench.kill('SIGKILL')
    const ended = await bench.ended
    expect(ended.signal, ended.stderr).toBe('SIGKILL')
    sessions.push(ended)
    past.push(remains(folder, server.asked()))
  }
  left = Number.POSITIVE_INFINITY
  sessions.push(await runLive(setting, ['--resume', folder, '--quiet']))
  expect(recordsOf(folder).map(({ outcome }) => outcome.status)).toEqual(Array(epochs).fill('completed'))
  holds(setting, past, sessions)
}

const wordIn = (text: string) => [...text.matchAll(/Say (one|two|three|left|right)\./g)].at(-1)?.[1] ?? ''

/** Attempts by their ask. Of a lost call only the key is known. */
function attemptsByAsk(folder: string): Map<string, AskStep[]> {
  const asks = asksOf(folder)
  const words = new Map(
    asks.flatMap(({ trial, key, prompt }) => (prompt ? [[`${trial} ${key}`, wordIn(prompt)]] : [])),
  )
  return grouped(asks, ({ trial, key }) => `${trial} ${words.get(`${trial} ${key}`)}`)
}

/** Reads the run folder that a killed process left. */
function remains(folder: string, asked: number): Kill {
  const isAnswered = ([, attempts]: [string, AskStep[]]) =>
    attempts.some(({ error, maybePaid }) => !error && !maybePaid)
  const answered = [...attemptsByAsk(folder)].filter(isAnswered).map(([name]) => name)
  return { answered: new Set(answered), inFlight: intentsOf(folder).length - asksOf(folder).length, asked }
}

/** Holds the ledger against the server's log, ask by ask. */
function holds({ server, folder }: LiveSetting, past: readonly Kill[], sessions: readonly Ended[]): void {
  const trials = new Map(recordsOf(folder).map(({ trial }) => [markIn(folder, trial), trial]))
  const requests = grouped(
    server.log.filter(({ number }) => number > 0),
    ({ body }) => {
      const text = JSON.stringify(body)
      return `${trials.get(/\[([0-9a-f]{24})\]/.exec(text)?.[1] ?? '')} ${wordIn(text)}`
    },
  )
  const steps = attemptsByAsk(folder)
  expect([...steps.keys()].sort()).toEqual([...requests.keys()].sort())

  for (const [name, own] of requests) {
    const attempts = steps.get(name) ?? []
    const known = attempts.filter(({ maybePaid }) => !maybePaid)
    // Of those in flight some had not been sent yet, or were sent and never seen.
    expect(own.length, name).toBeGreaterThanOrEqual(known.length)
    expect(own.length, name).toBeLessThanOrEqual(attempts.length)
    expect(known.filter(({ error }) => !error)).toHaveLength(1)
    for (const { answered, asked } of past)
      if (answered.has(name))
        expect(
          own.filter(({ number }) => number > asked),
          `${name} again`,
        ).toEqual([])
    countsWhatTheServerCounts(own, known)
  }
  for (const { inFlight } of past) expect(inFlight).toBeLessThanOrEqual(parallel * branches)
  expect(
    Math.max(...past.map(({ inFlight }) => inFlight)),
    'some kill must hit a call in flight',
  ).toBeGreaterThan(0)

  const lost = asksOf(folder).filter(({ maybePaid }) => maybePaid)
  expect(lost).toHaveLength(past.reduce((sum, { inFlight }) => sum + inFlight, 0))
  for (const step of lost)
    expect(step).toMatchObject({ payer: 'void', costUsd: null, tokens: { input: null } })
  const reported = sessions.flatMap(({ stderr }) => [
    ...stderr.matchAll(/trial (\w+): (\d+) call\(s\) .*maybe paid/g),
  ])
  expect(reported.reduce((sum, [, , calls]) => sum + Number(calls), 0)).toBe(lost.length)
}

/** Told tokens are the server's own; an attempt without any had no whole reply, and there are not more of them than of these. */
function countsWhatTheServerCounts(requests: readonly LogEntry[], attempts: readonly AskStep[]): void {
  const reported = requests
    .filter((entry) => entry.reported)
    .map(({ usage, wire }) =>
      JSON.stringify([usage?.input, usage?.output, wire === 'ollama' ? null : usage?.cached]),
    )
  for (const attempt of attempts) {
    const own = tokensOf(attempt)
    if (own[0] === null) continue
    const at = reported.indexOf(JSON.stringify(own))
    expect(
      at,
      `${attempt.prompt} has in the ledger ${own}, of which the server knows nothing`,
    ).toBeGreaterThanOrEqual(0)
    reported.splice(at, 1)
  }
  const silent = attempts.filter((attempt) => tokensOf(attempt)[0] === null)
  for (const { error } of silent) expect(error).toBeDefined()
  expect(silent.length).toBeLessThanOrEqual(requests.filter((entry) => !entry.reported).length)
}

function grouped<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return groups
}

it.each(programs)(
  '$agent: after kill -9 no call with a synced result is sent again',
  ({ agent }) => survivesKills({ agent, kills: 2, epochs: 2, faultRate: 0 }),
  patience,
)

it.each(families)(
  '$agent: after kill -9 at several moments and any faults no call with a synced result is sent again',
  ({ agent }) => survivesKills({ agent, kills: 4, epochs: 3, faultRate: 0.3 }),
)

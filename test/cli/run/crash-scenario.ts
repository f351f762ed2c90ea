import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import {
  type Ended,
  intentsOf,
  recordLines,
  root,
  soon,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'
import { expectSame, runOnce } from './determinism-scenario.ts'

/** Paid calls as the agent itself logged them. */
interface Call {
  name: string
  pid: number
}

/** The content of the run folder when a process was killed. */
interface Kill {
  pid: number
  /** Paid calls whose result was journaled. */
  answered: Set<string>
  /** Paid calls with an intent and no result that have not been reported yet. */
  inFlight: string[]
}

const worker = join(root, 'fixtures/agents/paid-worker.mjs')
const strategy = join(root, 'fixtures/strategies/my-strategy.ts')
const graphs = join(root, 'fixtures/graphs/free.yaml')
const files = ['steps.jsonl', 'records.jsonl', 'events.jsonl']

/** The plan of all crash tests: branches side by side, repairs, shapes and a strategy from a file, all of it paid. */
export const paidPlan = [
  ...['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers'],
  ...['--methods', `baseline,sequential[parallel=2,maxOuter=2,maxInner=2],${strategy}`],
]
/** A strategy from a file that runs a graph; its steps never wait for a slot, so that its records do not depend on real time. */
export const graphPlan = [
  ...['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers'],
  ...['--methods', join(root, 'fixtures/strategies/graph-of-steps.ts')],
]

/** A strategy from a file whose branches share outputs and a conversation. */
export const sharedPlan = [
  ...['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers'],
  ...['--methods', join(root, 'fixtures/strategies/shared-work.ts')],
]

/** A strategy from a file whose stages are programs. */
export const stagePlan = [
  ...['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers'],
  ...['--methods', join(root, 'fixtures/strategies/stage-chain.ts')],
]

/** Two workflows of a graph document, with a slot for each step: a referee of a debate and a planned team, and a boss with workers beside other steps. */
export const paidGraphs = [
  ...['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers'],
  ...['--methods', `dag:${graphs},dag:${graphs}#team`],
]

/** The run that is killed, how often, and under which load. */
interface Crash {
  kills: number
  seed: number
  plan?: readonly string[]
  /** Trials in parallel. */
  parallel?: number
  /** Branches of one trial that may have a call in flight together. */
  branches?: number
  /** The longest reply, ms. */
  replyMs?: number
  /** Whether records may differ, because something takes real time. */
  isTimed?: boolean
  /** Options of each session, beside those of the plan. */
  options?: readonly string[]
}

/** Kills a run at seeded moments, resumes it after each, and proves what must hold of calls, steps and records. */
export async function survives({
  kills,
  seed,
  plan = paidPlan,
  parallel = 3,
  branches = 2,
  replyMs = 16,
  isTimed,
  options = [],
}: Crash) {
  const random = seededRandom(`crash/${seed}`)
  const log = join(tempFolder(), 'calls.jsonl')
  const folder = join(tempFolder(), 'run')
  const calm = await runOnce(plan, {}, '--parallel', '1', ...options)
  // Replies are slow enough that no run ends before its last kill.
  const replies = Math.floor(stepsOf(calm.folder).filter(({ kind }) => kind === 'ask').length / (kills + 1))
  expect(replies, 'the plan must have more asks than kills').toBeGreaterThan(0)
  const env = { WORKER_LOG: log, WORKER_MS: String(replyMs) }
  const common = ['--parallel', String(parallel), '--quiet', ...options]

  const past: Kill[] = []
  const sessions: Ended[] = []
  for (let killed = 0; killed < kills; ) {
    const args = existsSync(join(folder, 'run.json')) ? ['--resume', folder] : [...plan, '--out', folder]
    const bench = startBench([...args, ...common], { env: { ...env, WORKER_MOST: String(replies) } })
    // The time counts from the moment when the process works on the folder.
    await until(() => bench.isOver() || existsSync(join(folder, 'steps.jsonl')))
    const before = wholeLines(log).length
    if (random() < 0.5) await until(() => bench.isOver() || wholeLines(log).length > before)
    await soon(random() * 80)
    bench.kill('SIGKILL')
    const ended = await bench.ended
    sessions.push(ended)
    expect(ended, `at kill number ${killed}`).toMatchObject({ signal: 'SIGKILL' })
    killed++
    past.push(remains(folder, bench.pid))
    if (random() < 0.5) tear(folder, random)
  }
  const last = await startBench(['--resume', folder, ...common], { env }).ended
  sessions.push(last)
  expect(last).toMatchObject({ code: 0 })

  const calls = wholeLines(log).map((line) => JSON.parse(line) as Call)
  asksNothingTwice(calls, past, parallel * branches)
  reportsAll(folder, calls, past, sessions)

  const compared = (lines: string[]) => (isTimed ? lines.map(withoutTimes) : lines)
  expectSame(
    { folder, lines: compared(recordLines(folder)), ms: 0 },
    { ...calm, lines: compared(calm.lines) },
  )
  expect(outputsOf(folder)).toEqual(outputsOf(calm.folder))
}

/** Returns the files that methods have written, by path. */
export function outputsOf(folder: string): Record<string, string> {
  const artifacts = join(folder, 'artifacts')
  if (!existsSync(artifacts)) return {}
  const files = readdirSync(artifacts, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    files.map((path) => [path.slice(artifacts.length + 1), readFileSync(path, 'utf8')]),
  )
}

/** Returns a record without durations and times. */
function withoutTimes(line: string): string {
  const isTime = (field: string) => ['durationMs', 'at', 'ms'].includes(field)
  return JSON.stringify(JSON.parse(line), (field, value: unknown) => (isTime(field) ? undefined : value))
}

/** Reads the files that a killed process left, without incomplete last lines. */
function remains(folder: string, pid: number): Kill {
  const left = new Map<string, number>()
  for (const intent of intentsOf(folder)) left.set(nameOf(intent), (left.get(nameOf(intent)) ?? 0) + 1)
  const asks = stepsOf(folder).filter(({ kind }) => kind === 'ask')
  for (const step of asks) left.set(nameOf(step), (left.get(nameOf(step)) ?? 0) - 1)
  return {
    pid,
    answered: new Set(asks.filter(({ payer }) => payer === 'method').map(nameOf)),
    inFlight: [...left].filter(([, count]) => count > 0).map(([name]) => name),
  }
}

/** Ends of files that a power cut may leave. */
function tear(folder: string, random: () => number): void {
  for (const file of files) {
    const line = wholeLines(join(folder, file)).at(-1) ?? '{"trial":"0123","key":"#0"}'
    const torn = line.slice(0, 1 + Math.floor(random() * (line.length - 1)))
    appendFileSync(join(folder, file), random() < 0.5 ? torn : `${torn}\0\0`)
  }
}

/** By the agent's own log: what was answered is never asked again, and only what was in flight is asked again at all. */
function asksNothingTwice(calls: readonly Call[], past: readonly Kill[], mostInFlight: number): void {
  const processes = past.map(({ pid }) => pid)
  const sessionOf = ({ pid }: Call) => (processes.includes(pid) ? processes.indexOf(pid) : past.length)
  for (const call of calls) {
    const earlier = past.slice(0, sessionOf(call))
    expect(
      earlier.some(({ answered }) => answered.has(call.name)),
      `${call.name} was answered before`,
    ).toBe(false)
  }
  const asked = new Map<string, number>()
  for (const { name } of calls) asked.set(name, (asked.get(name) ?? 0) + 1)
  for (const [name, times] of asked) {
    const lost = past.filter(({ inFlight }) => inFlight.includes(name)).length
    expect(times, `${name} was in flight at ${lost} kills`).toBeLessThanOrEqual(1 + lost)
  }
  for (const { inFlight } of past) expect(inFlight.length).toBeLessThanOrEqual(mostInFlight)
  expect(
    past.some(({ inFlight }) => inFlight.length > 0),
    'some kill must hit a call in flight',
  ).toBe(true)
  expect(
    past.some(({ answered }) => answered.size > 0),
    'some kill must come after an answer',
  ).toBe(true)
}

/** Checks that exactly the calls in flight at a kill are in the ledger as maybe paid and were reported on stderr. */
function reportsAll(
  folder: string,
  calls: readonly Call[],
  past: readonly Kill[],
  sessions: readonly Ended[],
): void {
  const intents = count(intentsOf(folder).map(nameOf))
  const steps = stepsOf(folder)
  expect(steps.filter(({ kind }) => kind === 'void')).toEqual([])
  const asks = steps.flatMap((step) => (step.kind === 'ask' ? [step] : []))
  const results = count(asks.filter(({ maybePaid }) => !maybePaid).map(nameOf))
  const lost = count(asks.filter(({ maybePaid }) => maybePaid).map(nameOf))

  for (const [name, times] of intents) {
    expect(results.get(name), `results of ${name}`).toBe(1)
    expect(lost.get(name) ?? 0, `reports of ${name}`).toBe(times - 1)
  }
  expect(new Set(results.keys())).toEqual(new Set(intents.keys()))
  expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(intents.keys()))
  expect(new Set(lost.keys())).toEqual(new Set(past.flatMap(({ inFlight }) => inFlight)))
  for (const step of asks) if (step.maybePaid) expect(step).toMatchObject({ payer: 'void', costUsd: null })

  const reported = sessions.flatMap(({ stderr }) => [
    ...stderr.matchAll(/trial (\w+): \d+ calls? of an earlier session ended without a result/g),
  ])
  const trialsOf = (names: Iterable<string>) => new Set([...names].map((name) => name.split(' ')[0]))
  expect(new Set(reported.map(([, trial]) => trial))).toEqual(trialsOf(lost.keys()))
  for (const { stderr } of sessions) expect(stderr).not.toContain('divergence')
}

const nameOf = ({ trial, key, attempt }: { trial: string; key: string; attempt: number }) =>
  `${trial} ${key} ${attempt}`

function count(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

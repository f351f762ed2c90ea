import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import approve from '../../../src/commands/people/approve.ts'
import { askedTrials } from '../../../src/commands/people/questions.ts'
import { readPeople } from '../../../src/loop/record/people-file.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  benchOk,
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
import { expectSame, runIn } from './determinism-scenario.ts'

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
export const paidPlan = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods baseline,sequential[parallel=2,maxOuter=2,maxInner=2],${strategy}`
/** A strategy from a file that runs a graph; its steps never wait for a slot, so that its records do not depend on real time. */
export const graphPlan = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods ${join(root, 'fixtures/strategies/graph-of-steps.ts')}`

/** A strategy from a file whose branches share outputs and a conversation. */
export const sharedPlan = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods ${join(root, 'fixtures/strategies/shared-work.ts')}`

/** A strategy from a file whose stages are programs. */
export const stagePlan = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods ${join(root, 'fixtures/strategies/stage-chain.ts')}`

/** Two workflows of a graph document, with a slot for each step: a referee of a debate and a planned team, and a boss with workers beside other steps. */
export const paidGraphs = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods dag:${graphs},dag:${graphs}#team`

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
  /** What people say to the nth approval of each trial; trials wait for it, and are answered between two sessions. */
  answers?: readonly string[]
  /** Whether asks may begin anew, since the state of a server was lost. */
  mayVoid?: boolean
  /** The folder in which all is called; an empty one by default. */
  cwd?: string
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
  answers,
  mayVoid = false,
  cwd = tempFolder(),
}: Crash) {
  const random = seededRandom(`crash/${seed}`)
  const log = join(tempFolder(), 'calls.jsonl')
  const folder = join(tempFolder(), 'run')
  const file = join(tempFolder(), 'answers.txt')
  writeFileSync(file, (answers ?? []).map(lineOf).join('\n'))
  const calmly = answers ? ['--approve', `file:${file}`] : []
  const calm = await runIn({ cwd }, [...plan, '--parallel', '1', ...options, ...calmly])
  // Replies are slow enough that no run ends before its last kill.
  const asks = stepsOf(calm.folder).filter(({ kind }) => kind === 'ask').length
  // Sessions that end since all wait for a person are no kills.
  const replies = Math.floor(asks / ((answers ? 2 * kills : kills) + 1))
  expect(replies, 'the plan must have more asks than kills').toBeGreaterThan(0)
  const env = { WORKER_LOG: log, WORKER_MS: String(replyMs) }
  const parked = answers ? ['--approve', 'park'] : []
  const common = ['--parallel', String(parallel), '--quiet', ...options, ...parked]

  const past: Kill[] = []
  const sessions: Ended[] = []
  for (let killed = 0; killed < kills; ) {
    const args = existsSync(join(folder, 'run.json')) ? ['--resume', folder] : [...plan, '--out', folder]
    // On a slow machine chance alone may miss both: the first kill hits a call in flight, the second comes after an answer.
    const slow = killed === 0 ? { WORKER_MS: '2000' } : {}
    const bench = startBench([...args, ...common], {
      env: { ...env, ...slow, WORKER_MOST: String(replies) },
      cwd,
    })
    // The time counts from the moment when the process works on the folder.
    await until(() => bench.isOver() || existsSync(join(folder, 'steps.jsonl')))
    const before = wholeLines(log).length
    const chance = random() < 0.5
    if (killed === 0 || chance) await until(() => bench.isOver() || wholeLines(log).length > before)
    if (killed === 1) await until(() => bench.isOver() || answeredIn(folder).length > 0)
    await soon(random() * 80)
    bench.kill('SIGKILL')
    const ended = await bench.ended
    sessions.push(ended)
    if (answers && ended.code === 4) {
      await answerWaiting(folder, answers, random)
      continue
    }
    expect(ended, `at kill number ${killed}`).toMatchObject({ signal: 'SIGKILL' })
    killed++
    past.push(remains(folder, bench.pid))
    if (random() < 0.5) tear(folder, random)
    if (answers && random() < 0.5) await answerWaiting(folder, answers, random)
  }
  const finish = async () => {
    const ended = await startBench(['--resume', folder, ...common], { env, cwd }).ended
    sessions.push(ended)
    return ended
  }
  let last = await finish()
  while (answers && last.code === 4) {
    await answerWaiting(folder, answers)
    last = await finish()
  }
  expect(last, last.stderr).toMatchObject({ code: 0 })

  const calls = wholeLines(log).map((line) => JSON.parse(line) as Call)
  const voided = voidedCalls(folder)
  if (!mayVoid) expect(voided.size).toBe(0)
  asksNothingTwice(calls, past, voided, parallel * branches)
  reportsAll(folder, calls, past, voided, sessions)

  const compared = (lines: string[]) => (isTimed ? lines.map(withoutTimes) : lines)
  expectSame(
    { folder, lines: compared(recordLines(folder)), ms: 0 },
    { ...calm, lines: compared(calm.lines) },
  )
  expect(outputsOf(folder)).toEqual(outputsOf(calm.folder))
  expect(await benchOk(['replay', folder], { cwd })).toContain('no divergence')
}

const lineOf = (answer: string) => (['yes', 'abort'].includes(answer) ? answer : `feedback: ${answer}`)

/** Answers the trials that wait as a person does; with `random` about half of them, so that others still wait at the next kill. */
async function answerWaiting(folder: string, answers: readonly string[], random?: () => number) {
  const asked = askedTrials(folder, await readPeople(folder))
  for (const { question, state, answer } of asked) {
    if (state !== 'waits' || answer || (random && random() < 0.5)) continue
    const isOwn = (step: Step) => step.kind === 'approval' && step.trial === question.trial
    const said = answers[stepsOf(folder).filter(isOwn).length] ?? 'yes'
    // As the command does, without a process for each answer.
    await approve(folder, question.trial, said)
  }
}

/** How often each call was taken back, by its name. */
function voidedCalls(folder: string): Map<string, number> {
  const steps = stepsOf(folder)
  const asks = new Set(steps.filter(({ kind }) => kind === 'ask').map(nameOf))
  const names = steps.flatMap((step) =>
    step.kind === 'void' ? step.keys.map((key) => `${step.trial} ${key.replace(/\/(\d+)$/, ' $1')}`) : [],
  )
  return count(names.filter((name) => asks.has(name)))
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

/** Names the paid calls whose result is in the journal. */
const answeredIn = (folder: string) =>
  stepsOf(folder)
    .filter(({ kind, payer }) => kind === 'ask' && payer === 'method')
    .map(nameOf)

/** Reads the files that a killed process left, without incomplete last lines. */
function remains(folder: string, pid: number): Kill {
  const left = new Map<string, number>()
  for (const intent of intentsOf(folder)) left.set(nameOf(intent), (left.get(nameOf(intent)) ?? 0) + 1)
  const asks = stepsOf(folder).filter(({ kind }) => kind === 'ask')
  for (const step of asks) left.set(nameOf(step), (left.get(nameOf(step)) ?? 0) - 1)
  return {
    pid,
    answered: new Set(answeredIn(folder)),
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
function asksNothingTwice(
  calls: readonly Call[],
  past: readonly Kill[],
  voided: ReadonlyMap<string, number>,
  mostInFlight: number,
): void {
  const processes = past.map(({ pid }) => pid)
  const sessionOf = ({ pid }: Call) => (processes.includes(pid) ? processes.indexOf(pid) : past.length)
  for (const call of calls) {
    const earlier = past.slice(0, sessionOf(call))
    expect(
      !voided.has(call.name) && earlier.some(({ answered }) => answered.has(call.name)),
      `${call.name} was answered before`,
    ).toBe(false)
  }
  const asked = new Map<string, number>()
  for (const { name } of calls) asked.set(name, (asked.get(name) ?? 0) + 1)
  for (const [name, times] of asked) {
    const lost = past.filter(({ inFlight }) => inFlight.includes(name)).length
    expect(times, `${name} was in flight at ${lost} kills`).toBeLessThanOrEqual(
      1 + lost + (voided.get(name) ?? 0),
    )
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
  voided: ReadonlyMap<string, number>,
  sessions: readonly Ended[],
): void {
  const intents = count(intentsOf(folder).map(nameOf))
  const steps = stepsOf(folder)
  const asks = steps.flatMap((step) => (step.kind === 'ask' ? [step] : []))
  const results = count(asks.filter(({ maybePaid }) => !maybePaid).map(nameOf))
  const lost = count(asks.filter(({ maybePaid }) => maybePaid).map(nameOf))

  for (const [name, times] of intents) {
    const again = voided.get(name) ?? 0
    expect(results.get(name), `results of ${name}`).toBe(1 + again)
    expect(lost.get(name) ?? 0, `reports of ${name}`).toBe(times - 1 - again)
  }
  // Each call that reached the agent is in the bill.
  for (const [name, times] of count(calls.map(({ name }) => name)))
    expect(intents.get(name), `${name} in the bill`).toBeGreaterThanOrEqual(times)
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)
  const twice = sum(lost) + sum(voided)
  const told = /(\d+) calls? may have been charged twice/.exec(sessions.at(-1)?.stderr ?? '')?.[1]
  expect(Number(told ?? 0), 'calls that the last session tells').toBe(twice)
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

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sumRunBill } from '../../src/loop/record/run-bill.ts'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import type { Tokens } from '../../src/schema/tokens.ts'
import { level } from '../helpers/house/level.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import {
  bench,
  type Ended,
  intentsOf,
  recordLines,
  recordsOf,
  root,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../helpers/runs/cli.ts'

/** Twenty attempts in a hundred; slow replies really take 30 s where time is real, so they are for the simulation. */
const rates =
  'timeout=0.02,rate-limit=0.03,server=0.03,dropped=0.03,exit=0.02,malformed=0.03,empty=0.02,wrong-blocks=0.02'
const statuses = ['completed', 'limited', 'failed', 'error']

/** A call in the provider's log. */
interface Booked {
  name: string
  tokens: Tokens
}

const asksOf = (folder: string) =>
  stepsOf(folder).flatMap((step): AskStep[] => (step.kind === 'ask' ? [step] : []))
const nameOf = ({ trial, key, attempt }: { trial: string; key: string; attempt: number }) =>
  `${trial} ${key} ${attempt}`
const grouped = <Item extends { name: string }>(items: readonly Item[]) => {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(item.name, [...(groups.get(item.name) ?? []), item])
  return groups
}

/** Checks that each planned trial has one record with an outcome, and that bills of records agree with the ledger. */
function nothingLost(folder: string, trials: number): void {
  const records = recordsOf(folder)
  expect(records).toHaveLength(trials)
  expect(new Set(records.map(({ trial }) => trial)).size).toBe(trials)
  expect(records.filter(({ outcome }) => !statuses.includes(outcome.status))).toEqual([])
  const sum = (of: (record: (typeof records)[number]) => number) =>
    records.reduce((all, record) => all + of(record), 0)
  expect(sumRunBill(folder).method).toMatchObject({
    input: sum(({ spent }) => spent.input),
    output: sum(({ spent }) => spent.output),
    calls: sum(({ spent }) => spent.calls),
    unreportedTokens: sum(({ spent }) => spent.unreportedTokens),
  })
}

/** The ledger against the provider's own log: to the token where usage was told, null and listed where it was not. */
function agreesWithProvider(folder: string, booked: readonly Booked[]): void {
  const byName = grouped(booked)
  const steps = grouped(asksOf(folder).map((step) => ({ ...step, name: nameOf(step) })))
  let reported = 0
  let unreported = 0
  for (const [name, ofName] of steps) {
    const calls = byName.get(name) ?? []
    const lost = ofName.filter(({ maybePaid }) => maybePaid)
    const answered = ofName.filter(({ maybePaid }) => !maybePaid)
    const reached = answered.filter(
      ({ fault }) => !['timeout', 'rate-limit', 'server', 'exit'].includes(fault ?? ''),
    )
    // A call in flight at a kill may have reached the provider or not.
    expect(calls.length, name).toBeGreaterThanOrEqual(reached.length)
    expect(calls.length, name).toBeLessThanOrEqual(reached.length + lost.length)
    for (const { fault, tokens } of answered) {
      if (fault === 'rate-limit' || fault === 'server')
        expect(tokens).toEqual({ input: 0, output: 0, cached: 0 })
      else if (fault === 'timeout' || fault === 'dropped' || fault === 'exit') {
        expect(tokens.input).toBeNull()
        unreported++
      } else {
        expect(tokens, name).toEqual(calls[0]?.tokens)
        reported += (tokens.input ?? 0) + (tokens.output ?? 0)
      }
    }
  }
  expect([...byName.keys()].filter((name) => !steps.has(name))).toEqual([])
  const { method, void: taken } = sumRunBill(folder)
  const lost = asksOf(folder).filter(({ maybePaid }) => maybePaid).length
  expect(method.input + method.output + taken.input + taken.output).toBe(reported)
  expect(method.unreportedTokens + taken.unreportedTokens).toBe(unreported + lost)
  // Every intent has a result or is reported as lost once.
  const intents = grouped(intentsOf(folder).map((intent) => ({ name: nameOf(intent) })))
  for (const [name, times] of intents) expect(steps.get(name)?.length, name).toBe(times.length)
}

/** A multiple of 16, with faults in a fifth of the attempts. */
const trials = level(208, 2000)

const epochs = String(trials / 16)

it(`${trials} paid trials with faults in a fifth of the attempts, killed and resumed: none is lost or double, and the ledger is the provider's`, async () => {
  const folder = join(tempFolder(), 'run')
  const log = join(tempFolder(), 'calls.jsonl')
  const env = { WORKER_LOG: log }
  const worker = join(root, 'fixtures/agents/paid-worker.mjs')
  const plan = argv`--mode live --agents scripted:${worker} --tasks answers
    --methods baseline,sequential[maxOuter=1,maxInner=1] --epochs ${epochs} --out ${folder}
    --inject ${rates},kill=0.001`
  const common = ['--parallel', '8', '--quiet']
  const first = startBench([...plan, ...common], { env })
  await until(() => first.isOver() || wholeLines(log).length > 300)
  first.kill('SIGKILL')
  let last: Ended = await first.ended
  let kills = 0
  const session = async (...more: string[]) => {
    last = await bench(['--resume', folder, ...common, ...more], { env })
    while (last.signal === 'SIGKILL') {
      kills++
      last = await bench(['--resume', folder, ...common, ...more], { env })
    }
    expect(last.code, last.stderr).toBe(
      recordsOf(folder).some(({ outcome }) => outcome.status === 'error') ? 1 : 0,
    )
  }
  await session()
  const provider = () => wholeLines(log).map((line) => JSON.parse(line) as Booked)
  nothingLost(folder, trials)
  agreesWithProvider(folder, provider())
  const found = new Set(asksOf(folder).map(({ fault }) => fault))
  for (const rate of rates.split(',')) expect([...found]).toContain(rate.split('=')[0])
  const share = asksOf(folder).filter(({ fault }) => fault).length / asksOf(folder).length
  expect(share).toBeGreaterThan(0.17)
  expect(share).toBeLessThan(0.23)

  // Trials in error run again until none is left; their earlier cost stays in the bill.
  const errors = () => recordsOf(folder).filter(({ outcome }) => outcome.status === 'error').length
  const before = errors()
  for (let again = 0; errors() > 0 && again < 10; again++) await session('--retry-errors')
  expect(errors()).toBe(0)
  nothingLost(folder, trials)
  agreesWithProvider(folder, provider())
  const { method, void: taken } = sumRunBill(folder)
  process.stdout.write(
    `${trials} trials, ${asksOf(folder).length} attempts, ${kills + 1} kills, ${before} in error run again; ${method.input + method.output} tokens, ${taken.input + taken.output} of nobody\n`,
  )
}, 900_000)

it(`${trials} simulated trials with every kind of fault come out alike at --parallel 8 and 1, without waiting`, async () => {
  const plan = (parallel: string) => {
    const folder = join(tempFolder(), 'run')
    return {
      folder,
      args: argv`--tasks answers --methods baseline,sequential --epochs ${epochs} --out ${folder}
        --inject ${rates},slow=0.02 --inject auditor:malformed=0.2 --quiet --parallel ${parallel}`,
    }
  }
  const [wide, narrow] = [plan('8'), plan('1')]
  for (const { args } of [wide, narrow]) expect((await bench(args)).signal).toBeUndefined()
  nothingLost(wide.folder, trials)
  expect(recordLines(wide.folder)).toEqual(recordLines(narrow.folder))
  const waited = recordsOf(wide.folder).reduce((sum, { waitMs = 0 }) => sum + waitMs, 0)
  expect(waited).toBeGreaterThan(trials * 300)
  expect(new Set(asksOf(wide.folder).map(({ fault }) => fault))).toContain('slow')
}, 600_000)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { packageRoot } from '../../src/base/package-root.ts'
import { runOverview } from '../../src/reports/run-overview.ts'
import { safeText } from '../../src/reports/words/safe-text.ts'
import { TrialRecord } from '../../src/schema/ledger/record.ts'
import type { PastSession } from '../../src/schema/ledger/session.ts'
import { RunManifest } from '../../src/schema/run/run.ts'
import { tableOf } from '../helpers/house/tables.ts'

it('safe text keeps lines, tabs and letters of every script', () => {
  const text = 'Grüße\n\tπ 漢字 👩‍💻'
  expect(safeText(text)).toBe(text)
  expect(safeText('a\r\nb')).toBe('a\nb')
})

const given: z.input<typeof RunManifest> = tableOf(import.meta.url, 'given')

it('the overview of a run names the agents of methods that have their own', () => {
  const linesOf = (agents: Record<string, string>) => {
    const own = { ada: 'openai:m', orchestrator: 'ollama:n' }
    const [first, second] = given.methods
    const manifest = RunManifest.parse({ ...given, agents, methods: [first, { ...second, agents: own }] })
    const overview = runOverview({
      ...{ manifest, records: [], sessions: [], run: 'r' },
      ...{ resume: 'bench run --resume r', inBlocks: 0 },
    })
    return overview.split('\n').filter((line) => line.startsWith('  agents'))
  }
  const own = '  agents   of sequential: ada=openai:m, orchestrator=ollama:n'
  expect(linesOf({})).toEqual([own])
  expect(linesOf({ '*': 'simulated' })).toEqual(['  agents   simulated', own])
})

it('the overview of a run shows its settings and each trial by task', () => {
  const records = readFileSync(join(packageRoot(), 'fixtures/records/simulated.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => TrialRecord.parse(JSON.parse(line)))
  const manifest = RunManifest.parse(given)
  const budgets = { run: { costUsd: 1 }, methods: { sequential: { tokens: 9000 } } }
  const begun = { type: 'begin', startedAt: '2025-01-01T00:00:01.000Z', parallel: 2, budgets } as const
  const stopped = {
    scope: 'run',
    limit: 'costUsd',
    of: 1,
    used: 1.02,
    over: 0.02,
    unreported: 0,
    stopped: true,
  } as const
  const sessions: PastSession[] = [
    { ...begun, end: { type: 'end', ms: 5000, reason: 'limit', limits: [stopped] } },
    { ...begun, budgets: { run: {}, methods: {} }, end: undefined },
  ]
  expect(
    runOverview({
      manifest,
      records,
      sessions,
      run: 'results/r1',
      resume: 'bench run --resume results/r1',
      inBlocks: 0,
    }),
  ).toMatchInlineSnapshot(`
    "Run r1
      created  2025-01-01T00:00:00.000Z, bench 0.1.0, Node 20.20.2, linux
      code     commit abc, with changes that are not committed
      mode     dev, simulated: numbers describe profile typical, not the methods
      tasks    1 (all)
      method   baseline (baseline) {}
      method   sequential {"maxInner":3}
      agents   simulated
      limits   each trial 5,000 tokens
      retries  none
      session  2025-01-01T00:00:01.000Z, 5.0 s, stopped by a limit; limits: run $1.00 (simulated); method sequential 9,000 tokens
               limit of the run: $1.02 of $1.00 (simulated) used; $0.0200 over; it stopped the run
      session  2025-01-01T00:00:01.000Z, not ended, or killed
      plan     9 trials, 1 epoch, seed 7

    built-in/add
      00f8432b542c  baseline, epoch 1  passed  score 1.00  1,200 tokens  cost $0.0100  20.0 s  simulated
      7f4506fcfde1  sequential, epoch 1  passed  score 1.00  5,000 tokens  cost $0.0500  90.0 s  simulated

    built-in/parse
      1a78d3370ca9  baseline, epoch 1  not passed  score 0.00  2,200 tokens  cost $0.0200  20.0 s  simulated
      9aab9b2e9c51  sequential, epoch 1  passed  score 1.00  5,000 tokens  cost $0.0500  90.0 s  simulated

    built-in/graph
      1f7376dce5f2  baseline, epoch 1  not passed  score 0.00  3,200 tokens  cost $0.0300  20.0 s  simulated
      5f4917376fc4  sequential, epoch 1  not passed  score 0.00  5,000 tokens  cost $0.0500  90.0 s  simulated  limited: tokens: 5000 of 5000 spent

    built-in/sum
      dd307da13218  baseline, epoch 1  passed  score 1.00  4,200 tokens  cost $0.0400  20.0 s  simulated
      61491b8e54d9  sequential, epoch 1  missing (error)  400 tokens  cost $0.00200  90.0 s  simulated  error: network: connection reset

    8 trials of 9 recorded: 4 passed, 3 not passed, 1 missing (error).
    1 not run yet: bench run --resume results/r1
    One trial as a story: bench show results/r1 TRIAL
    "
  `)
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { askToLook } from '../../src/commands/compare/interim-look.ts'
import { runState, stateText } from '../../src/commands/runs.ts'
import { ownLockText } from '../../src/loop/record/lock.ts'
import * as records from '../../src/loop/record/records.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { manifest } from '../helpers/runs/run-files.ts'

let ended: ('completed' | 'error')[] = []

beforeEach(() => {
  const read = vi.spyOn(records, 'readRecords').mockImplementation(function* () {
    for (const status of ended) yield { outcome: { status }, spent: { costUsd: 0.25 } } as TrialRecord
  })
  return () => read.mockRestore()
})

const begin = {
  type: 'begin',
  startedAt: '2026-01-01T00:00:00.000Z',
  parallel: 1,
  budgets: { run: {}, methods: {} },
}

/** The words for a run of three trials whose last session ended so; null: it was killed. */
function wordsOf(trials: typeof ended, end: object | null, lock?: string, plan = {}, more = {}): string {
  ended = trials
  const folder = join(tempFolder(), 'run')
  mkdirSync(folder)
  const begun = { ...begin, ...more }
  const lines = end ? [begun, { type: 'end', ms: 1, limits: [], ...end }] : [begun]
  writeFileSync(join(folder, 'sessions.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  if (lock !== undefined) writeFileSync(join(folder, 'lock'), lock)
  return stateText(runState(folder, { trials: 3, ...plan }))
}

const two = ['completed', 'completed'] as const

it.each([
  ['whole', [...two, 'completed'], { reason: 'whole' }],
  ['whole, with 1 error', [...two, 'error'], { reason: 'whole' }],
  ['interrupted', [...two], { reason: 'whole' }],
  ['stopped by a limit', [...two], { reason: 'limit' }],
  ['waiting for a person', [...two], { reason: 'parked' }],
  ['paused', [...two], { reason: 'paused' }],
  ['interrupted', [...two], { reason: 'interrupted' }],
  ['interrupted', [...two], { reason: 'killed' }],
  ['interrupted', [...two], null],
  [
    'stopped in vain, with 2 errors',
    ['error', 'error'],
    { reason: 'interrupted', why: 'no ask is answered' },
  ],
] as const)('a run is %s', (words, trials, end) => expect(wordsOf([...trials], end)).toBe(words))

const stop = { sequence: 'mcnemar', alpha: 0.05, comparisons: 1, hopedTasks: 3 } as const
const stopping = { family: 'all-pairs', outcome: 'success', margin: null, stop } as const

it('a session that ended whole ends a run only by its stop rule: a joined run has it from a shard', () => {
  const whole = { reason: 'whole' }
  expect(wordsOf([...two], whole, undefined, { comparison: stopping })).toBe('whole')
  const joined = { of: 2, shards: [] }
  const shard = { index: 1, of: 2 }
  expect(wordsOf([...two], whole, undefined, { joined }, { shard })).toBe('joined, unfinished')
  expect(wordsOf([...two, 'error'], whole, undefined, { joined }, { shard })).toBe('whole, with 1 error')
  expect(wordsOf([...two], { reason: 'paused' }, undefined, { joined })).toBe('paused')
})

it('a run is running while a process holds its folder, and interrupted when that process has ended', () => {
  expect(wordsOf([...two], null, ownLockText(0))).toBe('running')
  const gone = JSON.stringify({ ...JSON.parse(ownLockText(0)), pid: 2 ** 22 + 7 })
  expect(wordsOf([...two], null, gone)).toBe('interrupted')
})

const live = { ...manifest, simulated: false, trials: 3 }
const looks = (changes: Partial<typeof manifest>, peek = false) =>
  askToLook('results/x', { ...live, ...changes }, { command: 'report', peek })

it('a look at a live run that is not whole is refused, with what has ended and what the look voids', async () => {
  ended = ['completed', 'error']
  await expect(looks({})).rejects.toThrow(
    /2 of 3 trials have ended, 1 with an error, \$0\.500 spent\. .*tests for a fixed number of tasks are void.*--peek/,
  )
})

it('a look needs no asking with --peek, at a simulated, whole or empty run, or with a stop rule', async () => {
  ended = ['completed', 'error']
  await looks({}, true)
  await looks({ simulated: true })
  await looks({ trials: 2 })
  await looks({ comparison: stopping })
  ended = []
  await looks({})
})

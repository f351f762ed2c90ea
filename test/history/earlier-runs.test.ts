import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compareWithEarlier } from '../../src/history/earlier-runs.ts'
import { pastText } from '../../src/reports/claims/sure.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import type { RunManifest } from '../../src/schema/run/run.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { manifest, record } from '../helpers/runs/run-files.ts'
import { writeRun } from '../helpers/runs/write-run.ts'

const { spent } = record('x')
const tasks = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
  ref: `suite/${name}`,
  digest: name.repeat(64),
}))

/** A run of six tasks of which the first `passed` pass, each for about `costUsd`. */
const trials = (passed: number, costUsd: number, change: Partial<TrialRecord> = {}): Partial<TrialRecord>[] =>
  tasks.map(({ ref }, i) => ({
    ...{ task: ref, passed: i < passed, spent: { ...spent, costUsd: costUsd * (1 + i / 100) } },
    ...change,
  }))

/** Writes runs of these days; returns what the last one says of those before it. */
function pastOf(...runs: [changes: Partial<RunManifest>, records: Partial<TrialRecord>[], torn?: true][]) {
  const folder = tempFolder()
  let said = ''
  runs.forEach(([changes, records, torn], i) => {
    const run = join(folder, `run-${i}`)
    const own = writeRun(run, { tasks, createdAt: `2026-01-0${i + 1}T00:00:00.000Z`, ...changes }, records)
    if (torn) appendFileSync(join(run, 'records.jsonl'), 'x\n')
    said = pastText(compareWithEarlier(run, own, {}))
  })
  return said
}

it('says the success of earlier runs of the same tasks, and how far the cost is from theirs', () => {
  const jitter = trials(4, 0.01).map((one, i) => ({
    ...one,
    spent: { ...spent, costUsd: 0.0085 + 0.0004 * (i % 3) },
  }))
  expect(
    pastOf([{}, trials(4, 0.01)], [{}, trials(3, 0.01)], [{}, trials(5, 0.01)], [{}, jitter]),
  ).toMatchSnapshot()
})

it('says nothing of other tasks, kinds, agents, faults, and of runs that are damaged, not whole, or later', () => {
  const now = [{}, trials(4, 0.01)] as const
  const others: Parameters<typeof pastOf> = [
    [{ tasks: tasks.slice(1) }, trials(4, 0.01)],
    [{ tasks: tasks.map((task) => ({ ...task, digest: 'f'.repeat(64) })) }, trials(4, 0.01)],
    [{ simulated: true, mode: 'dev' }, trials(4, 0.01, { simulated: true })],
    [{}, trials(4, 0.01, { agents: 'test:other' })],
    [{}, trials(4, 0.01, { faults: 'timeout=0.05' })],
    [{}, trials(4, 0.01), true],
    [{ trials: 12 }, trials(4, 0.01)],
    [{ createdAt: '2027-01-01T00:00:00.000Z' }, trials(4, 0.01)],
  ]
  for (const other of others) expect(pastOf(other, [...now]), JSON.stringify(other[0])).toBe('')
})

it('a copy of an earlier run is no other run', () => {
  expect(
    pastOf([{ id: 'one' }, trials(4, 0.01)], [{ id: 'one' }, trials(4, 0.01)], [{}, trials(3, 0.01)]),
  ).toMatch(/1 earlier run[^s]/)
})

it('says that a method was changed, and that its cost is the same or unknown', () => {
  const methods = manifest.methods.map((method) => ({ ...method, options: { other: 1 } }))
  expect(pastOf([{}, trials(4, 0.01)], [{ methods }, trials(4, 0.01)])).toMatchSnapshot()
  const unknown = trials(6, 0.01, { spent: { ...spent, costUsd: null, unreportedCost: 1 } })
  expect(pastOf([{}, trials(4, 0.01)], [{}, unknown])).toMatchSnapshot()
})

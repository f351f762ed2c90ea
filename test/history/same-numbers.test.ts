import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentsLabel } from '../../src/analysis/summarize.ts'
import { reportRun } from '../../src/commands/report/report-run.ts'
import { findHistory } from '../../src/history/find-history.ts'
import { answerQuery } from '../../src/history/queries.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import type { RunManifest } from '../../src/schema/run/run.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { record } from '../helpers/runs/run-files.ts'
import { imported, writeRun } from '../helpers/runs/write-run.ts'

const { spent } = record('x')
const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, i) => ({
  ...{ ref: `suite/${name}`, digest: `${i}`.repeat(64) },
  ...(i < 4 && { cluster: i % 2 === 0 ? 'even' : 'odd' }),
}))
const methods = (['A', "B's"] as const).map((label) => ({
  ...{ label, strategy: 'baseline', options: {}, digest: 'e5'.repeat(32), roles: ['solver', 'judge'] },
}))
const byRole = { solver: 'test:model', judge: 'test:other, "quoted"' }

/** What can happen to a trial, each with other numbers. */
const kindsOfTrials: readonly ((n: number) => Partial<TrialRecord>)[] = [
  (n) => ({ passed: true, spent: { ...spent, costUsd: 0.01 * (n + 1) } }),
  (n) => ({ passed: n % 3 === 0, score: 0.25, spent: { ...spent, input: 17 * n, costUsd: 0.003 * n } }),
  () => ({ passed: false, score: 0, outcome: { status: 'limited', reason: 'calls' } }),
  () => ({ passed: null, score: null, outcome: { status: 'error', reason: 'network' } }),
  () => ({ passed: null, score: null, outcome: { status: 'cancelled', reason: 'by a person' } }),
  () => ({ passed: null, score: null }),
  () => ({ passed: false, spent: { ...spent, costUsd: 0, calls: 0, input: 0, output: 0 } }),
]
const unknownCosts: readonly ((n: number) => Partial<TrialRecord>)[] = [
  () => ({ passed: true, spent: { ...spent, costUsd: null, unreportedCost: 1, unreportedTokens: 1 } }),
  () => ({ passed: true, spent: { ...spent, costUsd: 0.5, unreportedCost: 2, calls: 3 } }),
  () => ({ passed: true, spent: { ...spent, costUsd: null, calls: 0 } }),
]

function records(happens: typeof kindsOfTrials): Partial<TrialRecord>[] {
  return methods.flatMap(({ label }, m) =>
    tasks.flatMap(({ ref }, t) =>
      [1, 2, 3].map((epoch) => {
        const n = 31 * m + 7 * t + epoch
        return { method: label, agents: byRole, task: ref, epoch, ...happens[n % happens.length]?.(n) }
      }),
    ),
  )
}

const runs: Record<string, Partial<TrialRecord>[]> = {
  'all kinds of trials': records(kindsOfTrials),
  'unknown costs': records([...kindsOfTrials, ...unknownCosts]),
  'one agent': records(kindsOfTrials).map((one) => ({ ...one, agents: 'test:model' })),
  'injected faults': records(kindsOfTrials).map((one) => ({ ...one, faults: 'timeout=0.05' })),
  'results [*] of another harness?': records(kindsOfTrials).map((one) => ({ ...one, imported: true })),
}

it('gives the numbers of bench report for every row, whatever happened to its trials', async () => {
  const folder = tempFolder()
  const manifests = new Map<string, RunManifest>()
  for (const [name, own] of Object.entries(runs)) {
    const passed = own.filter((one) => one.passed).length
    manifests.set(
      name,
      writeRun(
        join(folder, name),
        {
          tasks,
          methods,
          epochs: 3,
          ...(name.includes('another') && { imported: imported(passed) }),
        },
        own,
      ),
    )
  }
  const { rows } = await answerQuery('runs', findHistory(folder))
  expect(findHistory(folder).leftOut).toEqual([])
  expect(rows.length).toBe(2 * manifests.size)
  for (const [name, manifest] of manifests) {
    const { summary } = await reportRun(join(folder, name), manifest)
    for (const row of summary.methods) {
      const own = rows.find(({ run, method }) => run === name && method === row.method)
      const { planned: _, notRun: __, ...trials } = row.trials
      const { cached: ___, ...tokens } = row.tokens
      expect(near(own), `${name} ${row.method}`).toMatchObject(
        near({
          ...{ agents: row.agents, tasks: row.tasks, trials, tokens, success: row.success, score: row.score },
          ...{ cost: row.cost, costPerSuccess: row.costPerSuccess },
        }) as object,
      )
      expect(own?.agents).toBe(agentsLabel(runs[name]?.[0]?.agents ?? ''))
    }
  }
})

/** The same with twelve digits: sums of dollars depend on their order in the last one. */
const near = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'number' ? Number(one.toPrecision(12)) : one))

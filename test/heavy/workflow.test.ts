import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkflowRecord } from '../../src/schema/method/workflow-record.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, recordsOf } from '../helpers/runs/cli.ts'

const measured = (run: string) =>
  recordsOf(run).flatMap((record) =>
    record.state?.collaboration ? [{ record, flow: WorkflowRecord.parse(record.state.collaboration) }] : [],
  )

it('a workflow runs on every built-in task as declared, with unreadable outputs and useful revisions', async () => {
  const cwd = tempFolder()
  await benchOk(argv`--tasks all --methods collaboration --grade-candidates --out run`, {
    cwd,
  })
  const records = recordsOf(join(cwd, 'run'))
  const flows = records.map(({ state }) => WorkflowRecord.parse(state?.collaboration))
  expect(records.length).toBeGreaterThan(20)
  for (const { fidelity, outcome } of records)
    expect([fidelity, outcome.status]).toEqual([{ status: 'kept' }, 'completed'])
  expect(flows.filter(({ conversions }) => conversions.failed > 0).length).toBeGreaterThan(1)
  expect(
    records.some(
      ({ passed, candidates }, i) =>
        (flows[i]?.iterations ?? 0) > 0 && passed && candidates?.[0]?.passed === false,
    ),
  ).toBe(true)
})

it('a workflow takes its loops: an unreadable output, and a revision that turns wrong into right', async () => {
  const cwd = tempFolder()
  const tasks = 'line-patch,ferry-morning,duration-text'
  const options = ['--grade-candidates', '--out', 'run']
  await benchOk(['--tasks', tasks, '--methods', 'collaboration', ...options], { cwd })
  const all = measured(join(cwd, 'run'))
  expect(new Set(all.map(({ flow }) => flow.workflow)).size).toBe(3)
  expect(all.every(({ flow }) => flow.conversions.done > 0)).toBe(true)
  expect(all.some(({ flow }) => flow.conversions.failed > 0)).toBe(true)
  const turned = all.filter(
    ({ record, flow }) => flow.iterations > 0 && record.passed && record.candidates?.[0]?.passed === false,
  )
  expect(turned.length).toBeGreaterThan(0)
})

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkflowRecord } from '../../src/schema/workflow-record.ts'
import { benchOk, recordsOf } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

it('runs a workflow on every built-in task as declared, with outputs that cannot be read and revisions that help', async () => {
  const cwd = tempFolder()
  await benchOk(['--tasks', 'all', '--methods', 'collaboration', '--grade-candidates', '--out', 'run'], {
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

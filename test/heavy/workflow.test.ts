import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkflowRecord } from '../../src/schema/method/workflow-record.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { benchOk, recordsOf } from '../helpers/runs/cli.ts'

const measured = (run: string) =>
  recordsOf(run).flatMap((record) =>
    record.state?.collaboration ? [{ record, flow: WorkflowRecord.parse(record.state.collaboration) }] : [],
  )

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

import { describe, expect, it } from 'vitest'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, recordsOf } from '../../helpers/runs/cli.ts'

const { tasks } = await selectTasks('long', 1)

describe('the suite long', { timeout: 120_000 }, () => {
  it.each(tasks)('$ref passes its reference, and no wrong solution', async (task) => {
    const gradeOf = async (files = {}) => (await gradeLeft(task, { files })).scores[0]?.value
    expect(await gradeOf(task.hidden.solution?.files)).toBe(1)
    expect(await gradeOf()).toBe(0)
    for (const { files } of Object.values(task.hidden.mutants ?? {}))
      expect(await gradeOf(files)).toBeLessThan(0.7)
  })

  it('gives the summaries of sequential something to shorten, and the first screen no reason to warn', async () => {
    const cwd = tempFolder()
    const ended = await bench(
      ['run', '--tasks', 'long', '--methods', 'sequential', '--no-config', '--out', 'r'],
      {
        cwd,
      },
    )
    expect(ended.code, ended.stderr).toBe(0)
    const totals = recordsOf(`${cwd}/r`).map(({ state }) => state?.summaryTotals as { shortened: number })
    expect(totals.map(({ shortened }) => shortened > 0)).toEqual([true, true])
    expect(ended.stdout).not.toContain('summarising')
  })
})

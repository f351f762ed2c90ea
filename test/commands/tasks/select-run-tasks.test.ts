import { expect, it } from 'vitest'
import { skipTasksWithoutTools } from '../../../src/commands/tasks/select-run-tasks.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

it('a task that requires a missing Python package is not run, and the warning says how to install it', async () => {
  const problems: Problem[] = []
  const [free, bound] = [sampleTask({}), sampleTask({ spec: { requires: ['node', 'python:bench-no-such'] } })]
  const { tasks, warnings } = await skipTasksWithoutTools([free, bound], problems)
  expect(tasks).toEqual([free])
  expect(warnings).toEqual([
    expect.stringMatching(
      /^1 task\(s\) are not run: they require python:bench-no-such, which is not installed\. (Install it with `python3 -m pip install bench-no-such`\.|Install Python 3)/,
    ),
  ])
  expect(problems).toEqual([])
  await skipTasksWithoutTools([bound], problems)
  expect(problems).toEqual([expect.objectContaining({ where: '--tasks', what: 'no task can be run' })])
})

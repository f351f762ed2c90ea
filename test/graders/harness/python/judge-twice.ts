import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { spec, stub } from './twice.ts'

/** The reason of a score of one test that passed. */
export const passed = '1 of 1 tests passed'

/** Grades a solution of `twice` by one `check(candidate)` with this body; returns the reason of the score. */
export async function judgeTwice(source: string, lines: string, settings: Record<string, unknown> = {}) {
  const { timeoutMs, start, ...fields } = { timeoutMs: 20_000, start: stub, ...settings }
  const task = sampleTask({
    files: { 'solution.py': start },
    tests: { 'check.py': `def check(candidate):\n${lines.replace(/^/gm, '    ')}\n` },
    spec: {
      ...spec,
      ...fields,
      graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1, timeoutMs }],
    },
  })
  return (await gradeLeft(task, { files: { 'solution.py': source } })).scores[0]?.reason
}

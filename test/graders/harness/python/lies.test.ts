import { expect } from 'vitest'
import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { pythonForms, pythonLies } from '../../../helpers/graders/python-lies.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { spec } from './twice.ts'

needs('python3').it('Python tests reject every deceptive value, in any form of assertion', async () => {
  const task = sampleTask({
    files: { 'solution.py': '' },
    tests: { 'check.py': pythonForms },
    spec: {
      ...spec,
      entryPoint: 'answer',
      graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1 }],
    },
  })
  const { scores } = await gradeLeft(task, { files: { 'solution.py': pythonLies } })
  expect(scores[0]?.reason).toBe('1 of 1 tests passed')
})

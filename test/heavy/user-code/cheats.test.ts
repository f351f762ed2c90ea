import { describe, expect, it } from 'vitest'
import { cheatsOf } from '../../helpers/graders/cheats.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

describe('a solution that takes over the channel to the tests', { timeout: 60_000 }, () => {
  it('fails with each of a sample of cheats', async () => {
    const graders = [{ kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs: 2000 }]
    const hurried = codeTask({ spec: { graders } })
    const all = Object.entries(cheatsOf(hurried)).filter((_, at) => at % 12 === 0)
    expect(all.length).toBeGreaterThan(2)
    for (const [name, files] of all) expect((await gradeLeft(hurried, { files })).passed, name).toBe(false)
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPool } from '../../../src/agents/mutants/mutant-pool.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { shippedFile, shippedVerdicts } from '../../../src/graders/verdicts/shipped-verdicts.ts'
import { readVerdicts, verdictsBasis, writeVerdicts } from '../../../src/graders/verdicts/verdict-file.ts'
import { trySubmission } from '../../../src/loop/proof/try-submission.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { VerdictsBasis } from '../../../src/schema/ledger/verdict.ts'
import type { Task } from '../../../src/schema/task.ts'
import { loadTaskFolder } from '../../../src/suites/native.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const [task] = loadTaskFolder(join(packageRoot(), 'tasks/code/duration-text')).tasks as [Task]
let basis: VerdictsBasis
beforeAll(async () => {
  basis = await verdictsBasis('without')
})

class Ran extends Error {}
const runsNothing: SandboxRun = () => Promise.reject(new Ran('a program was started'))

/** The wrong solutions of a task, where any program that is started is an error. */
const poolOf = (of: Task, folder?: string) =>
  buildPool(
    of,
    trySubmission(runsNothing, new AbortController().signal, undefined, shippedVerdicts(folder)),
    {
      cache: undefined,
    },
  )

/** A folder with what is shipped for this Node, of another basis or changed otherwise. */
async function shipped(change: Partial<VerdictsBasis> = {}, as = basis): Promise<string> {
  const folder = tempFolder()
  const { verdicts } = await readVerdicts(join(packageRoot(), 'fixtures/verdicts', shippedFile(basis)))
  writeVerdicts(join(folder, shippedFile(as)), { ...as, ...change }, verdicts.values())
  return folder
}

describe('the verdicts that come with bench', () => {
  it('make the wrong solutions of a built-in task without running anything', async () => {
    const { wrong } = await poolOf(task)
    expect(wrong).toHaveLength(4)
    expect(wrong.some(({ passesVisible }) => passesVisible)).toBe(true)
    expect(await poolOf(task, await shipped())).toEqual({ wrong })
  })

  it('are of the task as it was: another test, check or limit makes them miss', async () => {
    await expect(poolOf({ ...task, digest: 'another' })).rejects.toThrow(Ran)
  })

  it.each([
    ['other programs for tests', { programs: 'others' }],
    ['another Node', { node: '18' }],
    ['a Python', { python: '3.12' }],
  ])('are not used where they were made with %s, whatever the name of the file is', async (_, change) => {
    await expect(poolOf(task, await shipped(change))).rejects.toThrow(Ran)
  })

  it('are missed, not trusted, where the file is damaged or gone', async () => {
    const folder = await shipped()
    await expect(poolOf(task, folder)).resolves.toBeDefined()
    writeFileSync(join(folder, shippedFile(basis)), 'cut')
    await expect(poolOf(task, folder)).rejects.toThrow(Ran)
    await expect(poolOf(task, tempFolder())).rejects.toThrow(Ran)
  })

  it('depend on Python for tasks in Python alone', async () => {
    const python = { ...task, spec: { ...task.spec, requires: ['python3'] } }
    expect(shippedFile({ node: '20', python: '3.11' })).toBe('node-20-python-3.11.jsonl.gz')
    expect((await verdictsBasis('without')).python).toBeNull()
    // For this task the file would be another one.
    const folder = await shipped()
    expect(await shippedVerdicts(folder)(task)).toBeDefined()
    const found = await shippedVerdicts(folder)(python)
    expect(found === undefined || (await verdictsBasis()).python === null).toBe(true)
  })

  it('are those of this Node, and there are some for Node 24', async () => {
    const { basis: other } = await readVerdicts(join(packageRoot(), 'fixtures/verdicts/node-24.jsonl.gz'))
    expect(other).toEqual({ ...basis, node: '24' })
  })
})

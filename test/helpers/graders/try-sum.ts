import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SubmissionRunner } from '../../../src/agents/mutants/mutant-pool.ts'
import type { Files } from '../../../src/schema/task.ts'
import type { CheckResult } from '../../../src/strategy.ts'

const run = promisify(execFile)

/** The visible and hidden cases of the task `sum`: [values, limit, sum]. */
const visibleCases = [[[1, 2, 3], 1, 5]] as const
const hiddenCases = [...visibleCases, [[], 0, 'none < 1'], [[1], 1, 'none < 1'], [[4, -9, 5], 0, 9]] as const

const program = `
import { readFileSync } from 'node:fs'
const { sum } = await import('./sum.mjs').catch(() => ({}))
const passes = ([values, limit, expected]) => {
  try { return sum(values, limit) === expected } catch { return false }
}
process.stdout.write(JSON.stringify(JSON.parse(readFileSync('cases.json', 'utf8')).map(passes)))
`

/** Runs the task's function in a separate process. Returns the cases that passed. */
async function passedCases(files: Files, cases: readonly unknown[], timeoutMs: number): Promise<boolean[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sum-'))
  try {
    writeFileSync(join(folder, 'sum.mjs'), files['src/sum.mjs'] ?? '')
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
    writeFileSync(join(folder, 'run.mjs'), program)
    const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: folder, timeout: timeoutMs })
    return JSON.parse(stdout)
  } catch {
    return cases.map(() => false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Really runs submissions of `codeTask`: its visible case, then all. */
export const trySum: SubmissionRunner = async (task, submission) => {
  if (!('files' in submission)) throw new Error('sum wants files')
  const started = performance.now()
  const grader = task.spec.graders[0]
  const timeoutMs = grader?.kind === 'tests' ? grader.timeoutMs : 0
  const passed = await passedCases(submission.files, hiddenCases, timeoutMs)
  return {
    visible: checkOf(passed.slice(0, visibleCases.length)),
    passed: passed.every(Boolean),
    quality: passed.filter(Boolean).length / passed.length,
    ms: performance.now() - started,
  }
}

function checkOf(passed: readonly boolean[]): CheckResult {
  const count = passed.filter(Boolean).length
  const status = count === passed.length ? 'passed' : 'failed'
  return {
    status,
    passed: count,
    total: passed.length,
    output: status === 'passed' ? '' : 'sum of [1,2,3] over 1 is wrong',
  }
}

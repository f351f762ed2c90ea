import { describe, expect, it } from 'vitest'
import { readSummary } from '../../../src/graders/test-run/run-command.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'

describe('the summary of a test command', () => {
  it.each([
    [
      'TAP of node:test',
      '# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n',
      { passed: 2, failed: 1 },
    ],
    ['text of node:test', 'ℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\n', { passed: 1, failed: 1 }],
    ['pytest', '==== 1 failed, 3 passed, 1 skipped in 0.12s ====\n', { passed: 3, failed: 1 }],
    ['pytest, quiet', '2 passed in 0.01s\n', { passed: 2, failed: 0 }],
    ['pytest with errors', '=== 1 passed, 2 errors in 0.5s ===\n', { passed: 1, failed: 2 }],
    ['unittest', '.F.\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n', { passed: 2, failed: 1 }],
    ['unittest with skips', 'Ran 4 tests in 0.001s\n\nOK (skipped=1)\n', { passed: 3, failed: 0 }],
    ['jest', 'Tests:       1 failed, 4 passed, 5 total\n', { passed: 4, failed: 1 }],
    ['nothing of the kind', 'all good, 5 apples\n', undefined],
  ])('is read from %s', (_, output, counts) => {
    expect(readSummary(output)).toEqual(counts)
  })
})

describe('a command as grader', () => {
  const task = (command: string[], expectTests = 3) =>
    codeTask({ spec: { graders: [{ kind: 'tests', runner: 'command', command, expectTests }] } })
  const node = [process.execPath, 'tests/sum.test.mjs']
  const judge = async (of: ReturnType<typeof task>, source: string) =>
    (await gradeLeft(of, { files: { 'src/sum.mjs': source } })).scores[0]

  it('counts the tests in its summary', async () => {
    expect(await judge(task(node), rightSum)).toMatchObject({ value: 1, tests: { passed: 3, total: 3 } })
    expect(await judge(task(node), rightSum.replace('a * 2', 'a'))).toMatchObject({
      tests: { passed: 2, total: 3 },
    })
    expect(await judge(task(node, 4), rightSum)).toMatchObject({ value: 0.75 })
  })

  it('reports the same each time', async () => {
    const wrong = rightSum.replace('a * 2', 'a')
    expect(await judge(task(node), wrong)).toEqual(await judge(task(node), wrong))
  })

  it('trusts the exit code if there is no summary', async () => {
    expect(await judge(task([process.execPath, '-e', '0']), rightSum)).toMatchObject({ value: 1 })
    expect(await judge(task([process.execPath, '-e', 'process.exit(2)']), rightSum)).toMatchObject({
      value: 0,
    })
  })

  it('does not trust a summary with a failing exit code', async () => {
    const command = [process.execPath, '-e', 'console.log("# pass 3\\n# fail 0"); process.exitCode = 1']
    expect(await judge(task(command), rightSum)).toMatchObject({ value: 0 })
  })
})

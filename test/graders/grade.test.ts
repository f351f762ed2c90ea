import { describe, expect, it } from 'vitest'
import { runChecks } from '../../src/graders/check.ts'
import { grade, isGradable, satisfiesRule, undeliveredText } from '../../src/graders/grade.ts'
import { finalFiles } from '../../src/graders/grader.ts'
import { createResultMemory, judgedKey, remember } from '../../src/graders/result-memory.ts'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import type { SandboxResult, SandboxRun } from '../../src/sandbox/sandbox.ts'
import type { Task } from '../../src/schema/task.ts'
import { InfrastructureError } from '../../src/text/errors.ts'
import { gradeLeft } from '../helpers/graders/grader-contract.ts'
import { codeTask, rightSum, sampleTask, sumTests } from '../helpers/runs/sample-task.ts'
import { agentThatReplies, playTrial, strategyOf } from '../helpers/runs/trial.ts'

const { signal } = new AbortController()

describe('text that a delivered file leaves out', () => {
  const task = sampleTask({
    files: { 'a.js': '// ... existing code ...\n' },
    spec: { editable: ['*.js'], graders: [{ kind: 'pattern', name: 'p', require: ['never there'] }] },
  })
  const reasonOf = async (path: string, content: string) => {
    const files = { ...task.files, [path]: content }
    const run = () => Promise.reject(new Error('starts nothing'))
    return (await grade(task, { files, answer: undefined, run, signal })).scores[0]?.reason
  }

  it.each([
    '// ... rest of the file unchanged ...',
    '… rest unchanged …',
    '# ... existing code ...',
    '    /* ... other styles ... */',
    '<!-- ... rest of the page ... -->',
    '# rest of the code',
    '// the other methods remain unchanged ...',
    '[... unchanged ...]',
    '// ... other instructions omitted for brevity',
  ])('is told in the reason of a score: %s', async (line) => {
    const told = `"b.js" holds ${JSON.stringify(line.trim())} in place of text`
    expect(await reasonOf('b.js', `let x = 1\n${line}\n`)).toContain(told)
  })

  it.each([
    '// returns the remaining items',
    '...',
    'x = 1 # unchanged',
    '# Keep the rest of the list sorted',
  ])('is not told where a line means itself: %s', async (line) =>
    expect(await reasonOf('b.js', `${line}\n`)).not.toContain('in place of text'),
  )

  it("is not told of a line of the task's own file", async () => {
    expect(await reasonOf('a.js', 'let x\n// ... existing code ...\n')).not.toContain('in place of text')
  })
})

describe('what is graded', () => {
  const task = sampleTask({
    files: { 'src/a.mjs': 'a', 'lib/b.mjs': 'b', 'package.json': '{}' },
    spec: { editable: ['src/**', '*.md'] },
  })

  it("consists of the method's editable files and the task's other files", () => {
    const left = {
      'src/a.mjs': 'A',
      'src/.hidden/new.mjs': 'N',
      'lib/b.mjs': 'B',
      'lib/c.mjs': 'C',
      'note.md': 'x',
    }
    expect(finalFiles(task, left)).toEqual({
      'src/a.mjs': 'A',
      'src/.hidden/new.mjs': 'N',
      'lib/b.mjs': 'b',
      'package.json': '{}',
      'note.md': 'x',
    })
  })

  it('lacks an editable file that was deleted', () => {
    expect(Object.keys(finalFiles(task, {})).sort()).toEqual(['lib/b.mjs', 'package.json'])
  })

  it('drops invalid paths', () => {
    const open = sampleTask({ files: { lib: 'l' }, spec: { editable: ['src/**', 'lib/*'] } })
    const left = {
      'src/../../x': '',
      'src/a\0': '',
      [`src/${'n'.repeat(300)}`]: '',
      'src/x': '',
      'src/x/y': '',
      'lib/z': '',
    }
    expect(finalFiles(open, left)).toEqual({ lib: 'l', 'src/x/y': '' })
  })

  it('does not depend on changes outside of what is editable', async () => {
    const files = { 'src/sum.mjs': rightSum, 'tests/sum.test.mjs': 'broken(', 'package.json': 'broken' }
    expect((await gradeLeft(codeTask(), { files })).passed).toBe(true)
  })
})

describe('the rule over scores', () => {
  const scores = (...values: number[]) => values.map((value) => ({ name: 'x', value, reason: '' }))

  it('requires all, any, or a mean', () => {
    expect(satisfiesRule('all', scores(1, 1))).toBe(true)
    expect(satisfiesRule('all', scores(1, 0.99))).toBe(false)
    expect(satisfiesRule('any', scores(0, 1))).toBe(true)
    expect(satisfiesRule('any', scores(0.99, 0.5))).toBe(false)
    expect(satisfiesRule({ mean: 2 / 3 }, scores(1, 1, 0))).toBe(true)
    expect(satisfiesRule({ mean: 0.7 }, scores(1, 1, 0))).toBe(false)
  })

  it('is applied to every grader of the task', async () => {
    const graders = [
      { kind: 'exact', name: 'first', answer: 'x' },
      { kind: 'pattern', name: 'second', require: ['y'] },
    ]
    const both = sampleTask({ spec: { output: 'answer', editable: [], graders } })
    const either = sampleTask({ spec: { output: 'answer', editable: [], graders, rule: 'any' } })
    expect(await gradeLeft(both, { answer: 'x' })).toMatchObject({
      passed: false,
      scores: [{ value: 1 }, { value: 0 }],
    })
    expect((await gradeLeft(either, { answer: 'x' })).passed).toBe(true)
  })
})

describe('a task can be graded', () => {
  const answer = (grader: Record<string, unknown>, solution?: { answer: string }) =>
    sampleTask({
      spec: { output: 'answer', editable: [], graders: [grader] },
      ...(solution ? { solution } : {}),
    })

  it('if its graders have an expected answer, with or without a solution', () => {
    expect(isGradable(answer({ kind: 'exact', answer: 'x' }))).toBe(true)
    expect(isGradable(answer({ kind: 'numeric', answer: 0 }))).toBe(true)
    expect(isGradable(answer({ kind: 'pattern', require: ['x'] }))).toBe(true)
    expect(
      isGradable(
        sampleTask({
          tests: { 'a.mjs': '' },
          spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }] },
        }),
      ),
    ).toBe(true)
  })

  it('if the solution has the answer', () => {
    expect(isGradable(answer({ kind: 'exact' }, { answer: 'x' }))).toBe(true)
  })

  it('not if there is no expected answer', async () => {
    expect(isGradable(answer({ kind: 'exact' }))).toBe(false)
    expect(
      isGradable(sampleTask({ spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }] } })),
    ).toBe(false)
    await expect(gradeLeft(answer({ kind: 'exact' }), { answer: 'x' })).rejects.toThrow(InfrastructureError)
  })
})

describe('a grader that breaks', () => {
  const gradeWith = (run: SandboxRun) =>
    grade(codeTask(), { files: { 'src/sum.mjs': rightSum }, answer: undefined, run, signal })
  const result: SandboxResult = {
    exitCode: 1,
    killedBy: null,
    stdout: '',
    stderr: 'node: out of file handles',
    timedOut: false,
    truncated: false,
    level: 'none',
    durationMs: 1,
  }

  it('ends the trial in error if its harness did not start', async () => {
    await expect(gradeWith(async () => result)).rejects.toThrow(/harness did not start.*out of file handles/)
    await expect(gradeWith(async () => ({ ...result, timedOut: true, stderr: '' }))).rejects.toThrow(
      InfrastructureError,
    )
  })

  it('ends the trial in error if its program is missing', async () => {
    const missing: SandboxRun = (command) => spawnUnsandboxed({ ...command, command: ['no-such-program'] })
    await expect(gradeWith(missing)).rejects.toThrow(InfrastructureError)
  })

  it('runs again if a signal from outside ended it', async () => {
    let runs = 0
    const killedOnce: SandboxRun = (command) =>
      runs++ === 0 ? Promise.resolve({ ...result, killedBy: 'SIGKILL' }) : spawnUnsandboxed(command)
    expect((await gradeWith(killedOnce)).passed).toBe(true)
    expect(runs).toBe(2)
  })

  it('rejects with the reason when aborted', async () => {
    const aborted = AbortSignal.abort(new Error('stop'))
    await expect(gradeLeft(codeTask(), {}, aborted)).rejects.toThrow('stop')
  })
})

describe('visible checks', () => {
  const withChecks = (checks: Record<string, unknown> = { runner: 'node-test', expectTests: 3 }) =>
    codeTask({ checks: { 'sum.test.mjs': sumTests }, tests: { 'x.test.mjs': 'throw 1' }, spec: { checks } })
  const check = (task: ReturnType<typeof codeTask>, source: string) =>
    runChecks(task, { 'src/sum.mjs': source }, spawnUnsandboxed, signal)

  it('pass', async () => {
    expect(await check(withChecks(), rightSum)).toEqual({ status: 'passed', passed: 3, total: 3, output: '' })
  })

  it('report what failed and why', async () => {
    const result = await check(withChecks(), rightSum.replace('a * 2', 'a + 2'))
    expect(result).toMatchObject({ status: 'failed', passed: 2, total: 3 })
    expect(result.output).toMatch(
      /^doubles: Expected values to be strictly equal:\n6 !== 8 \(checks\/sum\.test\.mjs:6:\d+\)$/,
    )
  })

  it('fail if no test ran, even without an expected count', async () => {
    expect(await check(withChecks({ runner: 'node-test' }), 'process.exit(0)')).toMatchObject({
      status: 'failed',
      total: 1,
    })
    const empty = codeTask({ checks: { 'a.test.mjs': '' }, spec: { checks: { runner: 'node-test' } } })
    expect(await check(empty, rightSum)).toMatchObject({ status: 'failed', output: '0 of 1 tests ran' })
  })

  it('have the status none if the task has none', async () => {
    expect(await check(codeTask(), rightSum)).toEqual({ status: 'none', passed: 0, total: 0, output: '' })
  })
})

const files = codeTask()
const code = codeTask({ spec: { output: 'function', entryPoint: 'add', editable: ['src/sum.mjs'] } })

describe('where nothing was delivered, the reason of the tests', () => {
  it.each([
    ['of a function begins with no code', code, {}, 'no code in the reply; 0 of 3 tests passed'],
    ['of files begins with no file', files, {}, 'no file was changed; 0 of 3 tests passed'],
    [
      'names a changed file that does not count',
      files,
      { 'package.json': '{}' },
      'no file was changed; not counted: "package.json" is not a file that may change; 0 of 3 tests passed',
    ],
  ])('%s', async (_, task, left, reason) => {
    const { scores } = await gradeLeft(task, { files: left })
    expect(scores[0]).toMatchObject({ value: 0, reason })
  })

  it('names what was refused of the reply', async () => {
    const strategy = strategyOf(async ({ ask }) => {
      await ask('solver', 'one')
      return { stopReason: 'done' }
    })
    const agent = agentThatReplies('FILE: ../x.mjs\n```\nexport const x = 1\n```\n')
    const { record } = await playTrial({ agent, strategy, task: files })
    expect(record.scores[0]?.reason).toMatchSnapshot()
  })
})

it('a delivery keeps the reasons of its tests', async () => {
  const wrong = rightSum.replace('+', '-')
  const { scores } = await gradeLeft(code, { files: { 'src/sum.mjs': wrong } })
  expect(scores[0]?.reason).toMatch(/^1 of 3 tests passed\. adds: /)
})

it('of many paths the first three are named', () => {
  const refused = ['../a', '../b', '../b', '../c', '../d', '../e'].map((path) => ({
    path,
    reason: 'leads out',
  }))
  expect(undeliveredText(files, files.files, files.files, refused)).toMatchSnapshot()
})

const task = (more: object = {}) =>
  ({
    digest: 'd1',
    files: { 'a.mjs': 'one', 'notes.txt': 'as given' },
    spec: { output: 'files', editable: ['*.mjs'] },
    ...more,
  }) as unknown as Task

it('equal work has one key: files that count, and the answer only where the task wants one', () => {
  const files = { 'a.mjs': 'two', 'notes.txt': 'as given' }
  const key = judgedKey(task(), files, 'said so')
  expect(judgedKey(task(), files, 'said otherwise')).toBe(key)
  expect(judgedKey(task(), { ...files, 'notes.txt': 'changed' }, undefined)).toBe(key)
  expect(judgedKey(task(), { ...files, 'b.mjs': '' }, undefined)).not.toBe(key)
  expect(judgedKey(task(), { 'notes.txt': 'as given' }, undefined)).not.toBe(key)
  expect(judgedKey(task({ digest: 'd2' }), files, undefined)).not.toBe(key)
  const answers = task({ spec: { output: 'answer', editable: [] } })
  expect(judgedKey(answers, files, '4')).not.toBe(judgedKey(answers, files, '5'))
})

it('work is judged once, also by trials at the same time, and again after a failure', async () => {
  const { checks } = createResultMemory()
  let judged = 0
  const result = { status: 'passed', passed: 1, total: 1, output: '' } as const
  const judge = async () => {
    judged++
    if (judged === 1) throw new Error('no process')
    return { result, level: 'full' as const }
  }
  await expect(remember(checks, 'k', judge)).rejects.toThrow('no process')
  const both = await Promise.all([remember(checks, 'k', judge), remember(checks, 'k', judge)])
  expect(both).toEqual([
    { result, level: 'full' },
    { result, level: 'full' },
  ])
  expect(judged).toBe(2)
})

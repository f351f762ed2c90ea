import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { proveTasks } from '../../../src/loop/proof/prove-tasks.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Task } from '../../../src/schema/task.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, root, shareProcess } from '../../helpers/runs/cli.ts'
import { codeTask, rightSum, sampleTask, sumTests } from '../../helpers/runs/sample-task.ts'
import { suiteFixtures } from '../../helpers/suites/suite-fixtures.ts'
import { writeFiles } from '../../helpers/suites/write-suite.ts'
import { answer, type Texts, writeTexts, yaml } from '../../suites/native-texts.ts'

shareProcess()

it('broken folders of built-in tasks are reported, and a run never silently uses fewer tasks', async () => {
  const folder = tempFolder()
  for (const part of ['package.json', 'dist/bench', 'src/replies/answers/phrases', 'tasks/answers'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const tasks = async (selection: string) => {
    const args = [join(folder, 'dist/bench/cli.cjs'), 'tasks', selection]
    const { exitCode, stdout, stderr } = await execa(process.execPath, args, { reject: false })
    return { exitCode, stdout, stderr }
  }
  mkdirSync(join(folder, 'tasks/empty'))
  mkdirSync(join(folder, 'tasks/answers/void'))
  for (const selection of ['all', '3']) {
    const { exitCode, stderr } = await tasks(selection)
    expect({ selection, exitCode }).toEqual({ selection, exitCode: 2 })
    expect(stderr).toContain(`[${join(folder, 'tasks/empty')}] contains no task folder`)
    expect(stderr).toContain(`[${join(folder, 'tasks/answers/void/task.yaml')}] is missing`)
  }
  // A command that does not use built-in tasks.
  expect(await tasks('lamp-paths')).toMatchObject({ exitCode: 0, stderr: '' })
  // A task beside the suites is one of its own suite, not a suite of what it holds.
  cpSync(join(folder, 'tasks/answers/lamp-paths'), join(folder, 'tasks/lamp-paths'), { recursive: true })
  expect((await tasks('tasks/lamp-paths')).exitCode).toBe(0)
  expect((await tasks('all')).stderr).not.toContain('tasks/lamp-paths')
  rmSync(join(folder, 'tasks'), { recursive: true })
  for (const selection of ['all', '3', 'lamp-paths']) {
    const { exitCode, stderr } = await tasks(selection)
    expect({ selection, exitCode }).toEqual({ selection, exitCode: 1 })
    expect(stderr).toContain(join(folder, 'tasks'))
  }
})

const { signal } = new AbortController()
const once = { run: spawnUnsandboxed, signal, concurrency: 1, twice: false, generate: 0, seed: 1 }

const javascript = (text: string, tests = sumTests) =>
  codeTask({ solution: { files: { 'src/sum.mjs': text } }, tests: { 'sum.test.mjs': tests } })

const python = (text: string): Task =>
  sampleTask({
    files: { 'x.py': '' },
    tests: { 'check.py': 'def check(candidate):\n    assert candidate(2) == 4\n' },
    solution: { files: { 'x.py': text } },
    spec: {
      language: 'python',
      output: 'function',
      entryPoint: 'twice',
      editable: ['x.py'],
      graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1, timeoutMs: 20_000 }],
    },
  })

const unfinished = 'its reference solution does not complete the hidden tests'
const unloaded = 'its reference solution cannot be loaded'

needs('python3').describe('the proof of a task', () => {
  const rows: [how: string, task: Task, what: string, details: RegExp][] = [
    [
      'ends itself at import',
      javascript(`process.exit(3)\n${rightSum}`),
      unfinished,
      /^the solution ended \(exit code 3\) before it had answered$/,
    ],
    [
      'ends itself in a call',
      javascript('export const add = () => process.exit(0), double = add'),
      unfinished,
      /^the solution ended \(exit code 0\) before it had answered, in the test "adds"$/,
    ],
    [
      'ends itself by os._exit',
      python('import os\nos._exit(0)\n'),
      unfinished,
      /^the solution ended \(exit code 0\)/,
    ],
    ['raises SystemExit', python('raise SystemExit\n'), unloaded, /x\.py: could not be loaded: SystemExit/],
    ['has an error of syntax', javascript('export const ='), unloaded, /src\/sum\.mjs: could not be loaded/],
    [
      'is right, but its tests lack a file',
      javascript(rightSum, `import './gone.mjs'\n${sumTests}`),
      'its hidden tests do not run for its reference solution',
      /sum\.test\.mjs: could not be loaded: .*gone\.mjs/,
    ],
  ]
  it.each(rows)('says what happened to a reference that %s', async (_, task, what, details) => {
    const [proof] = await proveTasks([task], once)
    expect(proof).toMatchObject({ state: 'failed', reference: { passed: [false] }, faults: [{ what }] })
    expect(proof?.faults[0]?.details).toMatch(details)
  })
})

it('bench tasks check goes on after a task that cannot be graded, and says why', async () => {
  const folder = tempFolder()
  const graders = (spec: string) =>
    `output: files\neditable: ['*.mjs']\ngraders: [{ kind: tests, expectTests: 1, ${spec} }]\n`
  const texts = (id: string, spec: string): Texts => ({
    'task.yaml': yaml(id, graders(spec)),
    'instruction.md': 'Write it.',
    'solution/a.mjs': 'export {}\n',
    'tests/a.test.mjs': 'process.exit(0)\n',
  })
  writeTexts(folder, 'suite/a', texts('a', 'runner: command, command: [nosuchprogram]'))
  writeTexts(folder, 'suite/b', texts('b', 'runner: node-test'))
  writeTexts(folder, 'suite/riddle', answer)
  const { code, stdout } = await bench(['tasks', 'check', `native:${folder}/suite`, '--parallel', '1'])
  expect(code).toBe(1)
  // Long reasons are wrapped.
  const text = stdout.replace(/\s+/g, ' ')
  expect(text).toMatch(/FAILED suite\/a: it cannot be graded .*nosuchprogram/)
  expect(text).toContain('FAILED suite/b: its reference solution does not complete the hidden tests')
  expect(stdout).toMatch(/^ +suite\/riddle +passes +fails .*proved$/m)
  expect(text).toContain('1 of 3 tasks proved, 2 failed.')
})

it('mutants of a task are imported and then tried by bench tasks check', { timeout: 60_000 }, async () => {
  const cwd = tempFolder()
  writeTexts(cwd, 'mine/riddle', {
    ...answer,
    'mutants/a guess/answer.txt': '7',
    'mutants/none/answer.txt': '',
  })
  await benchOk(['tasks', 'import', 'native:mine', '--out', 'copy'], { cwd })
  const check = ['tasks', 'check', 'native:copy', '--mutants', '0']
  const [proof] = JSON.parse(await benchOk([...check, '--json'], { cwd }))
  expect(proof.mutants).toMatchObject({ 'a guess': { passed: [false, false] } })
  writeTexts(cwd, 'copy/riddle', { 'mutants/right/answer.txt': '**An egg**.' })
  const { code, stdout } = await bench(check, { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('FAILED  copy/riddle: its mutant right passes')
})

needs('python3').it(
  'the faulty program of QuixBugs is imported as a mutant',
  { timeout: 60_000 },
  async () => {
    const cwd = tempFolder()
    writeFiles(suiteFixtures.quixbugs?.files ?? {}, cwd)
    await benchOk(['tasks', 'import', 'quixbugs:.', '--out', 'copy'], { cwd })
    const [proof] = JSON.parse(await benchOk(['tasks', 'check', 'native:copy', '--quick', '--json'], { cwd }))
    expect(existsSync(join(cwd, 'copy', proof.task.split('/')[1], 'mutants/the faulty program'))).toBe(true)
    expect(proof).toMatchObject({ state: 'proved', mutants: { 'the faulty program': { passed: [false] } } })
  },
)

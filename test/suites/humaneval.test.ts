import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runChecks } from '../../src/graders/check.ts'
import { completeFunction } from '../../src/replies/code/complete-function.ts'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import type { Task } from '../../src/schema/task.ts'
import { humaneval } from '../../src/suites/humaneval.ts'
import { gradeLeft } from '../helpers/graders/grader-contract.ts'
import { needs } from '../helpers/house/needs.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'

// Written for this test, in HumanEval's form.
const third = {
  task_id: 'HumanEval/900',
  prompt:
    'from typing import List\n\n\ndef every_third(items: List[int]) -> List[int]:\n    """ Every third item.\n    >>> every_third([1, 2, 3, 4])\n    [1, 4]\n    >>> every_third([]) == []\n    """\n',
  entry_point: 'every_third',
  canonical_solution: '    return items[::3]\n',
  test: '\n\nMETADATA = {}\n\n\ndef check(candidate):\n    assert candidate([1, 2, 3, 4]) == [1, 4]\n    assert candidate([]) == []\n    assert candidate([7]) == [7]\n',
}
const scaled = {
  task_id: 'HumanEval/901',
  prompt:
    'def scale(x: int) -> int:\n    return 3 * x\n\n\ndef unscale(x: int) -> int:\n    """ Undoes scale. """\n',
  entry_point: 'unscale',
  canonical_solution: '    return x // 3\n',
  test: 'import random\n\ndef check(candidate):\n    for _ in range(10):\n        x = random.randint(0, 99)\n        assert candidate(scale(x)) == x\n',
}
const jsonl = (...lines: unknown[]) =>
  `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const load = (text: string | Buffer, name = 'suite.jsonl') => {
  writeFileSync(join(folder, name), text)
  return readSuite(humaneval, join(folder, name))
}

it('humaneval imports a task with hidden tests and solution', async () => {
  const { tasks, problems } = await load(jsonl(third, '', scaled))
  expect(problems).toEqual([])
  const [task] = tasks as [Task, Task]
  expect(tasks.map(({ ref }) => ref)).toEqual(['humaneval/HumanEval-900', 'humaneval/HumanEval-901'])
  expect(task.spec).toMatchObject({
    output: 'function',
    language: 'python',
    entryPoint: 'every_third',
    licence: 'MIT',
  })
  expect(task.spec).toMatchObject({ editable: ['solution.py'], requires: ['python3'], properties: {} })
  expect(task.files).toEqual({ 'solution.py': third.prompt })
  expect(task.hidden.solution?.files).toEqual({ 'solution.py': third.prompt + third.canonical_solution })
  expect(task.instruction).toContain('def every_third')
  const shown = JSON.stringify([task.instruction, task.files, task.checks])
  expect(shown).not.toContain('items[::3]')
  expect(shown).not.toContain('[7]')
})

it('humaneval makes visible checks of the examples, if there are any', async () => {
  const [task, other] = (await load(jsonl(third, scaled))).tasks as [Task, Task]
  expect(task.spec.checks).toMatchObject({ runner: 'python-doctest', expectTests: 2 })
  expect(task.checks).toMatchSnapshot()
  expect(other.spec.checks).toBeUndefined()
})

it('humaneval gives a task the same digest in any file, and another one if anything differs', async () => {
  const digest = async (line: unknown, name?: string) => (await load(jsonl(line), name)).tasks[0]?.digest
  expect(await digest(third, 'a.jsonl')).toBe(await digest(third, 'b.jsonl'))
  expect(await digest({ ...third, test: `${third.test}\n` })).not.toBe(await digest(third))
})

it('humaneval reads a gzipped file and the only file of a folder', async () => {
  expect((await load(gzipSync(jsonl(third)), 'suite.jsonl.gz')).tasks).toHaveLength(1)
  rmSync(folder, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
  await load(jsonl(third))
  expect((await readSuite(humaneval, folder)).tasks).toHaveLength(1)
})

it('humaneval reads a selection that names its tasks `id` as the same tasks', async () => {
  const { task_id: id, ...named } = third
  const [task] = (await load(jsonl({ id, ...named }))).tasks
  expect(task).toMatchObject({ ref: 'humaneval/HumanEval-900' })
  expect(task?.digest).toBe((await load(jsonl(third), 'own.jsonl')).tasks[0]?.digest)
  expect((await load(jsonl(named), 'nameless.jsonl')).problems).toMatchObject([{ what: 'is missing' }])
})

it('humaneval reports all problems of a broken suite, by line and field', async () => {
  const { entry_point: _, ...unnamed } = third
  const bad = jsonl(
    third,
    '{"task_id": ',
    unnamed,
    { ...scaled, test: 'assert True', canonical_solution: 5 },
    { ...scaled, entry_point: 'other' },
    third,
    5,
  )
  const { problems } = await load(bad)
  expect(problems.map(({ where, what }) => `${where.replace(`${folder}/`, '')}: ${what}`)).toEqual([
    expect.stringMatching(/^suite\.jsonl:2: is not JSON: /),
    'suite.jsonl:3 entry_point: is missing',
    'suite.jsonl:4 canonical_solution: is not a text',
    'suite.jsonl:4 test: expected Python source that defines check(candidate)',
    'suite.jsonl:5 prompt: does not define other',
    'suite.jsonl:6 task_id: repeats the task of line 1: HumanEval/900',
    'suite.jsonl:7: is not an object',
  ])
  const fix = 'Each one is an object with task_id, prompt, entry_point, canonical_solution, test.'
  expect([1, 2, 6].map((at) => problems[at]?.fix)).toEqual([fix, fix, fix])
})

it('humaneval reports a missing file and a file without tasks', async () => {
  expect((await readSuite(humaneval, join(folder, 'none.jsonl'))).problems).toMatchObject([
    { what: 'does not exist' },
  ])
  expect((await load('\n')).problems).toMatchObject([{ what: 'contains no task' }])
})

needs('python3').it(
  'a humaneval task is passed by its reference and failed by stubs and wrong functions',
  async () => {
    for (const task of (await load(jsonl(third, scaled))).tasks) {
      const run = (text: string) => gradeLeft(task, { files: { 'solution.py': text } })
      expect((await run(task.hidden.solution?.files?.['solution.py'] ?? '')).passed).toBe(true)
      expect((await run(completeFunction(task, 'pass'))).passed).toBe(false)
      const whole = `def ${task.spec.entryPoint}(x):\n    return ${task.spec.entryPoint === 'unscale' ? 'x // scale(1)' : 'x[::3]'}`
      expect((await run(completeFunction(task, whole))).passed).toBe(true)
      const checks = await runChecks(
        task,
        task.hidden.solution?.files ?? {},
        spawnUnsandboxed,
        new AbortController().signal,
      )
      expect(checks.status).toBe(task.spec.entryPoint === 'unscale' ? 'none' : 'passed')
    }
  },
)

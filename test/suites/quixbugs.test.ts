import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Task } from '../../src/schema/task.ts'
import { loadSuite } from '../../src/suites/load-suite.ts'
import { quixbugs } from '../../src/suites/quixbugs.ts'
import { quixbugsFiles } from '../helpers/suites/code-suites.ts'
import { writeFiles } from '../helpers/suites/write-suite.ts'

const load = (files: Readonly<Record<string, string>>, folder = writeFiles(files)) =>
  loadSuite(quixbugs, { path: folder, parameters: {} })
const without = (...paths: string[]) =>
  Object.fromEntries(Object.entries(quixbugsFiles).filter(([path]) => !paths.includes(path)))
const both = async () => (await load(quixbugsFiles)).tasks as [Task, Task]

it('quixbugs makes a task of each program with JSON cases, and says which it leaves out', async () => {
  const { tasks, problems, notes } = await load(quixbugsFiles)
  expect(problems).toEqual([])
  expect(tasks.map(({ ref }) => ref)).toEqual(['quixbugs/count_down', 'quixbugs/halve'])
  expect(notes).toEqual([expect.stringMatching(/^1 program has no file in json_testcases .*: reach$/)])
})

it('quixbugs gives the faulty program, shows a third of the cases, two at most, and hides the others', async () => {
  const [task, other] = await both()
  const faulty = quixbugsFiles['python_programs/count_down.py']
  expect(task.files).toEqual({ 'count_down.py': faulty })
  expect(task.spec).toMatchObject({ entryPoint: 'count_down', editable: ['count_down.py'], licence: 'MIT' })
  expect(task.spec.graders).toMatchObject([{ runner: 'python-check', expectTests: 4, timeoutMs: 20_000 }])
  expect(task.hidden.mutants).toEqual({ 'the faulty program': { files: task.files } })
  expect(task.instruction).toContain('while start > 1:')
  expect(task.instruction).toContain('count_down(0) == []\n')
  const visible = JSON.stringify([task.instruction, task.files, task.checks])
  expect(visible).not.toMatch(/>= 1|count_down\(3\)|yield from/)
  expect(other.checks['examples.txt']).toMatchSnapshot()
})

it('quixbugs takes a single value as a list of one argument, and keeps numbers as they are written', async () => {
  const [task, other] = await both()
  expect(task.hidden.tests['check-4.py']).toContain(
    'as_lists(count_down(5))\n    assert result == [5, 4, 3, 2, 1]',
  )
  expect(other.hidden.tests['check-3.py']).toContain('halve(9.0, 9.0)')
})

it('quixbugs reads tolerances and slow cases in the tests of the suite', async () => {
  const [, task] = await both()
  expect(task.hidden.tests['check-1.py']).toContain('assert abs(result - 1.0) <= 1.5')
  expect(task.spec.graders).toMatchObject([{ expectTests: 6, timeoutMs: 120_000 }])
  expect(task.spec.knownIssues).toEqual([expect.stringMatching(/^1 of its 7 cases is left out/)])
  const [, plain] = (await load(without('python_testcases/test_halve.py'))).tasks as [Task, Task]
  expect(plain.hidden.tests['check-1.py']).toContain('assert result == 1.0')
})

it('quixbugs reports what is missing or broken, by file and line', async () => {
  const { problems } = await load({
    ...without('correct_python_programs/count_down.py'),
    'json_testcases/halve.json': '[[1], 2]\n[[1]\n{"a": 1}\n[1, 2, 3]\n',
    'python_programs/late.py': 'def other():\n    pass\n',
    'correct_python_programs/late.py': 'def late():\n    pass\n',
    'json_testcases/late.json': '[[], null]\n',
    'python_programs/many.py': 'def many(a):\n    return a\n',
    'correct_python_programs/many.py': 'def many(a):\n    return [a]\n',
    'json_testcases/many.json': '\n',
  })
  expect(problems.map(({ where, what }) => `${where.split('/').slice(-2).join('/')}: ${what}`)).toEqual([
    'correct_python_programs/count_down.py: is missing',
    expect.stringMatching(/^json_testcases\/halve\.json:2: is not JSON: /),
    'json_testcases/halve.json:3: is not a list of arguments and result',
    'json_testcases/halve.json:4: is not a list of arguments and result',
    'python_programs/late.py: does not define late',
    'json_testcases/many.json: contains no case',
  ])
})

it('quixbugs refuses another folder, and links out of its folder', async () => {
  expect((await load({})).problems).toMatchObject([{ what: 'contains no folder python_programs' }])
  expect((await load({}, join(writeFiles({ file: '' }), 'file'))).problems).toMatchObject([
    { what: 'is not a folder' },
  ])
  const linked = writeFiles(without('json_testcases/halve.json'))
  symlinkSync('/etc/hostname', join(linked, 'json_testcases/halve.json'))
  expect((await load({}, linked)).problems).toMatchObject([{ what: 'is a symbolic link' }])
  const outside = writeFiles(quixbugsFiles)
  rmSync(join(outside, 'json_testcases'), { recursive: true })
  mkdirSync(join(outside, 'elsewhere'))
  symlinkSync(join(outside, 'elsewhere'), join(outside, 'json_testcases'))
  expect((await load({}, outside)).problems).toMatchObject([{ what: 'contains no folder json_testcases' }])
})

import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Task } from '../../src/schema/task.ts'
import { mbpp } from '../../src/suites/mbpp.ts'
import { mbppLines, sanitizedTasks } from '../helpers/suites/code-suites.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { jsonLines, writeFiles } from '../helpers/suites/write-suite.ts'

const { rings, chain, check } = mbppLines
const { shared, cone } = sanitizedTasks

const load = (text: string, name = 'mbpp.jsonl') => readSuite(mbpp, join(writeFiles({ [name]: text }), name))
const full = async () => (await load(jsonLines(rings, chain, check))).tasks as [Task, Task, Task]
const sanitized = async () =>
  (await load(JSON.stringify([shared, cone], null, 1), 'sanitized-mbpp.json')).tasks as [Task, Task]

it('mbpp shows the first assert, and grades by all of them', async () => {
  const { tasks, problems } = await load(jsonLines(rings))
  expect(problems).toEqual([])
  const [task] = tasks as [Task]
  expect(task.ref).toBe('mbpp/901')
  expect(task.spec).toMatchObject({ output: 'function', language: 'python', entryPoint: 'count_rings' })
  expect(task.spec.graders).toMatchObject([{ runner: 'python-check', expectTests: 4 }])
  expect(task.spec).toMatchObject({ licence: 'CC-BY-4.0', requires: ['python3'] })
  expect(task.spec.title).toMatch(/^count_rings: Write a function to count/)
  expect(task.instruction).toContain('assert count_rings(80) == 3')
  expect(task.checks).toEqual({ 'examples.txt': '>>> count_rings(80)\n3\n' })
  expect(Object.keys(task.hidden.tests)).toHaveLength(4)
  const visible = JSON.stringify([task.instruction, task.files, task.checks])
  expect(visible).not.toMatch(/6089|888888|digit, digit/)
})

it('mbpp writes code with the line ends of this system', async () => {
  const [task] = await full()
  expect(task.hidden.solution?.files?.['solution.py']).toBe(`${rings.code.replaceAll('\r', '')}\n`)
})

it('mbpp reads both forms, on lines and as a list', async () => {
  const asList = await load(`\ufeff${JSON.stringify([rings, chain])}`, 'mbpp.json')
  const asLines = await load(jsonLines(shared, cone), 'sanitized-mbpp.jsonl')
  expect([...asList.tasks, ...asLines.tasks].map(({ ref }) => ref)).toEqual([
    'mbpp/901',
    'mbpp/902',
    'mbpp/901',
    'mbpp/904',
  ])
  expect(asLines.tasks[0]?.digest).toBe((await sanitized())[0].digest)
})

it('mbpp finds the function in asserts that wrap its call, and runs their imports', async () => {
  const [first, second] = await sanitized()
  expect([first.spec.entryPoint, second.spec.entryPoint]).toEqual(['shared_letters', 'cone'])
  expect(second.checks['examples.txt']).toMatchSnapshot()
  expect(second.instruction).toContain('import math\nassert math.isclose(')
  expect(second.spec.source).toContain('MBPP 904, sanitized')
})

it('mbpp runs tests in one process only where they need more of the solution than its function', async () => {
  const [plain, withClass, called] = await full()
  expect(plain.spec.grading).toBeUndefined()
  expect(called.spec.grading).toBeUndefined()
  expect(withClass.spec.grading).toBe('one-process')
  expect(withClass.instruction).toContain('long = Link(Link(Link()))')
  expect(withClass.instruction).toContain('The tests use your Link, too.')
})

it('mbpp imports what the solution imports and the tests rely on', async () => {
  const code = 'import sys\ndef size(x):\n    return sys.getsizeof(x)'
  const line = {
    ...rings,
    code,
    test_list: ['assert size("a") == sys.getsizeof("a")'],
    challenge_test_list: [],
  }
  const [task] = (await load(jsonLines(line))).tasks as [Task]
  expect(task.spec.grading).toBeUndefined()
  expect(task.hidden.tests['check-1.py']).toMatchSnapshot()
  expect(task.spec.knownIssues).toEqual(['Its only assert is shown, so a constant passes.'])
})

it('mbpp reports all problems, by line and field', async () => {
  const { code: _, ...codeless } = rings
  const { problems } = await load(
    jsonLines(
      rings,
      '{"task_id": ',
      codeless,
      { ...chain, test_list: [] },
      { ...chain, test_list: 'assert True', text: 5 },
      { ...chain, task_id: 905, test_list: ['assert other(1) == 2'] },
      { ...chain, task_id: 906, text: ' ' },
      rings,
      5,
    ),
  )
  expect(problems.map(({ where, what }) => `${where.replace(/^.*\//, '')}: ${what}`)).toEqual([
    expect.stringMatching(/^mbpp\.jsonl:2: is not JSON: /),
    'mbpp.jsonl:3 code: is missing',
    'mbpp.jsonl:4 test_list: expected at least one assert',
    'mbpp.jsonl:5 text: is not a text',
    'mbpp.jsonl:5 test_list: is not a list',
    'mbpp.jsonl:6 test_list: calls no function that code defines',
    'mbpp.jsonl:7: has neither text nor prompt',
    'mbpp.jsonl:8 task_id: repeats the task of line 1: 901',
    'mbpp.jsonl:9: is not an object',
  ])
})

it('mbpp reports the line of a broken item in a list, and a list without an end', async () => {
  const text = JSON.stringify([shared, cone], null, 1)
  const broken = await load(text.replace('"task_id": 904', '"task_id": 904,,'), 'mbpp.json')
  expect(broken.tasks).toHaveLength(1)
  expect(broken.problems).toMatchObject([
    { where: expect.stringMatching(/:14$/), what: expect.stringMatching(/^is not JSON/) },
  ])
  const cut = await load(text.slice(0, -30), 'mbpp.json')
  expect(cut.problems).toMatchObject([{ where: expect.stringMatching(/:14$/) }])
})

it('mbpp asks for one of several files in a folder', async () => {
  const folder = writeFiles({ 'mbpp.jsonl': '', 'sanitized-mbpp.json': '' })
  expect((await readSuite(mbpp, folder)).problems).toMatchObject([
    { what: 'contains more than one file of MBPP: mbpp.jsonl, sanitized-mbpp.json' },
  ])
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-names-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a suite of tasks that ask for an answer. Returns its selector. */
function suite(path: string, ids: readonly string[], answer = '7'): string {
  for (const id of ids) {
    const task = join(folder, path, id)
    mkdirSync(task, { recursive: true })
    writeFileSync(join(task, 'instruction.md'), 'How many days has a week?\n')
    writeFileSync(
      join(task, 'task.yaml'),
      `{"id":"${id}","version":1,"title":"T","output":"answer","graders":[{"kind":"exact","answer":"${answer}"}],"licence":"MIT","source":"own","properties":{}}`,
    )
  }
  return `native:${join(folder, path)}`
}

function humaneval(name: string, ids: readonly string[]): string {
  const line = (task_id: string) =>
    JSON.stringify({
      ...{ task_id, prompt: 'def one():\n    """ Return 1. """\n', entry_point: 'one' },
      ...{
        canonical_solution: '    return 1\n',
        test: 'def check(candidate):\n    assert candidate() == 1\n',
      },
    })
  writeFileSync(join(folder, name), ids.map(line).join('\n'))
  return `humaneval:${join(folder, name)}`
}

const refs = async (text: string) => (await selectTasks(text, 1)).tasks.map(({ ref }) => ref)

it.each([
  ['two suites in folders of one name', () => [suite('one/days', ['a']), suite('two/days', ['a'], '8')]],
  ['two equal suites in two folders', () => [suite('three/days', ['a']), suite('four/days', ['a'])]],
  ['two files of one format', () => [humaneval('x.jsonl', ['Own/1']), humaneval('y.jsonl', ['Own/1'])]],
  ['ids of one file that differ only by signs', () => [humaneval('signs.jsonl', ['Own/1', 'Own 1'])]],
  ['ids that differ only by case', () => [suite('case/days', ['monday', 'Monday'])]],
])('%s are refused with both sources', async (_, selectors) => {
  const text = selectors().join(',')
  await expect(selectTasks(text, 1)).rejects.toThrow(
    /is called .*(like the task of|differs only by case from)/,
  )
})

it('the error names both sources and the remedy once', async () => {
  const text = [suite('p/weeks', ['a', 'b']), suite('q/weeks', ['a', 'b'])].join(',')
  const { message: error } = await selectTasks(text, 1).then(
    () => new Error(''),
    (thrown: Error) => thrown,
  )
  for (const path of ['p/weeks/a', 'q/weeks/a', 'p/weeks/b', 'q/weeks/b']) expect(error).toContain(path)
  expect(error.match(/Give one of them another name/g)).toHaveLength(1)
})

it('a long list of equal names is cut', async () => {
  const ids = Array.from({ length: 9 }, (_, i) => `Own/${i}`)
  const text = [humaneval('long-a.jsonl', ids), humaneval('long-b.jsonl', ids)].join(',')
  await expect(selectTasks(text, 1)).rejects.toThrow(/4 more tasks have this problem/)
})

it('a task that two selectors name counts once', async () => {
  const days = suite('same/days', ['a', 'b'])
  expect(await refs(`${days},${days}/a`)).toEqual(['days/a', 'days/b'])
  const file = humaneval('twice.jsonl', ['Own/1', 'Own/2', 'Own/3'])
  expect(await refs(`${file}:0-1,${file}:1-2`)).toEqual([
    'humaneval/Own-1',
    'humaneval/Own-2',
    'humaneval/Own-3',
  ])
  const all = await refs('all')
  expect(await refs(`all,${all[0]}`)).toEqual(all)
})

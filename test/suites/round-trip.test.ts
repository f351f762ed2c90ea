import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeTask } from '../../src/suites/make-task.ts'
import { loadTaskFolder } from '../../src/suites/native.ts'
import { folderNames, taskTexts } from '../../src/suites/task-texts.ts'

const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((one) => !/[\0\p{Cs}]/u.test(one))
const words = text.filter((one) => one.trim() !== '')
// An exact answer is one line.
const line = words.filter((one) => !one.trim().includes('\n'))
const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,9}$/)
const files = fc.dictionary(name, text, { maxKeys: 3 })

const task = fc
  .record({
    ...{ title: words, instruction: words, answer: line, files, ignoreCase: fc.boolean() },
    ...{
      licence: words,
      source: words,
      tags: fc.option(fc.array(words, { minLength: 1 }), { nil: undefined }),
    },
    ...{
      knownIssues: fc.option(fc.array(text), { nil: undefined }),
      difficulty: fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined }),
    },
  })
  .map(({ instruction, answer, files, tags, knownIssues, difficulty, ignoreCase, ...facts }) =>
    makeTask({
      suite: 's',
      spec: {
        ...{ id: 'one', ...facts, output: 'answer', graders: [{ kind: 'exact', answer, ignoreCase }] },
        ...(tags && { tags }),
        ...(knownIssues && { knownIssues }),
        ...(difficulty !== undefined && { properties: { difficulty } }),
      },
      ...{ instruction, files, checks: {}, origin: '' },
      hidden: { tests: {}, solution: { answer: answer.trim() } },
    }),
  )

it('a written task loads to a task of the same content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
  let run = 0
  try {
    fc.assert(
      fc.property(task, (original) => {
        const home = join(folder, String(run++), 'one')
        const made = taskTexts(original)
        if ('problems' in made) throw new Error(JSON.stringify(made.problems))
        for (const [path, content] of Object.entries(made.texts)) {
          mkdirSync(dirname(join(home, path)), { recursive: true })
          writeFileSync(join(home, path), content)
        }
        const { tasks, problems } = loadTaskFolder(home)
        expect(problems).toEqual([])
        expect(tasks[0]?.digest).toBe(original.digest)
      }),
      { numRuns: 60 },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('every id gets a folder name of its own that all file systems hold', () => {
  const ids = ['a', 'A', 'con', 'con.x', 'end.', 'a-2', 'x'.repeat(200), 'X'.repeat(200)]
  const names = folderNames(ids)
  expect(names.slice(0, 6)).toEqual(['a', 'A-2', 'task-con', 'task-con.x', 'end', 'a-2-2'])
  expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(ids.length)
  expect(Math.max(...names.map((one) => one.length))).toBeLessThan(110)
})

it.each(['../x', 'a/../../x', '/etc/x', 'a\\b', 'c:x', '.', 'a//b'])('a file at %s is refused', (path) => {
  const original = makeTask({
    suite: 's',
    spec: { id: 'one', title: 't', output: 'answer', graders: [{ kind: 'exact', answer: '1' }] },
    ...{ instruction: 'i', files: { [path]: '' }, checks: {}, hidden: { tests: {} }, origin: '' },
  })
  expect(taskTexts(original)).toMatchObject({
    problems: [{ what: 'is not the path of a file in the folder of the task' }],
  })
})

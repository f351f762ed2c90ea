import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/schema/task.ts'
import { exercism } from '../../src/suites/exercism/exercism.ts'
import { loadSuite } from '../../src/suites/load-suite.ts'
import { needs } from '../helpers/house/needs.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { type ExerciseTexts, gates, lamp, till, writeTrack } from '../helpers/suites/exercism-track.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { writeTexts } from './native-texts.ts'

/** Writes a track and reads it. */
async function readTrack(
  slug: Parameters<typeof writeTrack>[1],
  exercises: readonly ExerciseTexts[],
  path = '.',
) {
  const folder = tempFolder()
  writeTrack(folder, slug, exercises)
  return { folder, ...(await readSuite(exercism, join(folder, path))) }
}

const only = (tasks: readonly Task[]): Task => {
  expect(tasks).toHaveLength(1)
  return tasks[0] as Task
}

describe('an exercise of JavaScript', () => {
  it('becomes a task whose stub may change and whose reference and .meta are hidden', async () => {
    const { tasks, problems } = await readTrack('javascript', [gates])
    expect(problems).toEqual([])
    const task = only(tasks)
    expect(task.ref).toBe('exercism-javascript/logic-gates')
    expect(task.spec).toMatchObject({
      title: 'LOGIC-GATES',
      output: 'files',
      language: 'javascript',
      editable: ['logic-gates.js'],
      licence: 'MIT',
      properties: { difficulty: 1 / 3 },
      tags: ['booleans', 'functions'],
    })
    expect(task.spec.source).toContain('logic-gates')
    expect(Object.keys(task.files).sort()).toEqual(['logic-gates.js', 'signals.js'])
    const at = (text: string) => task.instruction.indexOf(text)
    expect(at('Gates join signals')).toBeGreaterThan(-1)
    expect(at('Write an AND gate')).toBeGreaterThan(at('Gates join signals'))
    expect(at('Use no tables')).toBeGreaterThan(at('Write an AND gate'))
  })

  it('shows its tests as shipped, and hides them with all but test.skip switched on', async () => {
    const task = only((await readTrack('javascript', [gates])).tasks)
    const shipped = gates.files['logic-gates.spec.js'] as string
    expect(task.checks).toEqual({ 'logic-gates.spec.js': shipped })
    expect(task.spec.checks).toMatchObject({ runner: 'jest', expectTests: 1, testsIn: 'root' })
    const hidden = task.hidden.tests['logic-gates.spec.js'] as string
    expect(hidden.match(/\bx(?:test|describe)\b/g)).toEqual(['xtest']) // the import
    expect(hidden).toContain("test.skip('a test")
    expect(task.spec.graders).toMatchObject([{ runner: 'jest', expectTests: 5 }])
    expect(task.spec.grading).toBeUndefined()
  })

  it('has a reference whose imports fit the place of the stub', async () => {
    const task = only((await readTrack('javascript', [gates])).tasks)
    expect(task.hidden.solution?.files?.['logic-gates.js']).toContain("from './signals'")
  })

  it.each(tableOf<[string, string, number, boolean][]>(import.meta.url, 'countsTests'))(
    'counts tests %s',
    async (_, spec, live, exact) => {
      const files = {
        ...gates.files,
        'logic-gates.spec.js': `import { test } from '@jest/globals'\n${spec}\n`,
      }
      const task = only((await readTrack('javascript', [{ ...gates, files }])).tasks)
      expect(task.spec.graders).toMatchObject([{ expectTests: live }])
      expect(task.spec.knownIssues ?? []).toHaveLength(exact ? 0 : 1)
    },
  )

  it('is graded in one process if its tests start programs', async () => {
    const spec = `const { test, expect } = require('@jest/globals')
const { spawnSync } = require('child_process')
test('prints', () => expect(spawnSync('node', ['logic-gates.js'])).toBeDefined())\n`
    const task = only(
      (await readTrack('javascript', [{ ...gates, files: { ...gates.files, 'logic-gates.spec.js': spec } }]))
        .tasks,
    )
    expect(task.spec.grading).toBe('one-process')
  })

  it.each(tableOf<[string, string, boolean][]>(import.meta.url, 'runsProcess'))(
    'runs in the process of its tests, or not, if they %s',
    async (_, spec, isShared) => {
      const files = { ...gates.files, 'logic-gates.spec.js': `${spec}\n` }
      const task = only((await readTrack('javascript', [{ ...gates, files }])).tasks)
      expect(task.spec.grading).toBe(isShared ? 'one-process' : undefined)
    },
  )
})

it('a configuration with a missing comma is mended, and the task says so', async () => {
  const task = only((await readTrack('typescript', [lamp])).tasks)
  expect(task.spec).toMatchObject({ language: 'typescript', editable: ['lamp.ts'] })
  expect(task.spec.knownIssues).toEqual(['Its .meta/config.json is not JSON and was mended.'])
})

it('a configuration that cannot be read leaves the names of the layout', async () => {
  const files = { ...lamp.files, '.meta/config.json': 'nothing' }
  const task = only((await readTrack('typescript', [{ ...lamp, files }])).tasks)
  expect(task.spec.editable).toEqual(['lamp.ts'])
  expect(task.spec.knownIssues?.[0]).toMatch(/found by their names/)
})

it('an exercise of Python shows all of its tests and counts those that run', async () => {
  const task = only((await readTrack('python', [till])).tasks)
  expect(task.spec).toMatchObject({ grading: 'one-process', requires: ['python3'] })
  expect(task.spec.graders).toMatchObject([
    { runner: 'unittest', files: ['cash_till_test.py'], expectTests: 2 },
  ])
  expect(Object.keys(task.files)).toEqual(['cash_till.py'])
  expect(Object.keys(task.hidden.tests).sort()).toEqual(['cash_till_test.py', 'till_help.py'])
})

const old: ExerciseTexts = { ...gates, slug: 'old-gates', listed: { status: 'deprecated' } }

it('deprecated exercises are left out and counted, unless they are asked for or named', async () => {
  const folder = tempFolder()
  writeTrack(folder, 'javascript', [gates, old])
  const read = async (path: string, parameters = {}) => {
    const { tasks, notes } = await loadSuite(exercism, { path: join(folder, path), parameters })
    return { ids: tasks.map(({ spec }) => spec.id), notes }
  }
  const note = expect.stringContaining('leaves out 1 deprecated exercise;')
  const both = ['logic-gates', 'old-gates']
  expect(await read('.')).toEqual({ ids: ['logic-gates'], notes: [note] })
  expect(await read('exercises/practice')).toEqual({ ids: ['logic-gates'], notes: [note] })
  expect(await read('.', { deprecated: 'yes' })).toEqual({ ids: both, notes: [] })
  expect(await read('exercises/practice/old-gates')).toEqual({ ids: ['old-gates'], notes: [] })
})

it.each([
  [{}, 300_000],
  [{ timeout: '20' }, 20_000],
])('the parameters %j limit the tests of each exercise', async (parameters, timeoutMs) => {
  const folder = tempFolder()
  writeTrack(folder, 'javascript', [gates])
  const { tasks } = await loadSuite(exercism, { path: folder, parameters })
  expect(only(tasks).spec).toMatchObject({ graders: [{ timeoutMs }], checks: { timeoutMs } })
})

it('a time limit that is no number of seconds is refused', async () => {
  const { problems } = await loadSuite(exercism, { path: '.', parameters: { timeout: 'long' } })
  expect(problems).toMatchObject([{ where: 'timeout=long', what: 'is not a number of seconds' }])
})

it('a slice reads no exercise after its end', async () => {
  const folder = tempFolder()
  writeTrack(folder, 'javascript', [
    gates,
    { slug: 'zz', files: { '.meta/config.json': '{}', '.docs/a.md': '' } },
  ])
  const { tasks, problems } = await loadSuite(
    exercism,
    { path: folder, parameters: {} },
    { range: { text: '1', from: 0, to: 0 } },
  )
  expect({ tasks: tasks.length, problems }).toEqual({ tasks: 1, problems: [] })
})

it('the commit of a clone stands in the source of each task', async () => {
  const folder = tempFolder()
  writeTrack(folder, 'javascript', [gates])
  mkdirSync(join(folder, '.git/refs/heads'), { recursive: true })
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, '.git/refs/heads/main'), `${'0a'.repeat(20)}\n`)
  const { tasks } = await readSuite(exercism, folder)
  expect(only(tasks).spec.source).toContain(`commit ${'0a'.repeat(20)}`)
})

it('an exercise without its track is read by its layout, without a difficulty', async () => {
  const folder = writeTexts(tempFolder(), 'cash-till', till.files)
  const { tasks } = await readSuite(exercism, folder)
  expect(only(tasks).spec).toMatchObject({ language: 'python', title: 'cash-till', properties: {} })
})

describe('what cannot be read', () => {
  it.each([
    ['a missing path', 'nowhere', 'does not exist'],
    ['a folder without exercises', 'exercises/practice/logic-gates/.docs', 'has no exercise of Exercism'],
  ])('is named: %s', async (_, path, what) => {
    const { problems } = await readTrack('javascript', [gates], path)
    expect(problems).toMatchObject([{ what, fix: expect.stringContaining('github.com/exercism') }])
  })

  it('is named: a track of another language', async () => {
    const { problems } = await readTrack('go', [gates])
    expect(problems).toMatchObject([{ what: 'is the track of Go, whose tests cannot run here' }])
  })

  it.each([
    [
      'a file that is missing',
      { solution: ['other.js'], test: ['logic-gates.spec.js'] },
      'is missing, but .meta/config.json names it',
    ],
    ['a path that climbs out', { solution: ['../../x.js'], test: ['logic-gates.spec.js'] }, undefined],
  ])('is a problem of its exercise: %s', async (_, files, what) => {
    const config = JSON.stringify({ files })
    const broken = { ...gates, slug: 'broken', files: { ...gates.files, '.meta/config.json': config } }
    const { tasks, problems } = await readTrack('javascript', [broken, gates])
    expect(tasks.map(({ spec }) => spec.id)).toEqual(['logic-gates'])
    expect(problems).toMatchObject([{ where: expect.stringContaining('broken'), ...(what && { what }) }])
  })

  it('is a problem: tests with an error of syntax', async () => {
    const files = { ...gates.files, 'logic-gates.spec.js': 'test(' }
    const { problems } = await readTrack('javascript', [{ ...gates, files }])
    expect(problems).toMatchObject([
      { what: expect.stringMatching(/tests that cannot be read: .*spec\.js:1:6/) },
    ])
  })
})

needs('a system with symbolic links').it('a link out of the exercise is not followed', async () => {
  const folder = tempFolder()
  writeTrack(folder, 'javascript', [gates])
  writeFileSync(join(folder, 'secret.js'), 'export const secret = 1\n')
  const practice = join(folder, 'exercises/practice/logic-gates')
  symlinkSync(join(folder, 'secret.js'), join(practice, 'linked.js'))
  writeFileSync(
    join(practice, '.meta/config.json'),
    JSON.stringify({ files: { solution: ['linked.js'], test: ['logic-gates.spec.js'] } }),
  )
  const { tasks, problems } = await readSuite(exercism, folder)
  expect(tasks).toEqual([])
  expect(problems).toMatchObject([{ what: 'is a link out of its exercise' }])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadTaskFolder, native } from '../../src/suites/native.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { answer, code, codeYaml, type Texts, writeTexts } from './native-texts.ts'

describe('native', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'bench-test-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const read = (path: string) => readSuite(native, path)
  const write = (folder: string, texts: Texts) => writeTexts(root, folder, texts)

  describe('a native suite', () => {
    it('returns its tasks by name, with the hidden parts separate', async () => {
      write('suite/sum', code)
      write('suite/riddle', answer)
      const { tasks, problems } = await read(join(root, 'suite'))
      expect(problems).toEqual([])
      expect(tasks.map(({ ref }) => ref)).toEqual(['suite/riddle', 'suite/sum'])
      expect(tasks[0]).toMatchObject({
        instruction: 'What?',
        files: {},
        hidden: { tests: {}, solution: { answer: 'an egg' } },
      })
      expect(tasks[1]).toMatchObject({
        suite: 'suite',
        instruction: 'Write add.',
        files: { 'sum.mjs': code['files/sum.mjs'] },
        checks: { 'sum.test.mjs': 'visible' },
        hidden: {
          tests: { 'sum.test.mjs': 'hidden', 'data/a.json': '{}' },
          solution: { files: { 'sum.mjs': code['solution/sum.mjs'] } },
        },
        spec: { id: 'sum', rule: 'all', graders: [{ kind: 'tests', timeoutMs: 20_000 }] },
      })
    })

    it('may be one task folder', async () => {
      expect((await read(write('suite/sum', code))).tasks.map(({ ref }) => ref)).toEqual(['suite/sum'])
    })

    it('returns its valid tasks with the problems of the others', async () => {
      write('suite/sum', code)
      write('suite/bad', { ...answer, 'instruction.md': '' })
      const { tasks, problems } = await read(join(root, 'suite'))
      expect(tasks.map(({ ref }) => ref)).toEqual(['suite/sum'])
      expect(problems.length).toBeGreaterThan(0)
    })

    it('has digests that depend on every part and on no path', () => {
      const digest = (texts: Texts, folder: string) => loadTaskFolder(write(folder, texts)).tasks[0]?.digest
      const first = digest(code, 'a/sum')
      expect(first).toMatch(/^[0-9a-f]{64}$/)
      expect(digest(code, 'b/c/sum')).toBe(first)
      const changes = Object.keys(code).filter((path) => path !== 'task.yaml')
      const digests = changes.map((path, index) =>
        digest({ ...code, [path]: `${code[path]}x` }, `d${index}/sum`),
      )
      digests.push(digest({ ...code, 'task.yaml': codeYaml().replace('A task', 'The task') }, 'e/sum'))
      expect(new Set([first, ...digests]).size).toBe(changes.length + 2)
    })

    it('may have a task without a solution', () => {
      const { 'solution/answer.txt': _, ...open } = answer
      expect(loadTaskFolder(write('suite/riddle', open)).tasks[0]?.hidden).toEqual({ tests: {} })
    })

    it('is reported if its folder is missing or empty', async () => {
      expect((await read(join(root, 'none'))).problems).toMatchObject([{ what: 'is not a folder' }])
      expect((await read(root)).problems).toMatchObject([{ what: 'contains no task folder' }])
    })
  })
})

const load = (texts: Texts) => loadTaskFolder(writeTexts(tempFolder(), 'suite/one', texts))
const named = (texts: Texts): Texts => ({
  ...texts,
  'task.yaml': (texts['task.yaml'] as string).replace(/^id: .*$/m, 'id: one'),
})

it('mutants are read by the name of their folder, and do not change the digest', () => {
  const { tasks, problems } = load({ ...named(code), 'mutants/adds-one/sum.mjs': 'wrong' })
  expect(problems).toEqual([])
  expect(tasks[0]?.hidden.mutants).toEqual({ 'adds-one': { files: { 'sum.mjs': 'wrong' } } })
  expect(tasks[0]?.digest).toBe(load(named(code)).tasks[0]?.digest)
})

it('a mutant of an answer is its answer.txt', () => {
  const { tasks } = load({ ...named(answer), 'mutants/hen/answer.txt': 'a hen\n' })
  expect(tasks[0]?.hidden.mutants).toEqual({ hen: { answer: 'a hen' } })
})

it.each([
  ['a file beside the folders', code, 'mutants/sum.mjs', 'is not a folder'],
  [
    'a file that may not change',
    code,
    'mutants/x/other.mjs',
    'does not allow the change of mutants/x/other.mjs',
  ],
  [
    'an answer of another name',
    answer,
    'mutants/x/text.txt',
    'does not allow the change of mutants/x/text.txt',
  ],
])('%s is refused', (_, texts, path, what) => {
  const { tasks, problems } = load({ ...named(texts), [path]: 'wrong' })
  expect(tasks).toEqual([])
  expect(problems.map((problem) => problem.what).join()).toContain(what)
})

it('a mutant that is the reference is refused', () => {
  const { problems } = load({ ...named(code), 'mutants/same/sum.mjs': code['solution/sum.mjs'] as string })
  expect(problems.map(({ what }) => what)).toEqual(['is the reference solution'])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadTaskFolder, native } from '../../src/suites/native.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'
import { answer, code, codeYaml, type Texts, writeTexts } from './native-texts.ts'

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

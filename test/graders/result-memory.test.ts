import { expect, it } from 'vitest'
import { createResultMemory, judgedKey, remember } from '../../src/graders/result-memory.ts'
import type { Task } from '../../src/schema/task.ts'

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

import { expect, it } from 'vitest'
import { commitTask } from '../../../src/commands/repository/commit-task.ts'
import { TaskSpec } from '../../../src/schema/task.ts'

const state = { commit: 'a'.repeat(40), message: 'Return one', before: new Map(), after: new Map() }
const parts = {
  files: { 'one.js': 'old' },
  tests: { 'test/one.test.js': 'test' },
  solution: { 'one.js': 'new' },
  isTest: (path: string) => path.startsWith('test/'),
  notes: [],
}
const command = { command: ['npm', 'test'] as [string, ...string[]], requires: ['npm'], runner: undefined }
const taken = (repository: string) =>
  commitTask(
    state,
    parts,
    command,
    {
      ...{ id: 'one', title: undefined, instruction: undefined, tests: ['test/**'] },
      ...{ timeoutMs: 1000, repository },
    },
    undefined,
  ).spec

it('tasks of one repository are one cluster, so that tests count them together', () => {
  for (const path of ['/home/shop', '/home/shop.git', '/home/shop/.git'])
    expect(TaskSpec.parse(taken(path)).cluster).toBe('shop')
  expect(TaskSpec.parse(taken('/home/bakery')).cluster).toBe('bakery')
})

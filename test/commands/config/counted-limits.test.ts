import { expect, it } from 'vitest'
import { countedLimits } from '../../../src/commands/config/counted-limits.ts'
import type { Method } from '../../../src/schema/ledger/trial.ts'
import type { Limits } from '../../../src/schema/limits.ts'

const method = (label: string, limits?: Limits) => ({ label, ...(limits && { limits }) }) as Method
const task = (ref: string, limits: Limits) => ({ ref, spec: { limits } })
const given = { options: {}, config: undefined }
const budgets = { run: {}, methods: {} }

it('a limit of a task is a limit that must count, and names the task', () => {
  const run = { budgets, limits: {}, methods: [method('a')] }
  const tasks = [task('s/one', { costUsd: 0.5 }), task('s/two', { calls: 3 }), task('s/three', { tokens: 9 })]
  expect(countedLimits({ ...run, tasks }, given)).toMatchSnapshot()
})

it('many tasks with a limit are one limit', () => {
  const tasks = ['a', 'b', 'c', 'd', 'e'].map((ref) => task(ref, { tokens: 9 }))
  const run = { budgets, limits: {}, methods: [method('a')], tasks }
  expect(countedLimits(run, given)).toMatchSnapshot()
})

it('a limit of all trials or of a method replaces that of a task', () => {
  const tasks = [task('s/one', { costUsd: 0.5 })]
  const ofAll = countedLimits({ budgets, limits: { costUsd: 1 }, methods: [method('a')], tasks }, given)
  expect(ofAll.map(({ where }) => where)).toEqual(['trial costUsd'])
  const methods = [method('a', { costUsd: 1 }), method('b')]
  expect(countedLimits({ budgets, limits: {}, methods, tasks }, given)).toMatchSnapshot()
})

import { expect, it } from 'vitest'
import { workingOptions } from '../../../src/commands/methods/working-options.ts'
import { taskAsks } from '../../../src/loop/plan/task-asks.ts'
import { strategies } from '../../../strategies/index.ts'

it.each([
  ['cascade', { until: 'judge', steps: 3 }, ['until=agreement', 'until=checks']],
  ['baseline', { turns: 2 }, ['turns=1']],
  ['sequential', {}, []],
])('options with which %s asks the task alone, in place of %j', (name, options, expected) => {
  const strategy = strategies.find((one) => one.name === name)
  if (!strategy) throw new Error(name)
  const works = (others: Readonly<Record<string, unknown>>) => taskAsks(strategy, others) !== undefined
  expect(workingOptions(strategy, options, works)).toEqual(expected)
})

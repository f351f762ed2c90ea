import { expect, it } from 'vitest'
import { applyBudgetOptions, parseBudgets } from '../../../src/commands/config/budget-options.ts'
import type { Problem } from '../../../src/text/errors.ts'

it('parseBudgets reports a method limit that is given twice', () => {
  const problems: Problem[] = []
  const given = parseBudgets(problems, { methodLimit: 'calls=1,sequential.calls=2,calls=3' })
  expect(given.map(({ method, amount }) => [method, amount])).toEqual([
    ['*', 1],
    ['sequential', 2],
  ])
  expect(problems).toEqual([
    {
      where: '--method-limit calls=3',
      what: 'sets the same limit twice',
      fix: 'Give each limit once.',
    },
  ])
})

it('a method limit can name a method by its document', () => {
  const problems: Problem[] = []
  const labels = ['graph[file=./a.yaml]', 'plain']
  const given = parseBudgets(problems, { methodLimit: 'graph:./a.yaml.calls=4,plain.calls=2' })
  const budgets = applyBudgetOptions(problems, { run: {}, methods: {} }, given, labels)
  expect(budgets.methods).toEqual({ 'graph[file=./a.yaml]': { calls: 4 }, plain: { calls: 2 } })
  expect(problems).toEqual([])
})

import { expect, it } from 'vitest'
import { parseBudgets } from '../../../src/commands/config/budget-options.ts'
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

import { expect, it } from 'vitest'
import { parseBudgets } from '../../../src/commands/config/budget-options.ts'
import type { Problem } from '../../../src/text/errors.ts'

it('refuses a limit of a method that is given twice, where the last would win in silence', () => {
  const problems: Problem[] = []
  const given = parseBudgets(problems, { methodLimit: 'calls=1,sequential.calls=2,calls=3' })
  expect(given.map(({ method, amount }) => [method, amount])).toEqual([
    ['*', 1],
    ['sequential', 2],
  ])
  expect(problems).toEqual([
    {
      where: '--method-limit calls=3',
      what: 'sets a limit that stands before it already',
      fix: 'Give each limit once.',
    },
  ])
})

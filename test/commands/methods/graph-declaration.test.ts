import { expect, it } from 'vitest'
import { strategyProblems } from '../../../src/commands/methods/strategy-problems.ts'
import { strategyOf } from '../../helpers/runs/trial.ts'

it('a declared graph may name only roles that the strategy has', () => {
  const graph = [
    { id: 'a', role: 'solver', open: true as const, inserts: { prefix: 'w', roles: ['helper'] } },
    { id: 'b', role: 'critic', after: ['a'] },
  ]
  const strategy = strategyOf(async () => ({ stopReason: 'done' }))
  expect(
    strategyProblems({ ...strategy, declaration: { flow: { graph }, stop: 's', context: 'c' } }),
  ).toMatchSnapshot()
})

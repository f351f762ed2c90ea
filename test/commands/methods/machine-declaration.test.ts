import { expect, it } from 'vitest'
import { strategyProblems } from '../../../src/commands/methods/strategy-problems.ts'
import { strategyOf } from '../../helpers/runs/trial.ts'

it('a declared machine may name only roles that the strategy has', () => {
  const flow = { machine: [{ state: 'a', roles: ['solver', 'critic'], next: [] }], decider: 'boss' }
  const strategy = strategyOf(async () => ({ stopReason: 'done' }))
  expect(strategyProblems({ ...strategy, declaration: { flow, stop: 's', context: 'c' } })).toMatchSnapshot()
})

import { expect, it } from 'vitest'
import { failed, judge } from '../graders/test-run/judge-sum.ts'
import { builtinAnswer, forger } from '../helpers/graders/forgers.ts'

const wrongSum = 'export const add = () => 0\nexport const double = () => 0\n'

it.each(['eval', 'Object.prototype', 'globalThis', 'Reflect', 'setTimeout'])(
  'a solution that takes over the channel to the tests fails all of them by the tests’ own %s',
  async (name) => {
    const result = await judge(`${forger(builtinAnswer(name))}\n${wrongSum}`)
    expect(result).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
    expect(result.reason).toContain("the solution's process sent a value that")
  },
)

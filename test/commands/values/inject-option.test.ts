import { expect, it } from 'vitest'
import { parseFaults } from '../../../src/commands/values/inject-option.ts'
import { faultsText } from '../../../src/schema/agent/faults.ts'
import type { Problem } from '../../../src/text/errors.ts'

const roles = ['auditor', 'code-generator']
const parsed = (...texts: string[]) => {
  const problems: Problem[] = []
  const faults = parseFaults(problems, texts, roles)
  return { faults, problems }
}

it('parseFaults reads rates for all roles and overrides them for single roles', () => {
  expect(
    parsed('timeout=0.05, malformed=0.1', 'auditor:malformed=0.2,empty=1e-2', 'auditor:timeout=0'),
  ).toEqual({
    problems: [],
    faults: {
      '*': { timeout: 0.05, malformed: 0.1 },
      auditor: { timeout: 0, malformed: 0.2, empty: 0.01 },
    },
  })
})

it('parseFaults returns undefined if no rate is above 0', () => {
  expect(parsed()).toEqual({ problems: [], faults: undefined })
  expect(parsed('timeout=0')).toEqual({ problems: [], faults: undefined })
})

it('parseFaults reports all mistakes together, with suggestions', () => {
  const { problems } = parsed(
    'timeot=0.1,slow=2,empty=,server=5%,drop',
    'auditr:exit=0.1',
    'malformed=0.9',
    'malformed=0.2,kill=0.6',
  )
  expect(problems.map(({ what, fix }) => `${what} ${fix}`)).toEqual([
    expect.stringMatching(/no kind of fault "timeot" Did you mean "timeout"/),
    expect.stringMatching(/rate of "slow" is "2" Write a share of calls from 0 to 1/),
    expect.stringMatching(/rate of "empty" is missing/),
    expect.stringMatching(/rate of "server" is "5%"/),
    expect.stringMatching(/no kind of fault "drop" Known: timeout, rate-limit/),
    expect.stringMatching(/no role "auditr" Did you mean "auditor"/),
    expect.stringMatching(/gives "malformed" two rates/),
    expect.stringMatching(/rates for all roles add up to 1.5/),
    expect.stringMatching(/rates of role "auditr" add up to 1.6/),
  ])
})

it.each(['0x1', '0b1', '1e', ' ', '-0.1', '5%', 'Infinity', '.'])(
  'parseFaults rejects the rate %s',
  (rate) => {
    const { faults, problems } = parsed(`timeout=${rate}`)
    expect(faults).toBeUndefined()
    expect(problems).toMatchObject([{ fix: 'Write a share of calls from 0 to 1, for example timeout=0.05.' }])
  },
)

it('parseFaults says how to give a second role its faults', () => {
  expect(parsed('auditor:timeout=1,code-generator:exit=0.5').problems).toMatchSnapshot()
})

it('faultsText does not depend on the order of the options', () => {
  const one = parsed('timeout=0.05,empty=0.1', 'auditor:slow=0.2').faults
  const two = parsed('auditor:slow=0.2', 'empty=0.1', 'timeout=0.05').faults
  expect(one && faultsText(one)).toBe(two && faultsText(two))
  expect(one && faultsText(one)).toMatchSnapshot()
})

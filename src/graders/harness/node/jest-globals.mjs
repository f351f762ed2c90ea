// The names of `@jest/globals`.
import { timerFunctions } from './fake-timers.mjs'
import { collectors } from './jest-collectors.mjs'
import { expect, ModuleMocker } from './jest-library.mjs'

const mocker = new ModuleMocker(globalThis)
const missing =
  (name, what = '') =>
  () => {
    throw new Error(`jest.${name}${what} is not available in this runner`)
  }

const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  mocked: (value) => value,
  replaceProperty: mocker.replaceProperty.bind(mocker),
  isMockFunction: mocker.isMockFunction.bind(mocker),
  clearAllMocks: mocker.clearAllMocks.bind(mocker),
  resetAllMocks: mocker.resetAllMocks.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  // The time limit of the task holds instead.
  setTimeout: () => jest,
  ...Object.fromEntries(
    ['mock', 'unmock', 'doMock', 'dontMock', 'requireActual', 'requireMock', 'createMockFromModule']
      .concat(['unstable_mockModule', 'resetModules', 'isolateModules'])
      .map((name) => [name, missing(name, ': a mock of modules')]),
  ),
  retryTimes: missing('retryTimes'),
}

const snapshots = [
  'toMatchSnapshot',
  'toMatchInlineSnapshot',
  'toThrowErrorMatchingSnapshot',
  'toThrowErrorMatchingInlineSnapshot',
]

/** Keeps what is there as it is; a spec may add matchers of its own. */
function keep(object) {
  for (const key of Object.keys(object))
    Object.defineProperty(object, key, { writable: false, configurable: false })
}

/**
 * Gives specs the names that Jest gives them without an import. A solution in this process cannot replace the builtin matchers.
 * `install`: what fakes timers, which reach a solution of this process alone.
 */
export function installGlobals(install) {
  const clock = timerFunctions(install, () => jest)
  Object.assign(jest, clock)
  const { extend } = expect
  for (const name of snapshots)
    extend({
      [name]: () => {
        throw new Error(`${name}: snapshots are not available in this runner`)
      },
    })
  const { matchers } = globalThis[Symbol.for('$$jest-matchers-object')]
  const builtin = new Set(Object.keys(matchers))
  expect.extend = (added) => {
    for (const name of Object.keys(added))
      if (builtin.has(name)) throw new Error(`expect.extend cannot replace the matcher ${name}`)
    return extend(added)
  }
  keep(matchers)
  keep(expect)
  keep(expect.not)
  const all = { expect, jest, ...collectors }
  for (const object of [jest, collectors.describe, collectors.test]) Object.freeze(object)
  for (const [name, value] of Object.entries(all)) Object.defineProperty(globalThis, name, { value })
  return { globals: all, api: apiOf(install && clock) }
}

const apiOf = (clock) => ({
  begin: (name) =>
    expect.setState({
      assertionCalls: 0,
      currentTestName: name,
      expectedAssertionsNumber: null,
      expectedAssertionsNumberError: undefined,
      isExpectingAssertions: false,
      isExpectingAssertionsError: undefined,
      suppressedErrors: [],
    }),
  end: () => {
    const [missed] = expect.extractExpectedAssertionsErrors()
    return missed && { error: missed.error }
  },
  endFile: () => {
    clock?.useRealTimers()
    mocker.restoreAllMocks()
  },
})

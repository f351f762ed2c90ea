// The names of `@jest/globals`.
import { expect, ModuleMocker } from './jest-library.mjs'
import { collectors } from './jest-tree.mjs'

const mocker = new ModuleMocker(globalThis)
const missing = (name) => () => {
  throw new Error(`jest.${name} is not available in this runner`)
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
    [
      'mock',
      'unmock',
      'doMock',
      'requireActual',
      'requireMock',
      'useFakeTimers',
      'useRealTimers',
      'runAllTimers',
    ]
      .concat(['advanceTimersByTime', 'setSystemTime', 'resetModules', 'isolateModules', 'retryTimes'])
      .map((name) => [name, missing(name)]),
  ),
}

/** Keeps what is there as it is; a spec may add matchers of its own. */
function keep(object) {
  for (const key of Object.keys(object))
    Object.defineProperty(object, key, { writable: false, configurable: false })
}

/** Gives specs the names that Jest gives them without an import. A solution in this process cannot replace the builtin matchers. */
export function installGlobals() {
  const { extend } = expect
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
  return all
}

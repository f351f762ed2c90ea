// Vitest's `expect`, made of its own parts as Vitest makes it, without snapshots.
import { chai, matchers } from './vitest-library.mjs'

const { ASYMMETRIC_MATCHERS_OBJECT, GLOBAL_EXPECT, getState, setState } = matchers
const originalSetTimeout = setTimeout

const snapshots = [
  ...['toMatchSnapshot', 'toMatchInlineSnapshot', 'toMatchFileSnapshot'],
  ...['toThrowErrorMatchingSnapshot', 'toThrowErrorMatchingInlineSnapshot'],
]

/** `running` gives the test that runs. Returns `expect`, what begins a test, and what returns an error of its assertions. */
export function createExpect(running) {
  for (const plugin of ['JestExtend', 'JestChaiExpect', 'JestAsymmetricMatchers', 'ChaiStyleAssertions'])
    if (matchers[plugin]) chai.use(matchers[plugin])
  chai.use((_, { addMethod }) => {
    for (const name of snapshots)
      addMethod(chai.Assertion.prototype, name, () => {
        throw new Error(`${name}: snapshots are not available in this runner`)
      })
  })
  const expect = (value, message) => {
    setState({ assertionCalls: getState(expect).assertionCalls + 1 }, expect)
    const assertion = chai.expect(value, message)
    return running() ? assertion.withTest(running()) : assertion
  }
  Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT], {
    getState: () => getState(expect),
    setState: (state) => setState(state, expect),
    assert: chai.assert,
    extend: (added) => chai.expect.extend(expect, added),
    addEqualityTesters: (added) => matchers.addCustomEqualityTesters(added),
    addSnapshotSerializer: () => {},
    soft: (...args) => expect(...args).withContext({ soft: true }),
    poll: (read, options) => poll(expect, read, options),
    unreachable: (message = '') => chai.assert.fail(`expected ${message} not to be reached`),
    assertions: (count) => setState({ expectedAssertionsNumber: count }, expect),
    hasAssertions: () => setState({ isExpectingAssertions: true }, expect),
  })
  chai.util.addMethod(expect, 'assertions', expect.assertions)
  chai.util.addMethod(expect, 'hasAssertions', expect.hasAssertions)
  const begin = (name) => setState({ ...fresh, currentTestName: name }, expect)
  begin('')
  globalThis[GLOBAL_EXPECT] = expect
  return { expect, begin, end: (test) => missed(expect, test) }
}

const fresh = { assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }

async function missed(expect, { promises, result }) {
  try {
    await Promise.all(promises)
  } catch (error) {
    return { error }
  }
  if (result.errors?.length) return { error: toError(result.errors[0]) }
  const { assertionCalls, isExpectingAssertions, expectedAssertionsNumber: wanted } = getState(expect)
  if (wanted !== null && wanted !== assertionCalls)
    return { error: new Error(`expected number of assertions to be ${wanted}, but got ${assertionCalls}`) }
  return isExpectingAssertions && assertionCalls === 0
    ? { error: new Error('expected any number of assertion, but got none') }
    : undefined
}

const toError = (found) =>
  found instanceof Error ? found : Object.assign(new Error(found.message), { stack: found.stack })

/** `expect.poll(read).toBe(…)` asks until it holds, or its time is over. */
function poll(expect, read, { interval = 50, timeout = 1000, message } = {}) {
  const ask = async (path, args) => {
    for (let waited = 0; ; waited += interval) {
      try {
        const last = path.at(-1)
        const holder = path.slice(0, -1).reduce((at, key) => at[key], expect(await read(), message))
        return holder[last](...args)
      } catch (error) {
        if (waited >= timeout) throw error
        await new Promise((resolve) => originalSetTimeout(resolve, interval))
      }
    }
  }
  const chain = (path) =>
    new Proxy(() => {}, {
      get: (_, key) => (key === 'then' ? undefined : chain([...path, key])),
      apply: (_, __, args) => ask(path, args),
    })
  return chain([])
}

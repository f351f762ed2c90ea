// The names of `vitest`: its own `expect` and spies, over the tree of tests that Jest's specs have, too.
import { timerFunctions } from './fake-timers.mjs'
import { describeLaterAs, hooks, testAs } from './jest-tree.mjs'
import { createExpect } from './vitest-expect.mjs'
import { chai, spies } from './vitest-library.mjs'
import { sorted, withTables } from './vitest-tables.mjs'

const originalSetTimeout = setTimeout
const missing = (name) => () => {
  throw new Error(`${name} is not available in this runner`)
}

/** What a running test needs; Vitest's matchers add their errors and promises to it. */
let running

/** Gives specs the names of `vitest`. `install`: what fakes timers, which reach a solution of this process alone. */
export function installGlobals(install) {
  const { expect, begin, end } = createExpect(() => running)
  const clock = timerFunctions(install, () => vi)
  const stubs = stubFunctions(() => vi)
  const vi = {
    ...mockFunctions(() => vi),
    ...stubs,
    ...clock,
    hoisted: (make) => make(),
    importActual: (path) => import(path),
    waitFor: (check, options) => waitFor(check, options, () => true),
    waitUntil: (check, options) => waitFor(check, options, Boolean),
    setConfig: () => {},
    resetConfig: () => {},
    dynamicImportSettled: async () => {},
    ...Object.fromEntries(
      ['mock', 'doMock', 'unmock', 'doUnmock', 'importMock', 'resetModules', 'mockObject'].map((name) => [
        name,
        missing(`vi.${name}: a mock of modules`),
      ]),
    ),
  }
  const test = makeTest()
  const describe = makeDescribe(test)
  const globals = {
    ...{ expect, assert: chai.assert, chai, vi, vitest: vi, ...hooks },
    ...{ describe, suite: describe, test, it: test, bench: () => {} },
    onTestFinished: (work) => running?.cleanups.push(work),
    onTestFailed: () => {},
    expectTypeOf: () => anyType,
    assertType: () => {},
    inject: missing('inject'),
    should: chai.should,
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const api = {
    begin: (name) => {
      running = {
        name,
        type: 'test',
        meta: {},
        file: {},
        result: {},
        promises: [],
        onFinished: [],
        cleanups: [],
      }
      begin(name)
    },
    end: () => end(running),
    contextOf: (cleanups) => {
      running.cleanups = cleanups
      return {
        ...globals,
        task: running,
        skip,
        annotate: async () => {},
        signal: new AbortController().signal,
      }
    },
    endFile: () => {
      if (install) clock.useRealTimers()
      stubs.unstubAllGlobals()
      stubs.unstubAllEnvs()
      spies.restoreAllMocks()
    },
  }
  return { globals, api }
}

const skip = (condition = true) => {
  if (condition) throw Object.assign(new Error('skipped'), { isSkip: true })
}

/** Types are not checked: any call or property of `expectTypeOf(…)` is right. */
const anyType = new Proxy(() => {}, {
  get: (_, key) => (key === 'then' ? undefined : anyType),
  apply: () => anyType,
})

const modeOf = ({ skip, only, todo, fails }, usual) =>
  skip ? 'skip' : todo ? 'todo' : [only && 'only', fails && 'failing'].filter(Boolean).join(' ') || usual

function makeTest() {
  const make = (mode) => {
    const add = (name, second, third) => {
      const { work, timeout, ...options } = sorted(name, second, third)
      const chosen = work === undefined ? 'todo' : modeOf(options, mode)
      testAs(chosen)(name, work, timeout)
    }
    return withTables(add)
  }
  return withModes(make, ['fails', 'failing'], ['concurrent', 'sequential'])
}

const makeDescribe = (test) =>
  withModes(
    (mode) =>
      withTables((name, second, third) => {
        const { work, ...options } = sorted(name, second, third)
        describeLaterAs(modeOf(options, mode))(name, () => work?.(test))
      }),
    [],
    ['concurrent', 'sequential', 'shuffle'],
  )

/** Gives `test` or `describe` its modes as properties, also one after the other: `test.only.each`, `test.concurrent.skip`. */
function withModes(make, [name, mode] = [], same = []) {
  const usual = make('live')
  const skipped = make('skip')
  const modes = {
    only: make('only'),
    skip: skipped,
    todo: make('todo'),
    ...(name && { [name]: make(mode) }),
    skipIf: (condition) => (condition ? skipped : usual),
    runIf: (condition) => (condition ? usual : skipped),
    extend: missing('test.extend'),
  }
  for (const one of [usual, modes.only, skipped]) {
    Object.assign(one, modes)
    for (const key of same) one[key] = one
  }
  return usual
}

const mockFunctions = (owner) => ({
  fn: spies.fn,
  spyOn: spies.spyOn,
  isMockFunction: spies.isMockFunction,
  mocked: (value) => value,
  ...Object.fromEntries(
    ['clearAllMocks', 'resetAllMocks', 'restoreAllMocks'].map((name) => [
      name,
      () => {
        spies[name]()
        return owner()
      },
    ]),
  ),
})

function stubFunctions(owner) {
  const stub = (target, original) => {
    const before = new Map()
    const set = (name, value) => {
      if (!before.has(name)) before.set(name, original(name))
      target(name, value)
      return owner()
    }
    const undo = () => {
      for (const [name, value] of before) target(name, value)
      before.clear()
      return owner()
    }
    return [set, undo]
  }
  const environment = (name, value) => {
    if (value === undefined) delete process.env[name]
    else process.env[name] = `${value}`
  }
  const global = (name, value) => {
    if (value === absent) delete globalThis[name]
    else
      Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true })
  }
  const [stubGlobal, unstubAllGlobals] = stub(global, (name) =>
    name in globalThis ? globalThis[name] : absent,
  )
  const [stubEnv, unstubAllEnvs] = stub(environment, (name) => process.env[name])
  return { stubGlobal, unstubAllGlobals, stubEnv, unstubAllEnvs }
}

const absent = Symbol('absent')

async function waitFor(check, options, holds) {
  const { timeout = 1000, interval = 50 } =
    typeof options === 'number' ? { timeout: options } : (options ?? {})
  for (let waited = 0; ; waited += interval) {
    try {
      const value = await check()
      if (holds(value)) return value
      if (waited >= timeout) throw new Error('Timed out in waitUntil!')
    } catch (error) {
      if (waited >= timeout) throw error
    }
    await new Promise((resolve) => originalSetTimeout(resolve, interval))
  }
}

// Fake timers, with the names that Jest and Vitest share.

const originalDate = Date
/** More than this many timers is an endless loop. */
const loopLimit = 100_000

/**
 * Gives functions that fake the clock of this process by `install` of `timers-library.mjs`. Those that change it return `owner()`, as
 * `vi` and `jest` do. Without `install` they throw: a solution in another process has a clock of its own.
 */
export function timerFunctions(install, owner) {
  let clock
  let onlyDate = false
  const fake = () => {
    if (clock === undefined) throw new Error('Timers are not mocked: call useFakeTimers() first.')
    return clock
  }
  const useRealTimers = () => {
    clock?.uninstall()
    clock = undefined
    return owner()
  }
  const begin = (settings, isOnlyDate) => {
    useRealTimers()
    clock = install({ loopLimit, ignoreMissingTimers: true, ...settings })
    onlyDate = isOnlyDate
    return owner()
  }
  const move = (act) => {
    act(fake())
    return owner()
  }
  const moveAsync = async (act) => {
    await act(fake())
    return owner()
  }
  const functions = {
    useFakeTimers: (options = {}) => begin(settingsOf(options), false),
    useRealTimers,
    isFakeTimers: () => clock !== undefined,
    setSystemTime: (now) => {
      if (clock === undefined) return begin({ now, toFake: ['Date'] }, true)
      if (onlyDate) return begin({ now, toFake: ['Date'] }, true)
      return move((one) => one.setSystemTime(now))
    },
    getRealSystemTime: () => originalDate.now(),
    getMockedSystemTime: () => (clock === undefined ? null : new Date(clock.now)),
    now: () => (clock === undefined ? originalDate.now() : clock.now),
    getTimerCount: () => fake().countTimers(),
    clearAllTimers: () => move((one) => one.reset()),
    runAllTicks: () => move((one) => one.runMicrotasks()),
    runAllTimers: () => move((one) => one.runAll()),
    runAllTimersAsync: () => moveAsync((one) => one.runAllAsync()),
    runOnlyPendingTimers: () => move((one) => one.runToLast()),
    runOnlyPendingTimersAsync: () => moveAsync((one) => one.runToLastAsync()),
    advanceTimersByTime: (ms) => move((one) => one.tick(ms)),
    advanceTimersByTimeAsync: (ms) => moveAsync((one) => one.tickAsync(ms)),
    advanceTimersToNextTimer: (steps = 1) =>
      move((one) => {
        for (let i = 0; i < steps; i++) one.next()
      }),
    advanceTimersToNextTimerAsync: (steps = 1) =>
      moveAsync(async (one) => {
        for (let i = 0; i < steps; i++) await one.nextAsync()
      }),
  }
  return install ? functions : missingFunctions(functions)
}

const missingFunctions = (functions) =>
  Object.fromEntries(
    Object.keys(functions).map((name) => [
      name,
      () => {
        throw new Error(`${name}: fake timers are not available in this runner`)
      },
    ]),
  )

/** Ticks and microtasks stay real unless they are asked for: promises of a test would wait for ever. */
const usual = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate']
  .concat(['Date', 'performance', 'hrtime'])
  .filter((name) => name in globalThis || name === 'hrtime')

function settingsOf({ now, toFake, toNotFake, doNotFake, shouldAdvanceTime, advanceTimers }) {
  const real = [toNotFake, doNotFake].flat()
  return {
    now: now ?? originalDate.now(),
    toFake: (toFake ?? usual).filter((name) => !real.includes(name)),
    ...((shouldAdvanceTime || advanceTimers) && { shouldAdvanceTime: true }),
  }
}

// Runs the tests that `jest-tree.mjs` has collected.

// Stored before the solution runs.
const { isExtensible } = Object
const originalPromise = Promise
const originalSetTimeout = setTimeout
const originalClearTimeout = clearTimeout

/**
 * Runs a file's tests. `report` has `begin(name)`, `skipped(name)`, `passed(name)` and `failed(name, error)`. `api` says what differs
 * between Jest and Vitest: `begin(name)` before a test; `end()` after it, which returns an error of assertions in an object;
 * `contextOf(cleanups)` gives what a test gets in place of `done`; `timeoutMs` is the longest time of a test, if there is one.
 */
export async function runTree(root, report, api) {
  const hasOnly = some(root, ({ mode }) => mode.startsWith('only'))
  await runBlock(root, { report, api, isLive: (test) => isLive(test, hasOnly), broken: undefined })
}

const some = (node, is) => is(node) || Boolean(node.children?.some((child) => some(child, is)))

function isLive(test, hasOnly) {
  const line = lineage(test)
  if (test.mode === 'todo' || line.some(({ mode }) => mode === 'skip')) return false
  return !hasOnly || line.some(({ mode }) => mode.startsWith('only'))
}

/** Returns a test and the blocks around it, outermost first. */
function lineage(node) {
  const line = []
  for (let at = node; at !== undefined; at = at.parent) line.unshift(at)
  return line
}

const fullName = (node) =>
  lineage(node)
    .map(({ name }) => name)
    .filter((name) => name !== '')
    .join(' > ')

async function runBlock(block, context) {
  const { report, isLive, api } = context
  const runs = some(block, (node) => node.children === undefined && isLive(node))
  const inner = { ...context }
  const cleanups = []
  if (runs) inner.broken ??= await firstError(block.hooks.beforeAll, { api, context: {}, cleanups })
  for (const child of block.children) {
    if (child.children) await runBlock(child, inner)
    else await runTest(child, inner)
  }
  if (!runs) return
  const late = await firstError([...block.hooks.afterAll, ...cleanups.reverse()], { api, context: {} })
  if (late) report.failed(fullName(block) || 'afterAll', late.error)
}

async function runTest(test, { report, isLive, broken, api }) {
  const name = fullName(test)
  if (!isLive(test)) return report.skipped(name)
  report.begin(name)
  let found = broken ?? (await attempt(test, name, api))
  if (found?.error?.isSkip) return report.skipped(name)
  if (test.mode.endsWith('failing'))
    found = found
      ? undefined
      : { error: new Error('Failing test passed even though it was supposed to fail.') }
  if (found) report.failed(name, found.error)
  else report.passed(name)
  return undefined
}

/** Runs one test with its hooks; returns its first error in an object, since a thrown value may be undefined. */
async function attempt(test, name, api) {
  const blocks = lineage(test).slice(0, -1)
  api.begin(name)
  const cleanups = []
  const how = { api, context: api.contextOf?.(cleanups), cleanups }
  let found = await firstError(
    blocks.flatMap(({ hooks }) => hooks.beforeEach),
    how,
  )
  found ??= await firstError([test.work], { ...how, cleanups: undefined, timeoutMs: test.timeout })
  // Inner hooks first; each runs, also after an error.
  for (const hook of [...blocks.reverse().flatMap(({ hooks }) => hooks.afterEach), ...cleanups.reverse()]) {
    const late = await firstError([hook], { ...how, cleanups: undefined })
    found ??= late
  }
  const missed = await api.end()
  return found ?? missed
}

async function firstError(works, how) {
  for (const work of works) {
    try {
      const given = await inTime(start(work, how), how)
      // What a hook of Vitest returns undoes it.
      if (how.context && how.cleanups && typeof given === 'function') how.cleanups.push(given)
    } catch (error) {
      return { error }
    }
  }
  return undefined
}

async function inTime(running, { api, timeoutMs = api.timeoutMs }) {
  if (api.timeoutMs === undefined) return running
  let timer
  const late = new originalPromise((_, reject) => {
    timer = originalSetTimeout(() => reject(new Error(`Test timed out in ${timeoutMs}ms.`)), timeoutMs)
  })
  try {
    return await originalPromise.race([running, late])
  } finally {
    originalClearTimeout(timer)
  }
}

/** Runs a function of a spec, which may return a promise, or take a callback `done` (Jest) or a context (Vitest). */
async function start(work, { context }) {
  if (context) return work.call({}, context)
  if (work.length === 0) return work.call({})
  return new originalPromise((resolve, reject) => {
    const done = (error) => {
      if (error === undefined || error === null) resolve()
      else reject(typeof error === 'object' && isExtensible(error) ? error : new Error(`done: ${error}`))
    }
    done.fail = (error) => reject(error instanceof Error ? error : new Error(`${error}`))
    const returned = work.call({}, done)
    if (typeof returned?.then === 'function') returned.then(undefined, reject)
  })
}

// Collects the tests of a spec as Jest does: all `describe` blocks first, then the tests in their order.
import { bind, expect } from './jest-library.mjs'

const makeBlock = (name, parent, mode) => ({
  name,
  parent,
  mode,
  children: [],
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
})

let root
let current

/** Starts the tests of another file. */
export function beginFile() {
  root = makeBlock('', undefined, 'live')
  current = root
}

/** Returns the block of all tests of the file. */
export const collected = () => root

function addBlock(mode, name, body) {
  const block = makeBlock(nameOf(name), current, mode)
  current.children.push(block)
  current = block
  try {
    if (body?.() instanceof Promise) throw new Error('Returning a Promise from "describe" is not supported.')
  } finally {
    current = block.parent
  }
}

function addTest(mode, name, work) {
  if (typeof work !== 'function' && mode !== 'todo')
    throw new Error(`Missing second argument of the test "${nameOf(name)}". It must be a callback function.`)
  current.children.push({ name: nameOf(name), parent: current, mode, work })
}

const nameOf = (name) => (typeof name === 'function' ? name.name : `${name}`)

/** Makes `describe` or `test` of a mode, with its `each`. */
function maker(add, mode, takesCallback) {
  const make = (name, body) => add(mode, name, body)
  make.each = bind(make, takesCallback)
  return make
}

const describeAs = (mode) => maker(addBlock, mode, false)
const testAs = (mode) => maker(addTest, mode, true)

const skippedBlock = describeAs('skip')
const onlyBlock = describeAs('only')
const skipped = testAs('skip')
const only = Object.assign(testAs('only'), { failing: testAs('only failing') })
const concurrent = Object.assign(testAs('live'), { only, skip: skipped })
const failing = Object.assign(testAs('failing'), { only: only.failing, skip: skipped })

export const describe = Object.assign(describeAs('live'), { only: onlyBlock, skip: skippedBlock })
export const test = Object.assign(testAs('live'), {
  only,
  skip: skipped,
  todo: (name) => addTest('todo', name),
  failing,
  concurrent,
})

const hook = (kind) => (work) => current.hooks[kind].push(work)

/** The functions of a spec, by name. */
export const collectors = {
  describe,
  test,
  it: test,
  fdescribe: onlyBlock,
  xdescribe: skippedBlock,
  fit: only,
  xit: skipped,
  xtest: skipped,
  beforeAll: hook('beforeAll'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
  afterAll: hook('afterAll'),
}

// Stored before the solution runs.
const { isExtensible } = Object
const originalPromise = Promise

/** Runs a file's tests. `report` has `begin(name)`, `skipped(name)`, `passed(name)` and `failed(name, error)`. */
export async function runTree(root, report) {
  const hasOnly = some(root, ({ mode }) => mode.startsWith('only'))
  await runBlock(root, { report, isLive: (test) => isLive(test, hasOnly), broken: undefined })
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
  const { report, isLive } = context
  const runs = some(block, (node) => node.children === undefined && isLive(node))
  const inner = { ...context }
  if (runs) inner.broken ??= await firstError(block.hooks.beforeAll)
  for (const child of block.children) {
    if (child.children) await runBlock(child, inner)
    else await runTest(child, inner)
  }
  if (!runs) return
  const late = await firstError(block.hooks.afterAll)
  if (late) report.failed(fullName(block) || 'afterAll', late.error)
}

async function runTest(test, { report, isLive, broken }) {
  const name = fullName(test)
  if (!isLive(test)) return report.skipped(name)
  report.begin(name)
  let found = broken ?? (await attempt(test, name))
  if (test.mode.endsWith('failing'))
    found = found
      ? undefined
      : { error: new Error('Failing test passed even though it was supposed to fail.') }
  if (found) report.failed(name, found.error)
  else report.passed(name)
  return undefined
}

/** Runs one test with its hooks; returns its first error in an object, since a thrown value may be undefined. */
async function attempt(test, name) {
  const blocks = lineage(test).slice(0, -1)
  expect.setState({
    assertionCalls: 0,
    currentTestName: name,
    expectedAssertionsNumber: null,
    expectedAssertionsNumberError: undefined,
    isExpectingAssertions: false,
    isExpectingAssertionsError: undefined,
    suppressedErrors: [],
  })
  let found = await firstError(blocks.flatMap(({ hooks }) => hooks.beforeEach))
  found ??= await firstError([test.work])
  // Inner hooks first; each runs, also after an error.
  for (const hook of blocks.reverse().flatMap(({ hooks }) => hooks.afterEach)) {
    const late = await firstError([hook])
    found ??= late
  }
  const [missed] = expect.extractExpectedAssertionsErrors()
  return found ?? (missed && { error: missed.error })
}

async function firstError(works) {
  for (const work of works) {
    try {
      await start(work)
    } catch (error) {
      return { error }
    }
  }
  return undefined
}

/** Runs a function of a spec, which may return a promise or take a callback `done`. */
function start(work) {
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

// Collects the tests of a spec as Jest does: all `describe` blocks first, then the tests in their order.
import { bind } from './library.mjs'

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

// Collects the tests of a spec as Jest and Vitest do: all `describe` blocks first, then the tests in their order.

const makeBlock = (name, parent, mode) => ({
  name,
  parent,
  mode,
  children: [],
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
})

let root
let current

/** Starts the tests of another file, with the hooks of a setup file. */
export function beginFile(hooks = {}) {
  root = makeBlock('', undefined, 'live')
  for (const [kind, works] of Object.entries(hooks)) root.hooks[kind].push(...works)
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

function addTest(mode, name, work, timeout) {
  if (typeof work !== 'function' && mode !== 'todo')
    throw new Error(`Missing second argument of the test "${nameOf(name)}". It must be a callback function.`)
  current.children.push({ name: nameOf(name), parent: current, mode, work, timeout })
}

const nameOf = (name) => (typeof name === 'function' ? name.name : `${name}`)

/** Makes `describe` of a mode: `live`, `skip` or `only`. */
export const describeAs = (mode) => (name, body) => addBlock(mode, name, body)

/** Makes `describe` of Vitest, whose body is run by `collectLater` and may be asynchronous. */
export const describeLaterAs = (mode) => (name, body) =>
  current.children.push({ ...makeBlock(nameOf(name), current, mode), body })

/** Runs the bodies of blocks, after their file has been loaded. */
export async function collectLater(block = root) {
  for (const child of block.children) {
    if (!child.children) continue
    current = child
    await child.body?.()
    await collectLater(child)
  }
}

/** Makes `test` of a mode, which may be `todo` or `failing`, too. `timeout` in ms. */
export const testAs = (mode) => (name, work, timeout) => addTest(mode, name, work, timeout)

const hook = (kind) => (work) => current.hooks[kind].push(work)

/** The functions that add a hook. */
export const hooks = {
  beforeAll: hook('beforeAll'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
  afterAll: hook('afterAll'),
}

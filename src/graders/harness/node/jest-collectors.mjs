// The functions of a spec of Jest that collect its tests.
import { bind } from './jest-library.mjs'
import { describeAs, hooks, testAs } from './jest-tree.mjs'

/** Adds `each`. A test of a table that takes one argument more gets `done`. */
const withTables = (make, takesCallback) => Object.assign(make, { each: bind(make, takesCallback) })

const blockAs = (mode) => withTables(describeAs(mode), false)
const specAs = (mode) => withTables(testAs(mode), true)

const skippedBlock = blockAs('skip')
const onlyBlock = blockAs('only')
const skipped = specAs('skip')
const only = Object.assign(specAs('only'), { failing: specAs('only failing') })
const concurrent = Object.assign(specAs('live'), { only, skip: skipped })
const failing = Object.assign(specAs('failing'), { only: only.failing, skip: skipped })

const describe = Object.assign(blockAs('live'), { only: onlyBlock, skip: skippedBlock })
const test = Object.assign(specAs('live'), {
  only,
  skip: skipped,
  todo: testAs('todo'),
  failing,
  concurrent,
})

/** The functions of a spec of Jest, by name. */
export const collectors = {
  describe,
  test,
  it: test,
  fdescribe: onlyBlock,
  xdescribe: skippedBlock,
  fit: only,
  xit: skipped,
  xtest: skipped,
  ...hooks,
}

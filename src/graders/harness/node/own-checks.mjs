// A function that tests pass to `assert.throws` may be a class of errors or a check of their own. One of the solution is a class alone:
// as a check it could accept everything.
import { isStandIn } from './functions.mjs'

const { syncBuiltinESMExports } = process.getBuiltinModule('node:module')

/** Changes the assertions that call a check on an error. */
export function ignoreForeignChecks() {
  const assert = process.getBuiltinModule('node:assert')
  for (const name of ['throws', 'rejects', 'doesNotThrow', 'doesNotReject']) {
    const original = assert[name]
    const guarded = (work, check, ...more) =>
      original(work, isStandIn(check) ? classOf(check) : check, ...more)
    for (const judged of [assert, assert.strict]) judged[name] = guarded
  }
  syncBuiltinESMExports()
}

const classOf = (check) => (error) => error instanceof check

import { readFileSync } from 'node:fs'

const made = /var standardNormalTable = \[\];\s+(for \(var z = 0; z <= 3\.09; z \+= 0\.01\) \{[^}]+\})/

/**
 * A plugin of the bundle: a library fills a table as it is loaded, in half a millisecond and as much again for code that
 * does nothing else. Said to have no other effect, it is left out where nobody reads it.
 */
export const unusedTable = {
  name: 'unused table',
  load(id) {
    if (!/simple-statistics\.mjs$/.test(id)) return null
    const text = readFileSync(id, 'utf8')
    if (!made.test(text))
      throw new Error(`${id} fills its table in another way now: see scripts/unused-table.mjs`)
    return text.replace(
      made,
      'var standardNormalTable = /* @__PURE__ */ (() => { const standardNormalTable = []; $1; return standardNormalTable })();',
    )
  },
}

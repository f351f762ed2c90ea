import type { BuildError, TestFailure } from '../../src/schema/stage/tool-reports.ts'

type Key = readonly (string | number)[]

/** Returns failures by file, line and name: the order in which a runner ends its tests may differ. */
export const orderFailures = (failures: readonly TestFailure[]): TestFailure[] =>
  orderBy(failures, ({ file, line = 0, test_name, error }) => [file, line, test_name, error])

/** Returns errors by file and place; those of the whole build come first. */
export const orderErrors = (errors: readonly BuildError[]): BuildError[] =>
  orderBy(errors, ({ file = '', line = 0, column = 0, code = '', message }) => [
    file,
    line,
    column,
    code,
    message,
  ])

function orderBy<Item>(items: readonly Item[], keyOf: (item: Item) => Key): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item)
}

/** Compares by code units, never by a language. */
function compare(one: Key, other: Key): number {
  const at = one.findIndex((part, i) => part !== other[i])
  return at < 0 ? 0 : (one[at] as string) < (other[at] as string) ? -1 : 1
}

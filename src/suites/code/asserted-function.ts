import { pythonStatements } from '../../replies/code/python/statements.ts'
import { type Binding, namesCalled, namesUsed, topLevelNames } from './python-names.ts'

/** The function that Python asserts test, and what else of the solution they use. */
export interface AssertedFunction {
  name: string
  /** Imports of the solution that the tests rely on. */
  imports: string[]
  /** Other names of the solution in the tests, such as a class. They exist in the solution's process only. */
  others: string[]
}

/**
 * Finds the function that asserts test: of the names that a reference solution defines, the one that the most asserts call; of several
 * the first, which is the outer one. So `set(f(x)) == set(y)` and `isclose(f(x), y)` test `f`. Undefined if they call none of them.
 */
export function assertedFunction(
  code: string,
  setup: string,
  asserts: readonly string[],
): AssertedFunction | undefined {
  const defined = topLevelNames(code)
  const tests = asserts.map(pythonStatements)
  const calls = tests.map((statements) => [...new Set(namesCalled(statements))])
  const name = mostCalled(calls, (one) => isCallable(defined.get(one)))
  if (name === undefined) return undefined
  const used = namesUsed([setup, ...asserts].flatMap(pythonStatements))
  const found = [...used].flatMap((one) => {
    const binding = one === name ? undefined : defined.get(one)
    return binding ? [{ one, binding }] : []
  })
  const isImport = ({ binding }: { binding: Binding }) => binding.kind === 'import'
  return {
    name,
    imports: [...new Set(found.filter(isImport).map(({ binding }) => binding.text))],
    others: found.filter((one) => !isImport(one)).map(({ one }) => one),
  }
}

const isCallable = (binding: Binding | undefined) => binding !== undefined && binding.kind !== 'import'

function mostCalled(
  calls: readonly (readonly string[])[],
  accept: (name: string) => boolean,
): string | undefined {
  const counts = new Map<string, number>()
  for (const name of calls.flat()) if (accept(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}

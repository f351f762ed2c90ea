import type { TestCount } from './spec-text.ts'

/** A class of a file of tests. */
interface TestClass {
  bases: readonly string[]
  /** Names of its test methods, and whether they run. */
  tests: Map<string, boolean>
  isSkipped: boolean
}

/** Counts the tests of a file that uses Python's unittest. Those under a decorator `skip` do not run; with `skipIf` that is unknown. */
export function countUnittests(text: string): TestCount {
  const { classes, exact } = readClasses(withoutLongTexts(text))
  let live = 0
  for (const name of classes.keys()) {
    if (!isTestCase(name, classes) || classes.get(name)?.isSkipped) continue
    for (const runs of testsOf(name, classes).values()) if (runs) live++
  }
  return { live, exact: exact && !/\bload_tests\b|\bsetattr\(/.test(text) }
}

/** Blanks out texts in triple quotes, whose lines may look like code. */
const withoutLongTexts = (text: string) =>
  text.replace(/"""[\s\S]*?"""|'''[\s\S]*?'''/g, (all) => all.replace(/[^\n]/g, ' '))

function readClasses(text: string): { classes: Map<string, TestClass>; exact: boolean } {
  const classes = new Map<string, TestClass>()
  let current: TestClass | undefined
  let decorators = ''
  let exact = true
  for (const line of text.split('\n')) {
    const [, name, bases = ''] = /^class\s+(\w+)\s*(?:\(([^)]*)\))?\s*:/.exec(line) ?? []
    const [, method] = /^[ \t]+(?:async\s+)?def\s+(test\w*)\s*\(/.exec(line) ?? []
    if (/^\s*@/.test(line)) {
      decorators += line
      continue
    }
    if (/skip(?:If|Unless)\b/.test(decorators)) exact = false
    const isSkipped = /\bskip(?:If|Unless)?\b/.test(decorators)
    if (name !== undefined) {
      current = { bases: bases.split(',').map((base) => base.trim()), tests: new Map(), isSkipped }
      classes.set(name, current)
    } else if (method !== undefined) current?.tests.set(method, !isSkipped)
    else if (/^\S/.test(line)) current = undefined
    if (line.trim() !== '') decorators = ''
  }
  return { classes, exact }
}

function isTestCase(name: string, classes: ReadonlyMap<string, TestClass>, depth = 0): boolean {
  const bases = classes.get(name)?.bases ?? []
  return bases.some(
    (base) => /(?:^|\.)\w*TestCase$/.test(base) || (depth < 20 && isTestCase(base, classes, depth + 1)),
  )
}

/** Returns the tests of a class with those that it inherits from classes of the file. */
function testsOf(name: string, classes: ReadonlyMap<string, TestClass>, depth = 0): Map<string, boolean> {
  const { bases = [], tests = new Map<string, boolean>() } = classes.get(name) ?? {}
  const inherited = depth < 20 ? bases.flatMap((base) => [...testsOf(base, classes, depth + 1)]) : []
  return new Map([...inherited, ...tests])
}

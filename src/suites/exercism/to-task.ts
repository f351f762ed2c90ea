import { posix } from 'node:path'
import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../base/syntax-tree.ts'
import type { Files, Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { type ImportedTask, makeTask, taskId } from '../make-task.ts'
import type { Exercise } from './exercise.ts'
import { applyEdits, childrenOf, type Edit, readSpec, type TestCount } from './spec-text.ts'
import type { Language, Track } from './track.ts'

interface Tests {
  runner: 'jest' | 'unittest'
  shipped: TestCount
  all: TestCount
  hidden: Files
  /** Why they need the solution in their own process, if they do. */
  sharing?: string
}

/** Returns the task of an exercise, its tests limited to `timeoutMs`; undefined, with the problems, if its tests cannot be read. */
export function toTask(
  exercise: Exercise,
  track: Track,
  timeoutMs: number,
  problems: Problem[],
): Task | undefined {
  const tests = track.language === 'python' ? unittests(exercise) : specs(exercise, problems)
  if (!tests) return undefined
  if (tests.all.live === 0) {
    problems.push({
      where: exercise.folder,
      what: 'has no test that runs',
      fix: 'Restore its tests from the track.',
    })
    return undefined
  }
  const named = Object.keys(exercise.tests).filter(isTestFile)
  const run = { runner: tests.runner, testsIn: 'root' as const, files: named, timeoutMs }
  return makeTask({
    suite: `exercism-${track.language}`,
    spec: {
      ...description(exercise, track),
      graders: [{ kind: 'tests', ...run, expectTests: tests.all.live }],
      ...(tests.shipped.live > 0 && { checks: { ...run, expectTests: tests.shipped.live } }),
      ...(tests.sharing !== undefined && { grading: 'one-process' as const }),
      ...knownIssues(exercise, tests),
    },
    instruction: instructionOf(exercise, track.language),
    files: { ...exercise.others, ...exercise.solution },
    checks: tests.shipped.live > 0 ? exercise.tests : {},
    hidden: {
      tests: tests.hidden,
      ...(exercise.example.length > 0 && { solution: { files: referenceOf(exercise) } }),
    },
    origin: exercise.folder,
  })
}

const isTestFile = (path: string) => /(?:\.(?:spec|test)\.[cm]?[jt]sx?|_test\.py)$/.test(path)

function description(exercise: Exercise, { language, listed, commit }: Track) {
  const { slug } = exercise
  const known = listed.get(slug)
  const tags = [...new Set([...(known?.topics ?? []), ...(known?.practices ?? [])])]
  return {
    id: taskId(slug) || 'exercise',
    title: known?.name ?? slug,
    output: 'files',
    language,
    editable: Object.keys(exercise.solution),
    requires: language === 'python' ? ['python3'] : [],
    licence: 'MIT',
    source: `Exercism, ${language} track, ${slug}${commit === undefined ? '' : `, commit ${commit}`} (github.com/exercism/${language})`,
    ...(tags.length > 0 && { tags }),
    ...(known?.difficulty !== undefined && { properties: { difficulty: (known.difficulty - 1) / 9 } }),
  } satisfies Partial<ImportedTask['spec']>
}

function knownIssues({ issues }: Exercise, { all, sharing }: Tests): { knownIssues?: string[] } {
  const found = [
    ...issues,
    ...(sharing === undefined
      ? []
      : [`It is graded in one process with the solution, because its tests ${sharing}.`]),
    ...(all.exact
      ? []
      : ['Some of its tests are made in a loop or a condition; each of these counts as one.']),
  ]
  return found.length > 0 ? { knownIssues: found } : {}
}

function instructionOf({ instruction, solution }: Exercise, language: Language): string {
  const files = Object.keys(solution)
    .map((path) => `\`${path}\``)
    .join(', ')
  const library = language === 'python' ? 'Python’s standard library' : 'Node’s own modules'
  return `${instruction}\n\n---\n\nImplement this in ${files}. Keep the names that the file exports, and use only ${library.replace('’', "'")}.`
}

function referenceOf({ example, solution }: Exercise): Files {
  const stubs = Object.keys(solution)
  return Object.fromEntries(
    example.flatMap(({ path, text }, at) => {
      const target = stubs.find((stub) => posix.basename(stub) === posix.basename(path)) ?? stubs[at]
      if (target === undefined) return []
      const move = (specifier: string) => {
        const from = posix.join(posix.dirname(path), specifier)
        if (from.startsWith('.meta/') || from.startsWith('../')) return specifier
        const moved = posix.relative(posix.dirname(target), from)
        return moved.startsWith('.') ? moved : `./${moved}`
      }
      return [[target, text.includes('../') ? moveImports(text, target, move) : text]]
    }),
  )
}

function specs({ folder, tests }: Exercise, problems: Problem[]): Tests | undefined {
  const shipped = { live: 0, exact: true }
  const all = { live: 0, exact: true }
  const hidden: Record<string, string> = {}
  let sharing: string | undefined
  for (const [path, text] of Object.entries(tests)) {
    hidden[path] = text
    if (!isTestFile(path)) continue
    const spec = readSpec(text, path)
    if ('error' in spec) {
      problems.push({
        where: folder,
        what: `has tests that cannot be read: ${spec.error}`,
        fix: 'Restore them from the track.',
      })
      return undefined
    }
    hidden[path] = spec.switchedOn
    sharing ??= spec.sharing
    add(shipped, spec.shipped)
    add(all, spec.all)
  }
  return { runner: 'jest', shipped, all, hidden, ...(sharing !== undefined && { sharing }) }
}

function unittests({ tests }: Exercise): Tests {
  const all = { live: 0, exact: true }
  for (const [path, text] of Object.entries(tests)) if (isTestFile(path)) add(all, countUnittests(text))
  return { runner: 'unittest', shipped: all, all, hidden: tests, sharing: 'use its classes and exceptions' }
}

function add(sum: TestCount, { live, exact }: TestCount): void {
  sum.live += live
  sum.exact &&= exact
}

function moveImports(text: string, path: string, move: (specifier: string) => string): string {
  const parsed = parseSource(text, path)
  if ('error' in parsed) return text
  const edits: Edit[] = []
  const visit = (node: SyntaxNode) => {
    const source = sourceOf(node)
    const specifier = source?.type === 'StringLiteral' ? (source.value as string) : ''
    if (source && /^\.\.?\//.test(specifier)) {
      const moved = move(specifier)
      if (moved !== specifier)
        edits.push({ start: (source.start as number) + 1, end: (source.end as number) - 1, text: moved })
    }
    childrenOf(node).forEach(visit)
  }
  parsed.statements.forEach(visit)
  return applyEdits(text, edits)
}

function sourceOf(node: SyntaxNode): SyntaxNode | undefined {
  if (/^(?:Import|Export).*Declaration$/.test(node.type)) return nodeAt(node, 'source')
  if (node.type === 'ImportExpression') return nodeAt(node, 'source')
  const callee = nodeAt(node, 'callee')
  const loads = node.type === 'CallExpression' && (callee?.type === 'Import' || nameOf(callee) === 'require')
  return loads ? nodesAt(node, 'arguments')[0] : undefined
}

interface TestClass {
  bases: readonly string[]
  /** Names of its test methods, and whether they run. */
  tests: Map<string, boolean>
  isSkipped: boolean
}

/** Counts the tests of a file that uses Python's unittest. Those under a decorator `skip` do not run; with `skipIf` that is unknown. */
function countUnittests(text: string): TestCount {
  const { classes, exact } = readClasses(withoutLongTexts(text))
  let live = 0
  for (const name of classes.keys()) {
    if (!isTestCase(name, classes) || classes.get(name)?.isSkipped) continue
    for (const runs of testsOf(name, classes).values()) if (runs) live++
  }
  return { live, exact: exact && !/\bload_tests\b|\bsetattr\(/.test(text) }
}

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

function testsOf(name: string, classes: ReadonlyMap<string, TestClass>, depth = 0): Map<string, boolean> {
  const { bases = [], tests = new Map<string, boolean>() } = classes.get(name) ?? {}
  const inherited = depth < 20 ? bases.flatMap((base) => [...testsOf(base, classes, depth + 1)]) : []
  return new Map([...inherited, ...tests])
}

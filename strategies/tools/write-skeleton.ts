import { posix } from 'node:path'
import { type Exported, signature } from './exports.ts'

/** A file of tests, and how many tests it holds. */
interface Skeleton {
  text: string
  tests: number
}

/**
 * Writes tests that run: one for each export, which holds for what the source says of it, and one to be written for each
 * function and each method.
 */
export function writeSkeleton(source: SkeletonSource): Skeleton {
  const parts = source.exported.map((one) => ({
    one,
    todos:
      one.kind === 'value' ? [] : [signature(one), ...one.methods.map((name) => `${one.name}.${name}()`)],
  }))
  const tests = parts.reduce((sum, { todos }) => sum + 1 + todos.length, 0)
  const lines =
    source.framework === 'pytest' ? pytestLines(source, parts) : scriptLines(source, source.framework, parts)
  return { text: `${lines.join('\n')}\n`, tests }
}

const quote = (text: string) => JSON.stringify(text)
const claim = (one: Exported) => `exports ${one.kind === 'function' ? 'the function ' : ''}${signature(one)}`

function scriptLines(
  source: SkeletonSource,
  framework: 'node:test' | 'vitest',
  parts: readonly Part[],
): string[] {
  const isVitest = framework === 'vitest'
  return [
    `// ${headline(source)}`,
    ...(isVitest ? [] : ["import assert from 'node:assert/strict'"]),
    ...(source.module === 'commonjs' ? ["import { createRequire } from 'node:module'"] : []),
    isVitest ? "import { describe, expect, it } from 'vitest'" : "import { describe, it } from 'node:test'",
    ...loading(source),
    '',
    `describe(${quote(source.target)}, () => {`,
    ...parts.flatMap(({ one, todos }) => [
      `  it(${quote(claim(one))}, () => {`,
      ...checks(source, one).map(([found, wanted]) =>
        isVitest ? `    expect(${found}).toBe(${wanted})` : `    assert.equal(${found}, ${wanted})`,
      ),
      '  })',
      ...todos.map((todo) =>
        isVitest
          ? `  it.todo(${quote(`${todo}: to be written`)})`
          : `  it(${quote(`${todo}: to be written`)}, { todo: true })`,
      ),
    ]),
    '})',
  ]
}

function loading({ module, target, testFile }: SkeletonSource): string[] {
  const path = posix.relative(posix.dirname(testFile), target)
  const specifier = quote(path.startsWith('.') ? path : `./${path}`)
  if (module === 'esm') return [`import * as subject from ${specifier}`]
  return ['', `const subject = createRequire(import.meta.url)(${specifier})`]
}

/** Returns what can be said of an export without calling it: an expression, and what it must give. */
function checks({ module }: SkeletonSource, { name, kind, methods }: Exported): [string, string][] {
  // The whole of a CommonJS module.
  const isWhole = module === 'commonjs' && name === 'default'
  const place = isWhole
    ? 'subject'
    : /^[A-Za-z_$][\w$]*$/.test(name)
      ? `subject.${name}`
      : `subject[${quote(name)}]`
  if (kind === 'value')
    return isWhole ? [[`${place} === undefined`, 'false']] : [[`${quote(name)} in subject`, 'true']]
  return [
    [`typeof ${place}`, "'function'"],
    ...methods.map((method): [string, string] => [
      `typeof ${place}.prototype[${quote(method)}]`,
      "'function'",
    ]),
  ]
}

/** A framework that skeletons are written for. */
type Framework = 'node:test' | 'vitest' | 'pytest'

interface SkeletonSource {
  framework: Framework
  module: 'esm' | 'commonjs' | 'python'
  /** The file under test and the file of the tests, from the workspace on. */
  target: string
  testFile: string
  exported: readonly Exported[]
  /** Folders up from the target that are packages of Python. */
  packageDepth?: number
}

/** An export, with the tests that are to be written for it. */
interface Part {
  one: Exported
  todos: readonly string[]
}

const headline = ({ target }: SkeletonSource): string =>
  `Written by the test generator from the exports of ${target.replace(/[\r\n\u2028\u2029]/g, ' ')}. Replace what is to be written.`

function pytestLines(source: SkeletonSource, parts: readonly Part[]): string[] {
  const nameTest = testNames()
  const skip = '@pytest.mark.skip(reason="to be written")'
  return [
    `# ${headline(source)}`,
    ...pytestLoading(source),
    ...parts.flatMap(({ one, todos }) => [
      ...['', '', `def ${nameTest(`exports ${one.name}`)}():`],
      ...pytestChecks(one).map((check) => `    assert ${check}`),
      ...todos.flatMap((todo) => [
        ...['', '', skip, `def ${nameTest(todo.replace(/\(.*/, ''))}():`],
        `    """${todo.replace(/["\\]/g, '')}"""`,
      ]),
    ]),
  ]
}

/** Returns a function that makes a name of a test from a text, never the same twice. */
function testNames(): (text: string) => string {
  const used = new Set<string>()
  return (text) => {
    const base = `test_${text.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '')}`
    let name = base
    for (let count = 2; used.has(name); count++) name = `${base}_${count}`
    used.add(name)
    return name
  }
}

/** A module of a package is imported by its name; any other by its path, since a module of Python may have its name. */
function pytestLoading({ target, testFile, packageDepth = 0 }: SkeletonSource): string[] {
  const parts = target.replace(/\.py$/, '').split('/')
  const folder = parts.slice(0, -1 - packageDepth).join('/') || '.'
  const up = posix.relative(posix.dirname(testFile), folder) || '.'
  const isPackage = packageDepth > 0
  return [
    ...[`import ${isPackage ? 'importlib' : 'importlib.util'}`, 'import sys', 'from pathlib import Path'],
    ...['', 'import pytest', ''],
    `FOLDER = (Path(__file__).parent / ${quote(up)}).resolve()`,
    'sys.path.insert(0, str(FOLDER))',
    ...(isPackage ? byName(parts.slice(-1 - packageDepth)) : byPath(posix.basename(target), parts)),
  ]
}

const byName = (parts: readonly string[]): string[] => {
  const module = parts.at(-1) === '__init__' ? parts.slice(0, -1) : parts
  return [`subject = importlib.import_module(${quote(module.join('.'))})`]
}

const byPath = (file: string, parts: readonly string[]): string[] => [
  `spec = importlib.util.spec_from_file_location(${quote(`subject_${parts.join('_').replaceAll('.', '_')}`)}, FOLDER / ${quote(file)})`,
  'subject = importlib.util.module_from_spec(spec)',
  'sys.modules[spec.name] = subject',
  'spec.loader.exec_module(subject)',
]

function pytestChecks({ name, kind, methods }: Exported): string[] {
  const place = `subject.${name}`
  if (kind === 'value') return [`hasattr(subject, ${quote(name)})`]
  if (kind === 'function') return [`callable(${place})`]
  const ofMethods = methods.map((method) => `callable(getattr(${place}, ${quote(method)}))`)
  return [`isinstance(${place}, type)`, ...ofMethods]
}

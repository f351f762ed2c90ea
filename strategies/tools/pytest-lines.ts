import { posix } from 'node:path'
import type { Exported } from './exports.ts'
import { headline, type Part, type SkeletonSource } from './skeleton-source.ts'

const quote = (text: string) => JSON.stringify(text)

/** Writes the lines of a file of pytest. */
export function pytestLines(source: SkeletonSource, parts: readonly Part[]): string[] {
  const nameTest = testNames()
  const skip = '@pytest.mark.skip(reason="to be written")'
  return [
    `# ${headline(source)}`,
    ...loading(source),
    ...parts.flatMap(({ one, todos }) => [
      ...['', '', `def ${nameTest(`exports ${one.name}`)}():`],
      ...checks(one).map((check) => `    assert ${check}`),
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
function loading({ target, testFile, packageDepth = 0 }: SkeletonSource): string[] {
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

/** Returns what can be said of an export without calling it. */
function checks({ name, kind, methods }: Exported): string[] {
  const place = `subject.${name}`
  if (kind === 'value') return [`hasattr(subject, ${quote(name)})`]
  if (kind === 'function') return [`callable(${place})`]
  const ofMethods = methods.map((method) => `callable(getattr(${place}, ${quote(method)}))`)
  return [`isinstance(${place}, type)`, ...ofMethods]
}

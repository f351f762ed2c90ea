import { posix } from 'node:path'
import { type Exported, signature } from './exports.ts'
import { pytestLines } from './pytest-lines.ts'
import { headline, type Part, type SkeletonSource } from './skeleton-source.ts'

/** A file of tests, and how many tests it holds. */
export interface Skeleton {
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

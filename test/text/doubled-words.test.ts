import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'

/** Returns the words that a text says twice in a row on one line. In code a word may stand twice. */
function doubledWords(text: string): string[] {
  const plain = text.replace(/`[^`\n]*`|'bench [^'\n]*'/g, '')
  return [...plain.matchAll(/(?<![\w-])([a-z]{2,}) \1(?![\w-])/g)].map(([words]) => words)
}

it.each([
  ['message that a test keeps', 'test', /messages\/.*\.snap$/],
  ['text of the source', 'src', /\.(?:ts|mjs)$/],
  ['page', 'docs', /\.md$/],
])('no %s says a word twice', (_, folder, wanted) => {
  const paths = readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => wanted.test(path),
  )
  expect(paths.length).toBeGreaterThan(20)
  const doubled = paths.flatMap((path) =>
    doubledWords(readFileSync(join(packageRoot(), folder, path), 'utf8')).map((words) => `${path}: ${words}`),
  )
  expect(doubled).toEqual([])
})

it('a word that is said twice is found; names, dashed words and code are none', () => {
  expect(doubledWords('It needs needs a value: the the one.')).toEqual(['needs needs', 'the the'])
  expect(doubledWords('RUN RUN, r1 r1, --out out, re-run run, `stage stage`, in\nin')).toEqual([])
})

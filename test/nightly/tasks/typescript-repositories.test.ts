import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'
import { makeRepository } from '../../helpers/runs/repository.ts'

const made = (tests: string, ...more: string[]) =>
  argv`tasks new --repo project --commit HEAD --id one --tests ${tests} ${more}`

/** Makes a task of the second commit; gives what was printed, and `task.yaml`. */
async function makeTask(tests: string, ...commits: Record<string, string>[]) {
  const cwd = dirname(await makeRepository(...commits))
  const { code, stdout, stderr } = await bench(made(tests), { cwd })
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('1 of 1 task proved')
  return { stdout, stderr, spec: readFileSync(join(cwd, 'my-tasks/one/task.yaml'), 'utf8') }
}

/** Code as TypeScript's compilers take it: no endings, types among the imports, an enum, a namespace, parameter properties. */
const source = (sign: string) => ({
  'src/types.ts': 'export interface Options { sign: string }\nexport type Text = string\n',
  'src/kind.ts': 'export enum Kind { Plain, Loud = 7 }\nexport namespace Marks { export const end = "!" }\n',
  'src/data.json': '{ "name": "data" }\n',
  'src/slug.ts': `import { Options, Text } from './types'
import { Kind, Marks } from './kind'
export class Slug {
  constructor(private readonly options: Options, public kind: Kind = Kind.Plain) {}
  of(text: Text): string {
    const plain = text.toLowerCase().replaceAll(' ', this.options.sign)
    return this.kind === Kind.Loud ? plain + Marks.end : plain
  }
}
export const slug = (text: Text) => new Slug({ sign: '${sign}' }).of(text)
export const later = (work: () => void) => setTimeout(work, 1000)
`,
})

const specs = (library: string, mocks: string) => `${library}
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import data from '../src/data.json'
import { Kind } from '../src/kind'
import { later, slug, Slug } from '../src/slug'
import type { Options } from '../src/types'

beforeEach(() => { ${mocks}.useFakeTimers() })
afterEach(() => { ${mocks}.useRealTimers() })

describe('slug', () => {
  it('takes dashes', () => { expect(slug('Two Words')).toBe('two-words') })
  it('is loud', () => { expect(new Slug({ sign: '-' } satisfies Options, Kind.Loud).of('A')).toEqual('a!') })
  it.each([['A', 'a'], ['B', 'b']])('makes %s small', (text, small) => { expect(slug(text)).toBe(small) })
  it('waits', () => {
    const work = ${mocks}.fn()
    later(work)
    ${mocks}.advanceTimersByTime(1000)
    expect(work).toHaveBeenCalledTimes(1)
  })
  it('reads JSON and files beside it', () => {
    expect(data.name).toBe('data')
    expect(readFileSync(join(__dirname, '../src/data.json'), 'utf8')).toContain('data')
  })
})
`

describe('a TypeScript repository becomes a task by one command, without the package of its runner', () => {
  it('with Vitest: expect, chai, tables, fake timers, hoisted values, contexts, conditions', async () => {
    const more = `
import { assert, expect as check, test, vi as mocks } from 'vitest'
const hoisted = mocks.hoisted(() => ({ value: 1 }))
test('chai and soft', ({ expect }) => {
  assert.deepEqual({ a: 1 }, { a: 1 })
  check([1, 2]).to.have.lengthOf(2)
  expect.soft(hoisted.value).toBe(1)
})
test.skipIf(true)('is left out', () => { throw new Error('ran') })
test.runIf(true).each([{ a: 1, b: 2 }])('$a before $b', ({ a, b }) => { check(a).toBeLessThan(b) })
test.fails('fails on purpose', () => { check(1).toBe(2) })
test('polls', async () => { let n = 0; await check.poll(() => ++n).toBe(3) })
test('stubs', () => { mocks.stubEnv('SOME', 'x'); check(process.env.SOME).toBe('x') })
test('rejects', async () => { await check(Promise.reject(new TypeError('no'))).rejects.toThrow(/no/) })
`
    const { stderr, spec, stdout } = await makeTask(
      'npm test',
      {
        'package.json': '{ "type": "module", "scripts": { "test": "eslint . && vitest run --coverage" } }',
        ...source('_'),
        'test/more.test.ts': more,
      },
      {
        ...source('-'),
        'test/slug.test.ts': specs(
          "import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'",
          'vi',
        ),
      },
    )
    expect(stderr).toContain('bench plays Vitest on 2 test files; left out: eslint .')
    expect(spec).toMatch(/runner: vitest/)
    expect(spec).toMatch(/grading: one-process/)
    expect(stdout).toMatch(/failToPass\): 1\n/)
    expect(stdout).toMatch(/passToPass\): 11\n/)
    expect(stdout).toContain('test/slug.test.ts > slug > takes dashes')
    expect(stdout).not.toContain('do not count')
  })

  it('with Jest: globals, mocks, a file of setup, CommonJS names', async () => {
    const { stderr, spec, stdout } = await makeTask(
      'npx jest',
      {
        'package.json':
          '{ "jest": { "preset": "ts-jest", "setupFilesAfterEnv": ["<rootDir>/test/setup.ts"] } }',
        'test/setup.ts':
          'expect.extend({ toBeSmall: (text: string) => ({ pass: text === text.toLowerCase(), message: () => "large" }) })\n',
        'test/old.spec.ts': `const { sep } = require('node:path')
test('uses require', () => { (expect(sep) as any).toBeSmall() })
test('spies', () => { const spy = jest.spyOn(Math, 'max').mockReturnValue(9); expect(Math.max(1)).toBe(9); spy.mockRestore() })
export {}
`,
        ...source('_'),
      },
      {
        ...source('-'),
        'src/__tests__/slug.ts': specs('', 'jest')
          .replaceAll("'../src/", "'../")
          .replace('../src/data.json', '../data.json'),
      },
    )
    expect(stderr).toContain('bench plays Jest on 2 test files')
    expect(spec).toMatch(/runner: jest/)
    expect(spec).toMatch(/setup:\n\s+- test\/setup.ts/)
    expect(stdout).toMatch(/failToPass\): 1\n/)
    expect(stdout).toMatch(/passToPass\): 7\n/)
  })

  const nodeTests = (from: string) => `import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slug } from '${from}'
describe('slug', () => {
  it('takes dashes', () => { assert.equal(slug('Two Words' as string), 'two-words') })
  it('is small', () => { assert.equal(slug('A'), 'a') })
})
`
  it('with node --import tsx --test, as tsx reads TypeScript', async () => {
    const { spec, stdout } = await makeTask(
      'npm test',
      {
        'package.json': `{ "scripts": { "test": "node --import tsx --test 'test/**/*.test.ts'" } }`,
        ...source('_'),
        'test/slug.test.ts': nodeTests('../src/slug'),
      },
      { ...source('-'), 'test/slug.test.ts': `${nodeTests('../src/slug')}// changed\n` },
    )
    expect(spec).toMatch(/runner: tsx/)
    expect(stdout).toMatch(/failToPass\): 1\n {2}test\/slug.test.ts > slug > takes dashes\n/)
    expect(stdout).toMatch(/passToPass\): 1\n/)
  })

  const plain = (sign: string) => ({
    'src/slug.ts': `export const slug = (text: string): string => text.toLowerCase().replaceAll(' ', '${sign}')\n`,
  })
  it('with node --experimental-strip-types --test, which Node 20 does not know', async () => {
    const { spec, stdout } = await makeTask(
      'npm test',
      {
        'package.json':
          '{ "type": "module", "scripts": { "test": "node --experimental-strip-types --test test/*.test.ts" } }',
        ...plain('_'),
      },
      { ...plain('-'), 'test/slug.test.ts': nodeTests('../src/slug.ts') },
    )
    expect(spec).toMatch(/runner: node-test/)
    expect(stdout).toMatch(/failToPass\): 1\n {2}test\/slug.test.ts > slug > takes dashes\n/)
  })

  it('with blocks that are asynchronous, modules at absolute paths, and CommonJS names in every file', async () => {
    const spec = `import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { here, fromHelper } from './helper.js'
describe('kinds', async () => {
  expect(later).toBe(1)
  for (const kind of await Promise.resolve(['slug', 'other']))
    describe(kind, async (test) => {
      const { value } = await import(resolve(__dirname, 'kinds', kind))
      test('is read', () => { expect(value).toBe(kind) })
      it('is beside', () => { expect(here).toBe(__dirname); expect(fromHelper).toBe('helper.js') })
    })
})
const later = 1
`
    const helper = `import path from 'node:path'
export const here = __dirname
export const fromHelper = require('node:path').basename(__filename)
export function twice(require) { const __dirname = require; return __dirname }
`
    const { stdout } = await makeTask(
      'vitest run',
      {
        'package.json': '{ "type": "module" }',
        'test/helper.js': helper,
        'test/kinds/other.ts': "export const value: string = 'other'\n",
        ...plain('_'),
      },
      {
        ...plain('-'),
        'test/index.test.ts': spec,
        'test/kinds/slug.ts':
          "import { slug } from '../../src/slug'\nexport const value = slug('s') === 's' && slug('a b') === 'a-b' ? 'slug' : 'none'\n",
      },
    )
    expect(stdout).toMatch(/failToPass\): 1\n {2}test\/index.test.ts > kinds > slug > is read\n/)
    expect(stdout).toMatch(/passToPass\): 3\n/)
  })

  const many = (count: number) =>
    `import { expect, test } from 'vitest'\nfor (let i = 0; i < ${count}; i++) test('a sign with a name, number ' + i, () => { expect(i).toBe(i) })\n`
  const dashes =
    "import { expect, test } from 'vitest'\nimport { slug } from '../src/slug'\ntest('dashes', () => { expect(slug('a b')).toBe('a-b') })\n"
  const manyBefore = {
    'package.json': '{ "type": "module" }',
    'test/many.test.ts': many(10_000),
    ...plain('_'),
  }

  it('without a file of very many tests that the commit did not change', async () => {
    const { stdout, spec } = await makeTask('vitest run', manyBefore, {
      ...plain('-'),
      'test/slug.test.ts': dashes,
    })
    expect(stdout).toContain(
      'left out, since it has more than 1000 tests and is no part of the commit: test/many.test.ts',
    )
    expect(spec).not.toContain('- test/many.test.ts')
  })

  it('of very many tests in a changed file by naming another', async () => {
    const changed = { ...plain('-'), 'test/slug.test.ts': dashes, 'test/many.test.ts': many(10_001) }
    const cwd = dirname(await makeRepository(manyBefore, changed))
    const refused = await bench(made('vitest run'), { cwd })
    expect(refused.stderr).toContain('runs 10002 tests that pass, more than the 10000 that a task can name')
    const remedy = await bench(made('vitest run test/slug.test.ts'), { cwd })
    expect(remedy.stdout, remedy.stderr).toContain('1 of 1 task proved')
  })

  it('with the installed packages that its tests import, and what these need', async () => {
    const test = `import { expect, test } from 'vitest'
import { outer } from 'outer'
import { slug } from '../src/slug'
test('dashes', () => { expect(slug('a b')).toBe(outer) })
`
    const folder = await makeRepository(
      { 'package.json': '{ "type": "module" }', '.gitignore': 'node_modules\n', ...plain('_') },
      { ...plain('-'), 'test/slug.test.ts': test },
    )
    writeFiles(folder, {
      'node_modules/outer/package.json':
        '{ "name": "outer", "main": "index.js", "dependencies": { "inner": "1" } }',
      'node_modules/outer/index.js': "exports.outer = require('inner')\n",
      'node_modules/outer/index.d.ts': 'export const outer: string\n',
      'node_modules/inner/package.json': '{ "name": "inner" }',
      'node_modules/inner/index.js': "module.exports = 'a-b'\n",
    })
    const { stdout, stderr } = await bench(made('vitest'), { cwd: dirname(folder) })
    expect(stdout, stderr).toContain('1 of 1 task proved')
    expect(stderr).toContain('takes 2 packages of node_modules that tests need: outer, inner')
    const checked = await benchOk(argv`tasks check native:my-tasks --quick`, { cwd: dirname(folder) })
    expect(checked).toContain('1 of 1 task proved')
  })
})

const before = { 'package.json': '{ "type": "module" }', 'src/a.ts': 'export const a: number = 1\n' }
const after = { 'src/a.ts': 'export const a: number = 2\n' }

/** Tests that need what bench does not have, by what that is. */
const uncovered: Readonly<Record<string, { tests?: string; files: Record<string, string> }>> = {
  snapshots: {
    files: {
      'test/a.test.ts': "import { a } from '../src/a'\ntest('a', () => { expect(a).toMatchSnapshot() })\n",
    },
  },
  'mocks of modules': {
    files: {
      'test/a.test.ts': "import { vi } from 'vitest'\nvi.mock('../src/a')\ntest('a', () => {})\n",
    },
  },
  'mocks of modules in Jest': {
    tests: 'jest',
    files: { 'test/a.test.ts': "jest.mock('../src/a')\ntest('a', () => {})\n" },
  },
  jsdom: {
    files: { 'test/a.test.ts': "test('a', () => { expect(document.title).toBe('') })\n" },
  },
  JSX: {
    files: { 'test/a.test.tsx': "test('a', () => { expect(<b/>).toBeTruthy() })\n" },
  },
  'paths of tsconfig.json': {
    files: {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@app/*": ["./src/*"] } } }',
      'test/a.test.ts': "import { a } from '@app/a'\ntest('a', () => { expect(a).toBe(2) })\n",
    },
  },
  'enums where types are only stripped': {
    tests: 'node --experimental-strip-types --test test/a.test.ts',
    files: {
      'test/a.test.ts':
        "import { test } from 'node:test'\nenum A { B }\ntest('a', () => { console.log(A.B) })\n",
    },
  },
  'a package that is not installed': {
    files: { 'test/a.test.ts': "import 'left-pad'\ntest('a', () => {})\n" },
  },
  'a built file': {
    files: { 'test/a.test.ts': "import '../dist/a.js'\ntest('a', () => {})\n" },
  },
  'no test file': { tests: 'vitest run nothing', files: { 'test/a.test.ts': "test('a', () => {})\n" } },
}

describe('what is not covered is named, with a remedy:', () => {
  for (const [name, { tests = 'vitest run', files }] of Object.entries(uncovered))
    it(name, async () => {
      const cwd = dirname(await makeRepository(before, { ...after, ...files }))
      const { code, stderr } = await bench(made(tests), { cwd })
      expect(code).toBe(2)
      const told = stderr.split('\n').filter((line) => line.startsWith('bench: '))
      expect(told).toHaveLength(2)
      expect(told.join('\n')).toMatchSnapshot()
    })

  it('a test that needs it does not count, and the others do', async () => {
    const files = {
      'test/a.test.ts': `import { a } from '../src/a'
test('a', () => { expect(a).toBe(2) })
test('looks', () => { expect(a).toMatchInlineSnapshot('2') })
`,
    }
    const { stdout } = await makeTask('vitest run', before, { ...after, ...files })
    expect(stdout).toMatch(/failToPass\): 1\n/)
    expect(stdout).toContain(
      'do not count:\n  1 test or file: they need snapshots, which bench does not have',
    )
  })
})

import { describe, expect, it } from 'vitest'
import {
  codeMatches,
  codeOf,
  importCircle,
  importsOf,
  layerProblems,
  packageOf,
  repeated,
  roomProblems,
  undocumented,
  unexplainedAny,
  unregistered,
  unusedExports,
} from './imports.ts'

const specifiers = (source: string) => importsOf(source).map(({ specifier, kind }) => `${kind} ${specifier}`)

describe('the reader of imports', () => {
  it('finds every form of import, and distinguishes types and dynamic imports', () => {
    const source = `import a from 'one'
import type { B } from "two"
import { type C, d } from './three.ts'
import * as e from './four.ts'
import './five.ts'
import type from './six.ts'
export { f } from './seven.ts'
export type { G } from './eight.ts'
export * from './nine.ts'
import {
  h,
} from './ten.ts'
const i = await import('./eleven.ts')
const j = () => import(name)
type K = import("./twelve.ts").K`
    expect(specifiers(source)).toEqual([
      'value one',
      'type two',
      'value ./three.ts',
      'value ./four.ts',
      'value ./five.ts',
      'value ./six.ts',
      'value ./seven.ts',
      'type ./eight.ts',
      'value ./nine.ts',
      'value ./ten.ts',
      'dynamic ./eleven.ts',
      'dynamic undefined',
      'dynamic ./twelve.ts',
    ])
  })

  it('stops at an export without from', () => {
    const source = `export interface A {\n  from: string\n}\nimport type { B } from './b.ts'\nexport type C = B\nimport d, { e } from './d.ts'`
    expect(specifiers(source)).toEqual(['type ./b.ts', 'value ./d.ts'])
  })

  it('ignores imports in comments, strings, templates and regular expressions', () => {
    const source = `// import a from 'a'
/* import b from 'b' */
const c = "import d from 'd'"
const e = \`import f from 'f' \${g ? \`\${{ h: 1 }}\` : "import('i')"} import('j')\`
const k = /import l from 'l'/g.test(m) || n / o / p
export const q = r
import real from './real.ts'`
    expect(specifiers(source)).toEqual(['value ./real.ts'])
  })

  it('reads code between the parts of a template and after a division', () => {
    expect(specifiers(`const a = \`x \${await import('./b.ts')} y\``)).toEqual(['dynamic ./b.ts'])
    expect(specifiers(`const a = b / 2\nimport('./c.ts') / 3`)).toEqual(['dynamic ./c.ts'])
    expect(specifiers(`const a = /[/'"]/\nimport('./d.ts')`)).toEqual(['dynamic ./d.ts'])
  })

  it('keeps lines and columns unchanged', () => {
    const source = `const a = 'b' // c\nconst d = /[/]e/g.test(\`f \${g}\n\`) /* h */`
    expect(codeOf(source)).toBe(`const a = ' '     \nconst d = /     g.test(\`  \${g}\n\`)        `)
  })

  it('names packages with their scope, and built-in modules whole', () => {
    const names = importsOf(
      `import 'zod/v4'\nimport '@a/b/c'\nimport 'node:fs/promises'\nimport './d.ts'`,
    ).map(packageOf)
    expect(names).toEqual(['zod', '@a/b', 'node:fs/promises', undefined])
  })
})

describe('the rules of the source tree report', () => {
  it('imports of later, neighbouring and unknown layers, and of strategies/ except by the commands', () => {
    const layers = (sources: Record<string, string>) => layerProblems(sources)
    expect(layers({ 'src/loop/a.ts': `import '../agents/b.ts'`, 'src/agents/b.ts': '' })).toEqual([])
    expect(layers({ 'src/loop/a.ts': `import './b.ts'`, 'src/loop/b.ts': '' })).toEqual([])
    expect(
      layers({ 'src/agents/a.ts': `import type { B } from '../loop/b.ts'`, 'src/loop/b.ts': '' }),
    ).toEqual(['src/agents/a.ts imports src/loop/b.ts'])
    expect(layers({ 'src/agents/a.ts': `import '../suites/b.ts'`, 'src/suites/b.ts': '' })).toEqual([
      'src/agents/a.ts imports src/suites/b.ts',
    ])
    expect(
      layers({ 'src/text/errors.ts': `import '../base/random.ts'`, 'src/base/random.ts': '' }),
    ).toHaveLength(1)
    expect(layers({ 'src/new/a.ts': '' })).toEqual(['src/new/a.ts stands in no layer'])
    expect(layers({ 'src/text/errors.ts': `import './gone.js'` })).toEqual([
      'src/text/errors.ts imports ./gone.js, which is no source file',
    ])
    const strategies = { 'strategies/index.ts': '' }
    expect(layers({ 'src/loop/a.ts': `import '../../strategies/index.ts'`, ...strategies })).toHaveLength(1)
    expect(layers({ 'src/commands/a.ts': `import '../../strategies/index.ts'`, ...strategies })).toEqual([])
  })

  it('imports of later rooms, and a file without a room', () => {
    const target = { 'src/loop/work/b.ts': '', 'src/loop/plan/c.ts': '' }
    const file = 'src/loop/ask/a.ts'
    expect(roomProblems({ [file]: `import '../plan/c.ts'`, ...target })).toEqual([])
    expect(roomProblems({ [file]: `import '../work/b.ts'`, ...target })).toEqual([
      'src/loop/ask/a.ts imports src/loop/work/b.ts',
    ])
    expect(roomProblems({ 'src/loop/a.ts': '' })).toEqual(['src/loop/a.ts stands in no room'])
  })

  it('circular imports of values and of types, but not a file that is imported twice', () => {
    const circle = {
      'src/a.ts': `import './b.ts'`,
      'src/b.ts': `import type { C } from './c.ts'`,
      'src/c.ts': `export * from './a.ts'`,
    }
    expect(importCircle(circle)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts'])
    expect(importCircle({ ...circle, 'src/c.ts': '' })).toBeUndefined()
    const twice = {
      'src/a.ts': `import './b.ts'\nimport './c.ts'`,
      'src/b.ts': `import './c.ts'`,
      'src/c.ts': '',
    }
    expect(importCircle(twice)).toBeUndefined()
  })

  it('forbidden words in code with their line, but not in comments and strings', () => {
    const sources = { 'a.ts': `// Date\nconst a = 'Date'\nconst b = Date.now()` }
    expect(codeMatches(sources, /\bDate\b/)).toEqual(['a.ts:3 Date'])
  })

  it('the type any without a reason in the line above, but not a name any', () => {
    const found = (source: string) => unexplainedAny({ 'a.ts': source })
    expect(found('let a: any')).toHaveLength(1)
    expect(found('let a: Array<any>')).toHaveLength(1)
    expect(found('// biome-ignore lint/suspicious/noExplicitAny:\nlet a: any')).toHaveLength(1)
    expect(found('// biome-ignore lint/suspicious/noExplicitAny: options differ\nlet a: any')).toEqual([])
    expect(found(`Promise.any([])\nconst rules = { any: 1 }\nconst word = 'any'`)).toEqual([])
  })

  it('names that the docs do not have as code', () => {
    expect(undocumented(['exact', 'tests', 'csv'], 'the exact way; `tests`; `csv:PATH`')).toEqual(['exact'])
  })

  it('a file of a registered kind that is not in its registry', () => {
    const sources = {
      'src/suites/registry.ts': `import { a } from './a.ts'\nexport const importers: Importer[] = [a]`,
      'src/suites/a.ts': 'export const a: Importer = {}',
      'src/suites/b.ts': 'export const b: Importer = {}',
      'src/suites/c.ts': '// b: Importer',
    }
    expect(unregistered(sources, 'suites', /: Importer\b/)).toEqual(['src/suites/b.ts'])
    const registry = 'src/suites/other.ts'
    const { 'src/suites/registry.ts': _, ...files } = sources
    const other = { ...files, [registry]: `import { b } from './b.ts'` }
    expect(unregistered(other, 'suites', /: Importer\b/, registry)).toEqual(['src/suites/a.ts'])
  })

  it('registries: a name that is there twice is found, once', () => {
    expect(repeated(['a', 'b', 'a', 'c', 'a', 'c'])).toEqual(['a', 'c'])
    expect(repeated(['a', 'b'])).toEqual([])
  })
})

it('finds exports that nobody takes', () => {
  const files = {
    'src/a.ts': 'export const one = 1, two = 2\nexport interface Three {}\nexport function four() {}',
    'src/b.ts': "import { one as first } from './a.ts'\nexport { two } from './a.ts'",
    'src/c.ts': 'export const five = 5',
    'src/d.ts': "const { five } = await import('./c.ts')",
  }
  expect(unusedExports(files, files)).toEqual(['src/a.ts Three', 'src/a.ts four'])
})

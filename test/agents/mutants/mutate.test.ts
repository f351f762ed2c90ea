import { execFileSync } from 'node:child_process'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mutants } from '../../../src/agents/mutants/mutate.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const contents = (path: string, source: string) =>
  [...mutants({ [path]: source }, 'seed')].map(({ content }) => content)

describe('single-site mutants', () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'turnJavaScript'))(
    'turn JavaScript %j into %j',
    (source, mutant) => {
      expect(contents('a.mjs', source)).toContain(mutant)
    },
  )

  it.each([
    ['a <= b', 'a < b'],
    ['a // b', 'a * b'],
    ['a and b', 'a or b'],
    ['x = True', 'x = False'],
    ['not a', 'a'],
    ['if a == b:\n    c()', 'if not (a == b):\n    c()'],
    ['if(a):\n    c()', 'if not ((a)):\n    c()'],
    ['def f():\n    return a', 'def f():\n    return None'],
    ['def f():\n    a.append(1)\n    return a', 'def f():\n    pass\n    return a'],
    ['sorted(set(a))', '(set(a))'],
  ])('turn Python %j into %j', (source, mutant) => {
    expect(contents('a.py', source)).toContain(mutant)
  })

  it.each(tableOf<[string, string][]>(import.meta.url, 'leaveUnchanged'))(
    'leave %s %j unchanged',
    (path, source) => {
      expect(contents(path, source)).toEqual([])
    },
  )

  it('change numbers and truth values of JSON, and leave it JSON', () => {
    const changed = contents('a.json', '{"a": 1, "b": true}').map((text) => JSON.parse(text))
    expect(changed).toEqual(
      expect.arrayContaining([
        { a: 2, b: true },
        { a: 1, b: false },
      ]),
    )
  })

  it('alternate between operators, in an order that only the seed decides', () => {
    const source = 'if (a < 1) b = 2 + 3\nif (a < 4) b = 5 + 6\nf(a, b)\n'
    const labels = (seed: string) => [...mutants({ 'a.mjs': source }, seed)].map(({ label }) => label)
    const firstKinds = labels('x')
      .slice(0, 6)
      .map((label) => label.split(' at ')[0])
    expect(new Set(firstKinds).size).toBe(6)
    expect(labels('x')).toEqual(labels('x'))
    expect(labels('y')).not.toEqual(labels('x'))
    expect(labels('x')).toContain('comparison at a.mjs:2')
  })
})

/** Pieces of programs; whatever stands between « and » is a string, comment, template or regular expression. */
const javascript = tableOf<string[]>(import.meta.url, 'javascript')
const python = [
  'a = b < 3 and c >= 4',
  'x = f(a, b + 1)',
  "s = «'<= 1 and True'»",
  '«# it is a < 1 and "b»',
  'if not a:\n    g(«f"{1 < 2}"»)',
  '«"""a < 1\nand \'True"""»',
  'z = a // 2 % b',
  'for i in range(9):\n    k(i)\n    continue',
  'v = 1 if a else 2',
  'x = [i + 1 for i in a if i > 2]',
]
const moved = /^(dropped|return|swapped)/

describe.each([
  ['javascript', 'a.mjs', javascript],
  ['python', 'a.py', python],
] as const)('programs of %s', (syntax, path, pieces) => {
  const program = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })

  it('get mutants with one change, never in a string or comment', () => {
    fc.assert(
      fc.property(program, (parts) => {
        const marked = parts.join('\n')
        const source = marked.replace(/[«»]/g, '')
        const literals = [...marked.matchAll(/«([^»]*)»/g)].map(([, literal]) => literal as string)
        for (const { content, label } of mutants({ [path]: source }, 's')) {
          expect(content).not.toBe(source)
          if (moved.test(label)) continue
          let at = 0
          for (const literal of literals) {
            at = content.indexOf(literal, at)
            expect(at, `${label}: ${literal}`).toBeGreaterThanOrEqual(0)
            at += literal.length
          }
        }
      }),
      { numRuns: 60, seed: 1 },
    )
  })

  needs(...(syntax === 'python' ? (['python3'] as const) : [])).it('get mutants that still parse', () => {
    const all = contents(path, pieces.join('\n').replace(/[«»]/g, ''))
    expect(all.length).toBeGreaterThan(30)
    if (syntax === 'javascript') for (const content of all) expect(() => new Script(content)).not.toThrow()
    else {
      const code = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'
      execFileSync('python3', ['-c', code], { input: JSON.stringify(all) })
    }
  })
})

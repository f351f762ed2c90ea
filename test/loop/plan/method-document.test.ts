import { expect, it } from 'vitest'
import { z } from 'zod'
import { parseMethod, resolveMethod } from '../../../src/loop/plan/method-spec.ts'
import { findLabel, readMethodText, splitMethods } from '../../../src/loop/plan/method-text.ts'
import { defineStrategy } from '../../../src/strategy.ts'
import { formatProblem } from '../../../src/text/errors.ts'

const options = z.strictObject({ file: z.string().default('auto'), rounds: z.int().min(0).default(3) })
const strategies = [
  defineStrategy({
    ...{ name: 'graph', aliases: ['net'], summary: '', roles: { solver: 'produce' }, options },
    document: 'file',
    run: async () => ({ stopReason: 'done' }),
  }),
  defineStrategy({
    ...{ name: 'plain', summary: '', roles: { solver: 'produce' }, options },
    run: async () => ({ stopReason: 'done' }),
  }),
  defineStrategy({
    ...{ name: 'app', summary: '', roles: { solver: 'produce' } },
    document: 'file',
    options: options.extend({ file: z.union([z.string(), z.array(z.string())]).default('') }),
    asksModels: () => ({ command: [], missing: [] }),
    run: async () => ({ stopReason: 'done' }),
  }),
]
const known = strategies.map((strategy) => ({ strategy, digest: 'd' }))
const parse = (text: string) => parseMethod(text, known)
const problemsOf = (text: string) => {
  const parsed = parse(text)
  return 'problems' in parsed ? parsed.problems.map(formatProblem) : []
}

it.each([
  ['graph:./a.yaml', 'graph[file=./a.yaml]'],
  ['graph:./a.yaml#main', 'graph[file=./a.yaml#main]'],
  ['graph:a[rounds=1]', 'graph[file=a,rounds=1]'],
  ['graph: my a.yaml [ rounds=1 ]', 'graph[file= my a.yaml , rounds=1 ]'],
  ['net:a', 'net[file=a]'],
  ['graph:a=b.yaml', 'graph[file=a=b.yaml]'],
  ['graph:https://x/a.yaml', 'graph[file=https://x/a.yaml]'],
  ['graph:a[1,2].yaml', 'graph[file=a[1,2].yaml]'],
  ['graph:a[1].yaml[rounds=1]', 'graph[file=a[1].yaml,rounds=1]'],
  ['A=graph:./a.yaml[rounds=1]', 'A=graph[file=./a.yaml,rounds=1]'],
])('%s is the same method as %s, with the same label', (short, long) => {
  expect(splitMethods(short)).toHaveLength(1)
  expect(parse(short)).toEqual(parse(long))
  expect(parse(short)).toHaveProperty('method.label')
})

it.each([
  ['graph:', /has no document after the colon. Write graph:FILE, or leave out the colon/],
  ['graph:[rounds=1]', /has no document after the colon/],
  ['graph:a[file=b]', /names its document twice: after the colon and in the option "file"/],
  [
    'app:',
    /has no command after the colon\. Write it after the colon: --methods 'external:python3 app\.py'\./,
  ],
  ['app: [rounds=1]', /has no command after the colon/],
  ['app:a[file=b]', /names its command twice: after the colon and in the option "file"/],
  ['plain:a.yaml', /"plain" reads no document.*Leave out :a\.yaml\. Methods that read a document: graph\./],
  ['plain:rounds=2', /"plain" reads no document.*Write plain\[rounds=2\]\./],
  ['plain:', /"plain" reads no document.*Leave out :\. /],
  ['grahp:a.yaml', /there is no method "grahp"\. Did you mean "graph"\?/],
  ['a.yaml', /there is no method "a\.yaml"\. Write graph:a\.yaml\. A file name with a comma/],
  ['graph:a]b', /is not a method\. Write name, name:document, .* Close each bracket, or put quotes/],
  ['graph:a[b', /is not a method/],
  [':a', /is not a method/],
])('%j is refused with a remedy', (text, message) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(message)])
  expect(problemsOf(text)[0]).toContain(`[--methods ${text}]`)
})

it.each([
  ['./mine.mjs:a.yaml', './mine.mjs', 'a.yaml'],
  ['dir/mine.ts:a.yaml', 'dir/mine.ts', 'a.yaml'],
  ['C:\\x\\mine.mjs:a.yaml', 'C:\\x\\mine.mjs', 'a.yaml'],
  ['C:\\x\\mine.mjs', 'C:\\x\\mine.mjs', undefined],
  ['./mine.mjs', './mine.mjs', undefined],
  ['./odd:name/mine.mts:./b.mjs', './odd:name/mine.mts', './b.mjs'],
  ['graph:./b.mjs', 'graph', './b.mjs'],
])('%s names the method %s', (text, name, document) => {
  expect(readMethodText(text)).toMatchObject({ name, document })
})

it('a label is found by the text after --methods, also with its agents', () => {
  const labels = ['graph[file=./a.yaml]', 'graph[file=b,rounds=1]@fast', 'plain', 'x[a=1]', 'x[b=1]']
  expect(findLabel('plain', labels)).toBe('plain')
  expect(findLabel('graph:./a.yaml', labels)).toBe(labels[0])
  expect(findLabel('graph:b[ rounds=1 ]@fast', labels)).toBe(labels[1])
  for (const text of ['graph:b', 'graph', 'x:1', 'graph:./a.yaml[rounds=1]', ''])
    expect(findLabel(text, labels)).toBeUndefined()
})

it('a command keeps its words in the label, and its commas inside of quotes', () => {
  const program = defineStrategy({
    ...{ name: 'program', summary: '', roles: { app: 'produce' }, document: 'command' },
    options: z.strictObject({ command: z.string().default(''), roles: z.string().default('app') }),
    asksModels: ({ command }) => ({ command: [command], missing: [] }),
    run: async () => ({ stopReason: 'done' }),
  })
  const all = [...known, { strategy: program, digest: 'd' }]
  const text = `program:python3 a.py "x, y" 'a,b' '[x'[roles=a:b],Q=program[command=node -e 'f(1,2)',roles=c],plain`
  const items = splitMethods(text)
  expect(items).toHaveLength(3)
  const methods = items.map((item) => {
    const parsed = parseMethod(item, all)
    return 'method' in parsed ? parsed.method : undefined
  })
  expect(methods.map((method) => method?.options)).toMatchObject([
    { command: `python3 a.py "x, y" 'a,b' '[x'`, roles: 'a:b' },
    { command: `node -e 'f(1,2)'`, roles: 'c' },
    {},
  ])
  const labels = methods.map((method) => method?.label ?? '')
  expect(labels).toEqual([`program[command=python3 a.py "x, y" 'a,b' '[x',roles=a:b]`, 'Q', 'plain'])
  // It can be typed again, in either form, and an apostrophe is no quote.
  expect(parseMethod(labels[0] ?? '', all)).toEqual(parseMethod(items[0] ?? '', all))
  expect(findLabel(items[0] ?? '', labels)).toBe(labels[0])
  expect(splitMethods("graph:it's.yaml,graph:that's.yaml")).toHaveLength(2)
  // Two commands are two labels.
  const other = ['program:python3 a b', 'program:python3 ab'].map((one) => parseMethod(one, all))
  expect(new Set(other.map((one) => 'method' in one && one.method.label)).size).toBe(2)
})

it('a word of a command that YAML takes for no text is told by its place', () => {
  const written = { label: undefined, name: 'app', document: undefined, options: '' }
  const base = { options: { file: ['python3', true, 'x'] }, where: () => 'a.yaml:5' }
  expect(resolveMethod(written, '', known, base)).toMatchObject({
    problems: [{ where: 'a.yaml:5', what: 'option "file": entry 2 is not a text; put quotes around it' }],
  })
})

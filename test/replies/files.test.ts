import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyEdits, createState, filesOf } from '../../src/loop/branch/workspace.ts'
import { parseFileBlocks } from '../../src/replies/files.ts'
import { scanReply } from '../../src/replies/scan.ts'
import { partsOf } from '../../src/replies/scan-regions.ts'
import { normalizePath } from '../../src/sandbox/folders/paths.ts'

/** The contents of the blocks that are no file's. */
const parseCodeBlocks = (reply: string) =>
  partsOf(scanReply(reply).regions).flatMap((part) =>
    part.kind === 'fence' && !part.owner ? [part.content] : [],
  )

it('file blocks are parsed as whole files and deletions, and prose is ignored', () => {
  const reply =
    'I changed two files.\n\nFILE: src/a.js\n```js\nexport const a = 1\n```\nand\n\nDELETE: src/old.js\n\n```js\nnot a file\n```\n'
  expect(parseFileBlocks(reply).edits).toEqual([
    { path: 'src/a.js', content: 'export const a = 1\n' },
    { path: 'src/old.js', content: null },
  ])
  expect(parseCodeBlocks(reply)).toEqual(['not a file\n'])
})

it('file blocks may have headings with Markdown emphasis', () => {
  const headings = ['### FILE: a.js', '**FILE: a.js**', 'FILE: `a.js`', '  FILE: ./a.js', '**FILE:** `a.js`']
  for (const heading of headings)
    expect(parseFileBlocks(`${heading}\n\n\`\`\`\nx\n\`\`\``).edits, heading).toEqual([
      { path: 'a.js', content: 'x\n' },
    ])
})

it('file blocks with a path that leaves the workspace or is not a file name are refused with a reason', () => {
  const paths = [
    ...[
      '/etc/passwd',
      '../up.js',
      'a/../../b',
      '..\\up.js',
      'C:\\x',
      'c:x',
      '\\\\host\\share',
      ' x/..',
      'a\0b',
      'a\u0007',
      '../*x',
      'a`b',
      'a\ud800',
      '__proto__/x',
    ],
  ]
  const reply = paths.map((path) => `FILE: ${path}\n\`\`\`\nx\n\`\`\``).join('\n')
  const { edits, rejected } = parseFileBlocks(reply)
  expect(edits).toEqual([])
  expect(rejected.map(({ path }) => path)).toEqual(paths.map((path) => path.trim().slice(0, 200)))
  expect(parseCodeBlocks(reply)).toEqual([])
  const deletions = parseFileBlocks(
    ['/etc/passwd', '../up.js', 'z'.repeat(6000)].map((path) => `DELETE: ${path}`).join('\n'),
  )
  expect(deletions).toMatchObject({ edits: [], rejected: [{}, {}, {}] })
  for (const { reason } of rejected)
    expect(reason).toBe('leads out of the workspace, or no file may be named so')
})

it.each([
  'a.md - new',
  'a.md — says why',
  '`a.md` - new',
  'a.md # the notes',
  '[a.md](a.md)',
  '[`a.md`](./a.md)',
  'path: a.md',
  '1. a.md',
  '2) `a.md`',
  'a.md (new)',
])('a heading `FILE: %s` names a.md', (written) => {
  expect(parseFileBlocks(`FILE: ${written}\n\`\`\`\nx\n\`\`\`\n`)).toEqual({
    edits: [{ path: 'a.md', content: 'x\n' }],
    rejected: [],
    notes: /^\[/.test(written) ? [] : [`"a.md" was named ${JSON.stringify(written)}`],
  })
})

it.each(['a - b.md', 'a.b - c.md', 'src/[id].ts', 'a b.md', 'a#b.md', 'a-b', 'path/x'])(
  'the path %s is taken as it is written',
  (path) => expect(parseFileBlocks(`FILE: ${path}\n\`\`\`\nx\n\`\`\``).edits[0]?.path).toBe(path),
)

it.each([
  ['alone', '```\nFILE: a.py\nx = 1\n```\n'],
  ['as a comment', 'So:\n```python\n# FILE: a.py\n\nx = 1\n```\nDone.\n'],
  ['never closed', '```python\nFILE: a.py\nx = 1\n'],
])('a FILE: line may be the first one of its block: %s', (_, reply) => {
  expect(parseFileBlocks(reply)).toEqual({
    edits: [{ path: 'a.py', content: reply.includes('\n\nx') ? '\nx = 1\n' : 'x = 1\n' }],
    rejected: [],
    notes: [],
  })
})

it('one block may hold several files, each behind its FILE: line', () => {
  expect(parseFileBlocks('```\nFILE: a.py\nx = 1\nFILE: b.py\ny = 2\nDELETE: c.py\n```\n').edits).toEqual([
    { path: 'a.py', content: 'x = 1\n' },
    { path: 'b.py', content: 'y = 2\n' },
    { path: 'c.py', content: null },
  ])
  const text = '# T\n```sh\nls\n```\nEnd.\n'
  expect(parseFileBlocks(`\`\`\`\nFILE: README.md\n${text}\`\`\`\n`).edits).toEqual([
    { path: 'README.md', content: text },
  ])
  expect(parseFileBlocks('```\nIt ends so:\nFILE: a.py\n```\n')).toEqual({
    edits: [],
    rejected: [],
    notes: [],
  })
})

it('a heading of several files, a link to another path and a second spelling are refused with a reason', () => {
  const reasonOf = (path: string) =>
    parseFileBlocks(`FILE: a.md\n~~~\nx\n~~~\nFILE: ${path}\n~~~\nx\n~~~\n`).rejected[0]?.reason
  expect(reasonOf('b.md, c.md')).toBe('names several files: a block holds one')
  expect(reasonOf('b.md and c.md')).toBe('names several files: a block holds one')
  expect(reasonOf('[b](c.md)')).toBe('leads out of the workspace, or no file may be named so')
  expect(reasonOf('A.md')).toBe('is another spelling of a.md')
  expect(reasonOf('./a.md')).toBeUndefined()
  const renamed = parseFileBlocks('FILE: a.md\n~~~\nx\n~~~\nDELETE: a.md\nFILE: A.md\n~~~\nx\n~~~\n')
  expect(renamed.edits.map(({ path, content }) => [path, content])).toEqual([
    ['a.md', null],
    ['A.md', 'x\n'],
  ])
})

it('code blocks beside file blocks are parsed, and a fence around file blocks is not code', () => {
  const wrapped = '```\nFILE: ../../x\n```js\nevil\n```\n```\n'
  expect(parseCodeBlocks(wrapped)).toEqual([])
  const beside = '```js\nbefore\n```\nFILE: /x\n```js\nevil\n```\n~~~\nafter\n~~~\n'
  expect(parseCodeBlocks(beside)).toEqual(['before\n', 'after\n'])
})

it('a path that is too long is refused with that reason', () => {
  const reasonOf = (path: string) =>
    parseFileBlocks(`FILE: ${path}\n\`\`\`\nx\n\`\`\`\n`).rejected.map(({ reason }) => reason)
  expect(reasonOf(`src/${'n'.repeat(300)}`)).toMatchSnapshot()
  expect(reasonOf(`${'é'.repeat(128)}.js`)).toMatchSnapshot()
  expect(reasonOf(`${'deep/'.repeat(250)}x`)).toEqual(['is a path of 1251 characters: at most 1024 may be'])
  expect(() => applyEdits(createState({}), [{ path: 'n'.repeat(300), content: '' }], 'reply')).toThrow(
    /has a name of 300 bytes/,
  )
})

it('file blocks beyond the limits of size and number are refused', () => {
  const large = parseFileBlocks(`FILE: large.txt\n\`\`\`\n${'x'.repeat(9 * 1024 * 1024)}\n\`\`\`\n`)
  expect(large).toEqual({
    edits: [],
    rejected: [{ path: 'large.txt', reason: 'is larger than 8388608 bytes' }],
    notes: [],
  })
  const many = parseFileBlocks(Array.from({ length: 10_003 }, (_, i) => `DELETE: ${i}`).join('\n'))
  expect(many.edits).toHaveLength(10_000)
  expect(many.rejected[0]).toEqual({ path: '10000', reason: 'comes after 10000 others' })
})

it('hostile replies are parsed quickly: open fences, long headings, thousands of files', () => {
  const fences = Array.from({ length: 50_000 }, (_, i) => `${'`'.repeat(3 + (i % 3))}js`).join('\n')
  expect(parseCodeBlocks(fences).length).toBeGreaterThan(0)
  expect(parseFileBlocks(`FILE: a${' '.repeat(2_000_000)}b\n${fences}`).rejected).toHaveLength(1)
  expect(parseFileBlocks(`FILE: ${'*'.repeat(1_000_000)}`)).toEqual({ edits: [], rejected: [], notes: [] })
  const state = createState({})
  const edits = Array.from({ length: 10_000 }, (_, i) => ({ path: `d${i % 100}/f${i}`, content: 'x' }))
  expect(applyEdits(state, edits, 'reply').changes).toHaveLength(10_000)
})

it('edits that would put a file in place of a folder, or a folder in place of a file, are refused, also within one reply', () => {
  const state = createState({ 'a/b.txt': '1', c: '2' })
  const edits = ['a', 'c/d', 'new/x', 'new', 'new/x/y'].map((path) => ({ path, content: 'x' }))
  const { changes, rejected } = applyEdits(state, edits, 'reply')
  expect(changes.map(({ path }) => path)).toEqual(['new/x'])
  expect(rejected?.map(({ path }) => path)).toEqual(['a', 'c/d', 'new', 'new/x/y'])
  const freed = applyEdits(
    state,
    [
      { path: 'a/b.txt', content: null },
      { path: 'a', content: 'x' },
    ],
    'reply',
  )
  expect(freed.rejected).toBeUndefined()
  expect(Object.keys(filesOf(state)).sort()).toEqual(['a', 'c', 'new/x'])
})

it('a file block returns any content whose fence is longer than its own backticks', () => {
  const line = fc
    .string({ unit: fc.constantFrom('a', ' ', '`', '~', 'FILE:', 'DELETE: x', '"', '{') })
    .filter((text) => !text.includes('\n'))
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
      const content = `${lines.join('\n')}\n`
      const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length))
      const fence = '`'.repeat(longest + 1)
      const { edits } = parseFileBlocks(`FILE: a.txt\n${fence}\n${content}${fence}\n`)
      expect(edits).toEqual([{ path: 'a.txt', content }])
    }),
  )
})

it('normalizePath never returns a path that is absolute or leaves the workspace', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ' ', ':') }), (path) => {
      const place = normalizePath(path)
      if ('problem' in place) return
      const normal = place.path
      expect(normal.startsWith('/')).toBe(false)
      expect(normal.split('/')).not.toContain('..')
    }),
  )
})

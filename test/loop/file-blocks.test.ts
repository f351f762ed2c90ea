import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalisePath, parseCodeBlocks, parseFileBlocks } from '../../src/loop/file-blocks.ts'

it('reads whole files and deletions out of a reply, and nothing out of its prose', () => {
  const reply =
    'I changed two files.\n\nFILE: src/a.js\n```js\nexport const a = 1\n```\nand\n\nDELETE: src/old.js\n\n```js\nnot a file\n```\n'
  expect(parseFileBlocks(reply).edits).toEqual([
    { path: 'src/a.js', content: 'export const a = 1\n' },
    { path: 'src/old.js', content: null },
  ])
  expect(parseCodeBlocks(reply)).toEqual(['export const a = 1\n', 'not a file\n'])
})

it('takes the dressed-up headings that models write', () => {
  for (const heading of ['### FILE: a.js', '**FILE: a.js**', 'FILE: `a.js`', '  FILE: ./a.js'])
    expect(parseFileBlocks(`${heading}\n\n\`\`\`\nx\n\`\`\``).edits, heading).toEqual([
      { path: 'a.js', content: 'x\n' },
    ])
})

it('refuses paths that leave the workspace, and says which', () => {
  const reply = ['/etc/passwd', '../up.js', 'a/../../b', 'C:\\x', '']
    .map((path) => `FILE: ${path || ' x/..'}\n\`\`\`\nx\n\`\`\``)
    .join('\n')
  const { edits, rejected } = parseFileBlocks(reply)
  expect(edits).toEqual([])
  expect(rejected).toHaveLength(5)
})

it('gives back any content whose fence is longer than its own backticks', () => {
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

it('never gives a path that climbs or is absolute', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ' ', ':') }), (path) => {
      const normal = normalisePath(path)
      if (normal === undefined) return
      expect(normal.startsWith('/')).toBe(false)
      expect(normal.split('/')).not.toContain('..')
    }),
  )
})

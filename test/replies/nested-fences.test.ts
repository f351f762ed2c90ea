import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { parseFileBlocks } from '../../src/replies/files.ts'

const fence = '```'
const block = (info: string, content: string, sign = fence) => `${sign}${info}\n${content}\n${sign}\n`
const file = (path: string, info: string, content: string, sign = fence) =>
  `FILE: ${path}\n${sign}${info}\n${content}${sign}\n`
const code = file('tool.js', 'js', 'console.log(1)\n')

const named = `# Tool\n\n${block('bash', 'node tool.js')}\nMIT.\n`
const bare = `# Tool\n\n${block('bash', 'node tool.js')}\nIt writes:\n\n${block('', 'out.txt')}\nMIT.\n`
const texts: Readonly<Record<string, string>> = {
  'a block with a language': named,
  'a block without one': bare,
  'two blocks without one': `# T\n\n${block('', 'a')}\n${block('', 'b')}`,
  'a block at its end': `# T\n${block('', 'a')}`,
  'a block that begins with an empty line': `# T\n\n${block('', '\na')}End.\n`,
  'a block of tildes that quotes a fence': `# T\n\n${block('', fence, '~~~')}\nEnd.\n`,
  'a longer fence around others': `# T\n\n${block('md', block('js', 'x').trimEnd(), '````')}\nEnd.\n`,
  'blocks in a list': `- so\n  ${fence}bash\n  a\n  ${fence}\n- and\n\n  ${fence}\n  b\n  ${fence}\n`,
  'no block': '# T\n',
}
const paths = [
  'README.md',
  'docs/a.mdx',
  'a.markdown',
  'page.md.j2',
  'README',
  '.cursor/rules/a.mdc',
  'notes.qmd',
] as const
const behind: Readonly<Record<string, string>> = {
  nothing: '',
  'another file': `\n${code}`,
  'another text': `\n${file('docs/b.md', 'md', bare)}`,
  'a block with a language': `\nThen run it:\n\n${block('bash', 'ls')}`,
  'a block without one': `\nThen run it:\n\n${block('', 'ls')}`,
  'a deletion': '\nDELETE: old.md\n',
}

it.each(Object.entries(texts))('a Markdown file with %s is read whole, whatever follows it', (_, text) => {
  for (const path of paths)
    for (const [name, rest] of Object.entries(behind))
      for (const [info, sign] of [
        ['markdown', fence],
        ['', fence],
        ['md', '~~~'],
        ['md', '````'],
      ] as const) {
        if (sign === '````' && text.includes('````')) continue
        if (sign === '~~~' && text.includes('~~~')) continue
        const { edits, rejected } = parseFileBlocks(file(path, info, text, sign) + rest)
        expect(edits[0], `${path}, ${info}, ${name}`).toEqual({ path, content: text })
        expect(rejected).toEqual([])
        if (name === 'another file') expect(edits[1]?.content).toBe('console.log(1)\n')
        if (name === 'another text') expect(edits[1]?.content).toBe(bare)
      }
})

it('a block with a language decides that a file is Markdown, too', () => {
  expect(parseFileBlocks(file('notes', 'markdown', bare)).edits[0]?.content).toBe(bare)
  expect(parseFileBlocks(`${block('', 'Here:')}\n${code}`).edits).toHaveLength(1)
})

const reason = 'holds fences that do not come in pairs, so its end is in doubt: put a longer fence around it'

it.each([
  ['its own fence is missing', file('README.md', 'md', bare).slice(0, -4)],
  ['a fence is left over behind it', `${file('README.md', 'md', bare)}\n${fence}\n`],
  ['an inner block is left open', file('README.md', 'md', `# T\n\n${fence}\na\n\nEnd.\n`)],
  [
    'a block without a language is left open behind it',
    `${file('README.md', 'md', '# T\n')}\n${fence}\nls\n`,
  ],
])('a Markdown file is refused with the reason, and what stands behind it is read, if %s', (_, reply) => {
  expect(parseFileBlocks(`${reply}\n${code}`)).toEqual({
    edits: [{ path: 'tool.js', content: 'console.log(1)\n' }],
    rejected: [{ path: 'README.md', reason }],
    notes: [],
  })
})

it('a fence around all files closes none of them', () => {
  expect(parseFileBlocks(block('', code + file('README.md', 'md', bare))).edits).toEqual([
    { path: 'tool.js', content: 'console.log(1)\n' },
    { path: 'README.md', content: bare },
  ])
})

it.each([
  ['a comment', `/**\n * Adds.\n * ${fence}js\n * add(1)\n * ${fence}\n */\nexport const a = 1\n`],
  ['a comment without a language', `/**\n * ${fence}\n * add(1)\n * ${fence}\n */\nexport const a = 1\n`],
  ['a template of Markdown', `const t = \`\n# T\n\n${fence}bash\nls\n${fence}\n\`\nexport default t\n`],
  ['an escaped template', 'const t = `\n\\`\\`\\`bash\nls\n\\`\\`\\`\n`\nexport default t\n'],
])('a file of code with fences in %s is read whole', (_, content) => {
  for (const path of ['a.js', 'src/a.ts'])
    for (const rest of ['', `\n${code}`, `\nRun:\n${block('bash', 'ls')}`])
      expect(parseFileBlocks(file(path, 'js', content) + rest).edits[0]).toEqual({ path, content })
})

it('a text that is no Markdown ends at the first fence without a language', () => {
  const { edits } = parseFileBlocks(`${file('a.txt', '', 'a\n')}\n${block('', 'ls')}`)
  expect(edits).toEqual([{ path: 'a.txt', content: 'a\n' }])
})

it("this package's own pages are read whole", () => {
  const docs = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  expect(pages.length).toBeGreaterThan(30)
  for (const path of ['README.md', ...pages]) {
    const content = readFileSync(join(packageRoot(), path), 'utf8')
    expect(parseFileBlocks(`${file(path, 'markdown', content)}\n${code}`).edits, path).toEqual([
      { path, content },
      { path: 'tool.js', content: 'console.log(1)\n' },
    ])
  }
})

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, it } from 'vitest'
// @ts-expect-error a script without types
import { generatedPages } from '../scripts/docs.mjs'
import { packageRoot } from '../src/base/package-root.ts'

/** A node of a Markdown tree, as far as links and headings need it. */
interface Part {
  type: string
  url?: string
  value?: string
  children?: Part[]
}

const root = packageRoot()
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const trees = new Map(pages.map((path) => [path, fromMarkdown(textOf(path)) as Part]))

const partsOf = (part: Part): Part[] => [part, ...(part.children ?? []).flatMap(partsOf)]
const wordsOf = (part: Part): string => part.value ?? (part.children ?? []).map(wordsOf).join('')

/** Returns the anchors of a page, as GitHub names its headings. */
function anchorsOf(path: string): string[] {
  const headings = partsOf(trees.get(path) as Part).filter(({ type }) => type === 'heading')
  const names = headings.map((one) =>
    wordsOf(one)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((one) => one === name).length
    return before === 0 ? name : `${name}-${before}`
  })
}

/** Returns the links of a page that lead to a file of the project: the link, the file and the anchor. */
function linksOf(path: string) {
  const urls = partsOf(trees.get(path) as Part).flatMap(({ url }) => (url === undefined ? [] : [url]))
  return urls
    .filter((url) => !/^[a-z]+:/.test(url))
    .map((url) => {
      const [file = '', anchor = ''] = url.split('#')
      return { url, to: file === '' ? path : normalize(join(dirname(path), file)), anchor }
    })
}

it('every link in README and docs leads to a file, and to a heading of it', () => {
  const dead = pages.flatMap((path) =>
    linksOf(path)
      .filter(
        ({ to, anchor }) =>
          !existsSync(join(root, to)) || (anchor !== '' && trees.has(to) && !anchorsOf(to).includes(anchor)),
      )
      .map(({ url }) => `${path}: ${url}`),
  )
  expect(dead).toEqual([])
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(300)
})

it('the README leads to every page', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) for (const { to } of linksOf(path)) if (trees.has(to)) reached.add(to)
  expect(pages.filter((path) => !reached.has(path))).toEqual([])
})

it('the guides can be read in an hour, the changelog at a glance', () => {
  const guides = pages.filter((path) => dirname(path) === 'docs/guides')
  expect(guides.length).toBeLessThanOrEqual(32)
  const bytes = guides.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
  expect(bytes).toBeLessThanOrEqual(300 * 1024)
  // The page of commands is made, and grows by a line with each command.
  for (const [name, kilobytes] of [['commands', 18] as const, ['record-format', 15] as const])
    expect(statSync(join(root, `docs/reference/${name}.md`)).size, name).toBeLessThanOrEqual(kilobytes * 1024)
  expect(textOf('CHANGELOG.md').trim().split('\n').length).toBeLessThanOrEqual(20)
})

it('pages that are made from commands and schemas are as these are: npm run docs', async () => {
  const made: { path: string; is: string; made: string }[] = await generatedPages()
  expect(made.map(({ path }) => relative('docs', path))).toEqual([
    'reference/commands.md',
    'reference/fields.md',
  ])
  for (const { is, made: wanted } of made) expect(is).toBe(wanted)
})

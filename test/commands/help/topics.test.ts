import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { sectionsOf, sectionText } from '../../../src/commands/help/sections.ts'
import { readTopics } from '../../../src/commands/help/topics.ts'

const root = packageRoot()
const topics = readTopics()

it('every guide and every page of the reference is a topic, under a heading of README or the reference', () => {
  const pages = ['guides', 'reference'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).filter((name) => name !== 'README.md'),
  )
  expect(topics.map(({ name }) => `${name}.md`).sort()).toEqual(pages.sort())
  const start = topics.filter(({ group }) => group === 'Start').map(({ name }) => name)
  expect(start).toEqual(['start-ci', 'start-paper', 'start-product'])
  expect([...new Set(topics.map(({ group }) => group))]).toMatchSnapshot()
})

it('every page that a message of bench names is a topic, and every section is one of it', () => {
  const sources = ['src', 'strategies'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.endsWith('declared/commands.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  const named = sources.flatMap((text) =>
    [...text.matchAll(/bench help ([a-z][\w-]*)(?:#([\w-]+))?/g)].map(([, name, anchor]) => [name, anchor]),
  )
  expect(named.length).toBeGreaterThan(10)
  for (const [name, anchor] of named) {
    const topic = topics.find((one) => one.name === name)
    if (topic === undefined) expect(['for', 'lists', 'the', 'completion', 'words']).toContain(name)
    else if (anchor) expect(sectionText(sectionsOf(topic), anchor), `${name}#${anchor}`).toBeDefined()
  }
})

it('a section is what stands below its heading, with the headings below that, and no heading is in code', () => {
  const text = '# T\nfirst\n## A a!\none\n### B\ntwo\n```\n## no heading\n```\n## A a\nthree'
  const sections = sectionsOf({ name: 't', title: 'T', group: '', text })
  expect(sections.map(({ anchor }) => anchor)).toEqual(['', 'a-a', 'b', 'a-a-1'])
  expect(sectionText(sections, 'a-a')).toBe('## A a!\none\n### B\ntwo\n```\n## no heading\n```')
  expect(sectionText(sections, 'a-a-1')).toBe('## A a\nthree')
  expect(sectionText(sections, 'c')).toBeUndefined()
})

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'

/** A page of docs/guides or docs/reference. */
export interface Topic {
  /** The file's name without its ending. */
  name: string
  title: string
  /** The heading under which README or the reference lists it. */
  group: string
  text: string
}

const folders = ['docs/guides', 'docs/reference']
/** The guides that a newcomer begins with, which README names before its list. */
const firstGroup = 'Start'

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8')

/** Reads all topics, group by group, as README and the reference list them. */
export function readTopics(): Topic[] {
  const groups = readGroups()
  const order = [firstGroup, ...new Set(groups.values())]
  return folders
    .flatMap((folder) =>
      readdirSync(join(packageRoot(), folder))
        .filter((file) => file.endsWith('.md') && file !== 'README.md')
        .sort()
        .map((file): Topic => {
          const text = read(`${folder}/${file}`)
          const name = file.slice(0, -'.md'.length)
          const group = groups.get(`${folder}/${file}`) ?? firstGroup
          return { name, title: /^# (.*)$/m.exec(text)?.[1] ?? name, group, text }
        }),
    )
    .sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
}

/** Returns the heading of each page, in the order in which README and the reference list them. */
const readGroups = () =>
  new Map([...listedIn('README.md'), ...listedIn('docs/reference/README.md', 'Look up: ')])

/** Returns the pages that a list of the form `- **Heading**: [page](path.md), …` names, each with its heading. */
function listedIn(path: string, before = ''): [string, string][] {
  const [, ...items] = read(path).split(/^- \*\*/m)
  return items.flatMap((item) => {
    const [list = ''] = item.split('\n\n')
    const heading = `${before}${item.slice(0, item.indexOf('**'))}`
    return [...list.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, link = '']): [string, string] => [
      join(dirname(path), link),
      heading,
    ])
  })
}

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import * as author from '../src/author.ts'
import { packageRoot } from '../src/base/package-root.ts'

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8')

it('the guide and the reference name everything that a strategy can import', () => {
  const guide = read('docs/guides/add-a-strategy.md') + read('docs/reference/strategy-parts.md')
  const unnamed = Object.keys(author).filter((name) => !new RegExp(`\\b${name}\\b`).test(guide))
  expect(unnamed).toEqual([])
})

it('everything that a strategy can import has a doc comment', () => {
  const lists = read('src/author.ts').matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']*)'/g)
  const exported = [...lists].flatMap(([, names = '', file = '']) =>
    names.split(',').flatMap((name) => {
      const bare = name.replace('type ', '').trim()
      return bare === '' ? [] : [{ name: bare, source: read(join(dirname('src/author.ts'), file)) }]
    }),
  )
  expect(exported.length).toBeGreaterThan(40)
  const documented = ({ name, source }: (typeof exported)[number]) =>
    new RegExp(
      `\\*/\\n(?://.*\\n)*export (?:async )?(?:const|function|class|interface|type) ${name}\\b`,
    ).test(source)
  expect(exported.filter((one) => !documented(one)).map(({ name }) => name)).toEqual([])
})

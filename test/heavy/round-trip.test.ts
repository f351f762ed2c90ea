import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeMarkdown } from '../../src/formats/convert.ts'
import { readJson, writeJson } from '../../src/formats/json.ts'
import { readMarkdown } from '../../src/formats/markdown.ts'
import { element, nameStart } from '../../src/formats/tree.ts'
import { readXml, writeXml } from '../../src/formats/xml.ts'
import { anyTree, plain } from '../formats/trees.ts'

describe('a document of the defined tree', () => {
  const formats = [
    ['xml', readXml, writeXml],
    ['json', readJson, writeJson],
    ['markdown', readMarkdown, writeMarkdown],
  ] as const
  for (const [name, read, write] of formats)
    it(`comes back as it was when it is written as ${name} and read again`, () => {
      fc.assert(
        fc.property(anyTree, (tree) => {
          expect(plain(read(write(tree)))).toBe(plain(tree))
        }),
        { numRuns: 1500 },
      )
    })
})

it('readXml reads what writeXml wrote, whatever character a name begins with', () => {
  const first = new RegExp(`[${nameStart}]`)
  const names = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    first.test(one),
  )
  expect(names.length).toBeGreaterThan(7000)
  expect(names.filter((name) => readXml(writeXml(element(name, [], {}))).name !== name)).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from '../../src/formats/json.ts'
import { readMarkdown } from '../../src/formats/markdown.ts'
import { writeMarkdown } from '../../src/formats/write-markdown.ts'
import { readXml, writeXml } from '../../src/formats/xml.ts'
import { anyTree, plain } from './trees.ts'

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

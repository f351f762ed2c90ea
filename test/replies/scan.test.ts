import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Region, scanReply } from '../../src/replies/scan.ts'
import { tableOf } from '../helpers/house/tables.ts'

/** What a region is, with what lies within it: `wrapper(prose)`; of a block its file, info and content. */
function wordsOf(region: Region): string {
  const inner = region.children.map(wordsOf).join(' ')
  const kind = region.kind === 'fence' ? fenceWords(region) : region.kind
  return inner === '' ? kind : `${kind}(${inner})`
}

function fenceWords({ owner, info, content, isClosed }: Extract<Region, { kind: 'fence' }>): string {
  const name = owner ? `file ${owner.written}` : 'fence'
  return `${name} ${info}[${content.trimEnd()}]${isClosed ? '' : ' open'}`
}

it.each(tableOf<[string, string, string][]>(import.meta.url, 'regions'))('%s', (_, reply, regions) => {
  expect(scanReply(reply).regions.map(wordsOf).join(' ')).toBe(regions)
})

it('a region lies where its text stands', () => {
  const reply = '# T\n\nSo $x$.\n<think>\n7?\n</think>8.\n\n| a |\n\nFILE: a\n```\n1\n```\n'
  const { regions, lines } = scanReply(reply)
  expect(regions.map(({ start, end }) => reply.slice(start, end))).toEqual([
    '# T',
    'So $x$.',
    '<think>\n7?\n</think>',
    '8.',
    '| a |',
    'FILE: a\n```\n1\n```',
  ])
  expect(regions.map(({ firstLine, endLine }) => lines.slice(firstLine, endLine).length)).toEqual([
    1, 1, 3, 1, 1, 4,
  ])
})

it('regions stand in order and never overlap, whatever the reply', () => {
  const parts = [
    '```',
    '```py',
    '~~~',
    '<think>',
    '</think>',
    'FILE: a.md',
    '> ',
    '- ',
    '|',
    '$',
    '\n',
    '\n',
    ' ',
    'a',
    '"""',
  ]
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((list) => list.join(''))
  const check = (regions: readonly Region[], from: number, to: number) => {
    let at = from
    for (const { start, end, children } of regions) {
      expect(start).toBeGreaterThanOrEqual(at)
      expect(end).toBeGreaterThanOrEqual(start)
      check(children, start, end)
      at = end
    }
    expect(at).toBeLessThanOrEqual(to)
  }
  fc.assert(fc.property(text, (reply) => check(scanReply(reply).regions, 0, reply.length)))
})

import { describe, expect, it } from 'vitest'
import type { Tools } from '../../../src/analysis/compare/tools.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from './compared-report.ts'

const plain = (latex: string) =>
  latex
    .replaceAll('\\allowbreak{}', '')
    .replaceAll(/\{([[\],'-])\}/g, '$1')
    .replaceAll('\n  ', ' ')

const records = [...solves('m', 9, 10), ...solves('n', 2, 10)]
const report = (m: string[], n: string[], isSameMethod: boolean) => {
  const tools = (names: string[], method: string): Tools => ({
    ...{ names, programs: [], method },
    works: [{ work: 'produce', sets: [names.map((title) => ({ title, key: title }))] }],
  })
  return comparedReport(records, { tools: { m: tools(m, 'm'), n: tools(n, isSameMethod ? 'm' : 'n') } })
}

describe('a pair of two methods with different tools', () => {
  const whole = report(['read', 'check'], [], false)

  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'is confounded with the tools, in its row and in a note, as %s',
    (format) => {
      const text = plain(formats[format].render(whole))
      expect(text).toContain(
        'm than n: confounded with the tools. The first has read, check; the second has none',
      )
      const rows = text.split('\n').filter((line) => /m than n/.test(line) && line.includes('70'))
      if (format !== 'latex') expect(rows.join('')).toContain('with the tools')
      else expect(text).toContain('with the tools')
    },
  )

  it('says so in CSV and JSON', () => {
    const [head = '', row = ''] = formats.csv.render(whole, { part: 'comparison' }).split('\n')
    expect(head).toContain('tools_a,tools_b,tools_differ')
    expect(row).toContain('"read, check",none,confounded')
    expect(JSON.parse(formats.json.render(whole)).comparison.pairs[0].tools).toEqual({
      ...{
        a: 'read, check',
        b: 'none',
        text: 'the first has read, check; the second has none',
        kind: 'confounded',
      },
    })
  })
})

describe('a pair of one method with and without tools', () => {
  const whole = report([], ['memory'], true)

  it.each<FormatName>(['text', 'markdown', 'latex'])('compares the tools, as %s', (format) => {
    const text = plain(formats[format].render(whole))
    expect(text).toContain('The first has none; the second has memory, so the tools are what is compared')
    expect(text).not.toContain('confounded')
  })
})

it('pairs with the same tools have no note and no column of it', () => {
  const whole = report(['read'], ['read'], false)
  for (const format of ['text', 'markdown', 'latex'] as const)
    expect(plain(formats[format].render(whole))).not.toMatch(/confounded|tools/)
  expect(formats.csv.render(whole, { part: 'comparison' })).not.toContain('tools_')
})

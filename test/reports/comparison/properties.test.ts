import { describe, expect, it } from 'vitest'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { repeat, trials } from '../../analysis/compare/compared.ts'
import { comparedReport } from './compared-report.ts'

const records = [
  ...trials('split', [...repeat('0', 6), ...repeat('1', 8)]),
  ...trials('base', [...repeat('1', 3), ...repeat('0', 3), ...repeat('1', 4), ...repeat('0', 4)]),
]
const task = (i: number) => `s/${String(i).padStart(3, '0')}`
const statedBy = (count: number, of: (i: number) => Record<string, number>) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [task(i), of(i)]))
const properties = statedBy(14, (i) => ({ decomposability: i < 6 ? 0.1 : 0.9 }))
const options = { baseline: 'base', properties }
const plain = (latex: string) =>
  latex
    .replaceAll('\\allowbreak{}', '')
    .replaceAll(/\{([[\],'-])\}/g, '$1')
    .replaceAll('$', '')
    .replaceAll(/\n */g, ' ')
const title = 'How the difference in success varies with properties of the tasks (exploratory)'

describe('a report on tasks whose properties differ', () => {
  const whole = comparedReport(records, options)

  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'as %s has both groups and the change with its limits',
    (format) => {
      for (const part of ['whole', 'comparison', 'properties'] as const) {
        const text = plain(formats[format].render(whole, { part }))
        expect(text).toContain(title)
        expect(text).toMatch(/-50\.0.*\+?50\.0.*\+?100\.0/)
        expect(text).toMatch(/\[\+?35\.\d, \+?164\.\d\]/)
      }
    },
  )

  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'as %s says what the groups are and that it is an association',
    (format) => {
      const text = plain(formats[format].render(whole, { part: 'properties' })).replaceAll(/[% ]+/g, ' ')
      expect(text).toContain('By property: exploratory, and associations.')
      expect(text).toContain('decomposability 0.1 (6 tasks) and 0.9 (8 tasks)')
      expect(text).not.toContain('permutation')
    },
  )

  it('defines its numbers on request', () => {
    const text = formats.text.render(whole, { part: 'properties', definitions: true }).replaceAll(/\s+/g, ' ')
    expect(text).toContain('Welch')
    expect(text).toContain('adjusted over the 1 test of the table')
    expect(text).toContain('apart from the family of the pairs')
  })

  it('does not mention properties on the first screen, nor in the verdict of the pair', () => {
    expect(formats.text.render(whole, { part: 'short' })).not.toMatch(/propert|decomposability/)
    expect(whole.comparison?.comparison.pairs).toEqual(
      comparedReport(records, { baseline: 'base' }).comparison?.comparison.pairs,
    )
  })

  it('has the table as CSV in raw numbers, and in JSON', () => {
    const [head = '', row = '', ...more] = formats.csv
      .render(whole, { part: 'properties' })
      .trimEnd()
      .split('\n')
    const values = new Map(head.split(',').map((key, i) => [key, row.split(',')[i]]))
    expect(more).toEqual([])
    expect(values.get('property')).toBe('decomposability')
    expect(values.get('pair')).toBe('split than base')
    expect(values.get('lower_tasks')).toBe('6')
    expect(values.get('higher_difference (share)')).toBe('0.5')
    expect(values.get('change (share)')).toBe('1')
    expect(Number(values.get('p'))).toBeLessThan(0.05)
    const { byProperty } = JSON.parse(formats.json.render(whole)).comparison
    expect(byProperty).toMatchObject([{ property: 'decomposability', change: { estimate: 1 } }])
  })

  it('marks simulated numbers, and gives them no p', () => {
    const simulated = records.map((record) => ({ ...record, simulated: true }))
    const text = formats.text.render(comparedReport(simulated, options), { part: 'properties' })
    expect(text).toContain(`${title} (simulated)`)
    expect(text).not.toMatch(/\bHolm\b/)
  })

  it('has one row for properties that split the tasks alike, and names that state none and groups that are too small', () => {
    const stated = statedBy(12, (i) => ({
      decomposability: i < 6 ? 0 : 1,
      sequentialDepth: i < 6 ? 9 : 1,
      ...(i < 7 && { difficulty: i < 2 ? 0.2 : 0.8 }),
    }))
    const text = formats.text
      .render(comparedReport(records, { baseline: 'base', properties: stated }), { part: 'properties' })
      .replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/decomposability, .*sequentialDepth .*\(reversed\)/)
    expect(text).toContain('not stated by 2 tasks')
    expect(text).toContain('Fewer than 6 tasks in a group: difficulty; described, not tested.')
    expect(text).toContain('+80.0 too few')
  })
})

it.each<FormatName>(['text', 'markdown', 'latex', 'json'])(
  'a report as %s on tasks whose properties do not differ says nothing of them',
  (format) => {
    const same = comparedReport(records, {
      baseline: 'base',
      properties: statedBy(14, () => ({ difficulty: 0.5 })),
    })
    const none = comparedReport(records, { baseline: 'base' })
    expect(formats[format].render(same)).toBe(formats[format].render(none))
  },
)

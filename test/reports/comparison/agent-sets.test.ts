import { describe, expect, it } from 'vitest'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { solves } from '../../analysis/compare/compared.ts'
import { comparedReport } from './compared-report.ts'

const plain = (latex: string) =>
  latex
    .replaceAll('\\allowbreak{}', '')
    .replaceAll(/\{([[\],'-])\}/g, '$1')
    .replaceAll('\n  ', ' ')

describe('a pair that is confounded with the model', () => {
  const records = [...solves('m', 9, 10), ...solves('n', 2, 10)]
  const assignments = { m: { solver: 'vendor:big' }, n: { solver: 'vendor:small' } }
  const whole = comparedReport(records, { assignments })

  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'is marked in its row and in a note, as %s',
    (format) => {
      const text = plain(formats[format].render(whole))
      expect(text).toContain(
        'm than n: confounded with the model. The first asks vendor:big; the second asks vendor:small',
      )
      expect(text).toMatch(/(with the model).*\n/)
      const rows = text.split('\n').filter((line) => /m than n/.test(line) && line.includes('+70'))
      if (format !== 'latex') expect(rows.join('')).toContain('with the model')
    },
  )

  it('says so in CSV and JSON', () => {
    const [head = '', row = ''] = formats.csv.render(whole, { part: 'comparison' }).split('\n')
    expect(head).toContain('confounded')
    expect(row).toContain('the first asks vendor:big; the second asks vendor:small')
    expect(JSON.parse(formats.json.render(whole)).comparison.pairs[0].confounded).toEqual({
      a: ['vendor:big'],
      b: ['vendor:small'],
    })
  })

  it('does not mark other pairs', () => {
    const same = comparedReport(records, { assignments: { m: { solver: 'x' }, n: { solver: 'x' } } })
    for (const format of ['text', 'markdown', 'latex'] as const)
      expect(plain(formats[format].render(same))).not.toContain('confounded')
  })
})

describe('a report of several sets of agents', () => {
  const six = (method: string, agentSet: string, solved: number) =>
    solves(method, solved, 8, { agentSet, agents: agentSet })
  const records = [...six('m', 'A', 8), ...six('m', 'B', 4), ...six('n', 'A', 2), ...six('n', 'B', 4)]
  const whole = comparedReport(records, { methods: ['m', 'n'], agentSets: ['A', 'B'], baseline: 'n' })

  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'as %s has the interaction with its limits',
    (format) => {
      const text = plain(formats[format].render(whole, { definitions: true }))
      expect(text).toContain('How much the difference of methods depends on the agents')
      expect(text).toMatch(/\+?75\.0[ &{]+\[\+?36\.\d, \+?113\.\d\]/)
      expect(text).toContain('described, not tested')
    },
  )

  it.each<FormatName>(['text', 'markdown', 'latex'])(
    'as %s speaks of wordings where each method asks the same agents with each set',
    (format) => {
      const worded = comparedReport(
        records.map((record) => ({ ...record, agents: { solver: 'x' } })),
        { methods: ['m', 'n'], agentSets: ['A', 'B'], baseline: 'n' },
      )
      const text = plain(formats[format].render(worded, { part: 'interactions', definitions: true }))
      expect(text).toContain('How much the difference of methods depends on the wording')
      expect(text).toContain('with the first wording minus that with the second')
      expect(text).toContain('pairs of methods with the same wording, and of wordings with the same method')
      expect(text).not.toMatch(/\bagents\b/i)
    },
  )

  it('has the interaction as a separate CSV, in raw numbers', () => {
    const lines = formats.csv.render(whole, { part: 'interactions' }).trimEnd().split('\n')
    expect(lines[0]).toMatchSnapshot()
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^m than n,A than B,\w+,m,n,A,B,8,0\.75,0\.36\d*,1\.13\d*$/)
  })

  it.each<FormatName>(['text', 'markdown', 'latex'])('as %s has the interaction alone, too', (format) => {
    const text = plain(formats[format].render(whole, { part: 'interactions', definitions: true }))
    expect(text).toContain('How much the difference of methods depends on the agents')
    expect(text).toContain('described, not tested')
    expect(text).not.toContain('Spending of the first')
  })

  it('has a row for each, and the interaction in JSON', () => {
    const json = JSON.parse(formats.json.render(whole))
    expect(
      json.methods.map(({ method, set }: { method: string; set: string }) => `${method}@${set}`),
    ).toEqual(['m@A', 'm@B', 'n@A', 'n@B'])
    expect(json.comparison.interactions).toHaveLength(1)
  })
})

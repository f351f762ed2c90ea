import { describe, expect, it } from 'vitest'
import type { Report } from '../../../src/reports/report.ts'
import { firstScreen } from '../../../src/reports/screen/first-screen.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../comparison/compared-report.ts'

const warningsOf = (report: Report) => firstScreen(report).warnings.join('\n')
const sentence = (report: Report, label: string) =>
  firstScreen(report).sentences.find((one) => one.label === label)?.text
const ended = (status: 'error' | 'cancelled', reason: string) => (record: TrialRecord) =>
  ({ ...record, passed: null, score: null, outcome: { status, reason } }) as TrialRecord

describe('errors', () => {
  const both = [...solves('a', 20, 30), ...solves('b', 10, 30)]
  const change = (method: string, from: number, to: number, how: (record: TrialRecord) => TrialRecord) =>
    both.map((record, index) => {
      const at = method === 'a' ? index : index - 30
      return record.method === method && at >= from && at < to ? how(record) : record
    })

  it('stand before the verdict, by method, each with its reason', () => {
    const lost = change('b', 0, 4, ended('error', 'unparsable: the value: expected object, received array'))
    const screen = firstScreen(comparedReport(lost, { baseline: 'b' }))
    expect(screen.sentences.map(({ label }) => label)).toEqual(['Errors', 'Who', 'Price', 'Sure'])
    expect(screen.sentences[0]?.text).toBe(
      '4 of 30 trials of b (unparsable: the value: expected object, received array).',
    )
  })

  it('of several reasons are counted by reason, and a cancelled trial is none', () => {
    const lost = change('a', 0, 5, ended('error', 'server: 503')).map((record, index) =>
      index === 4 ? ended('cancelled', '')(record) : index === 3 ? ended('error', 'broken')(record) : record,
    )
    expect(sentence(comparedReport(lost, { baseline: 'b' }), 'Errors')).toBe(
      '5 of 30 trials of a (3 server: 503; 1 broken; 1 cancelled).',
    )
  })

  it('have no sentence where no trial is missing', () => {
    expect(sentence(comparedReport(both, { baseline: 'b' }), 'Errors')).toBeUndefined()
  })
})

describe('a reason', () => {
  it('that p is adjusted is given where the unadjusted p would do, and of another test where it would not', () => {
    const six = ['b', 'c', 'd', 'e'].flatMap((name) => solves(name, 10, 20))
    const family = warningsOf(comparedReport([...solves('a', 17, 20), ...six], { baseline: 'b' }))
    expect(family).toContain('limits are for one pair alone, p for 10 together')
    expect(family).not.toContain('p is of another test')
    const eight = [...solves('a', 7, 8), ...solves('b', 2, 8)]
    expect(warningsOf(comparedReport(eight, { baseline: 'b' }))).toContain('p is of another test')
  })

  it('about tests is not given where missing trials decide, and not where nothing is tested', () => {
    const decided = [...trials('a', [...'----1111111111111000']), ...trials('b', [...'11111111100000000000'])]
    const warnings = warningsOf(comparedReport(decided, { baseline: 'a' }))
    expect(warnings).toContain('no result holds with the missing trials counted against it')
    expect(warnings).not.toContain('nothing established')
    const two = [
      ...trials('a', ['1'.repeat(20), '1'.repeat(20)]),
      ...trials('b', ['0'.repeat(20), '0'.repeat(20)]),
    ]
    expect(warningsOf(comparedReport(two, { baseline: 'b' }))).not.toContain('nothing established')
  })
})

describe('the price', () => {
  it('is called open only where it was tested, and names nothing as cheapest where nothing was paid', () => {
    const two = [...trials('a', ['1110', '1111']), ...trials('b', ['1000', '1001'])]
    expect(sentence(comparedReport(two, { baseline: 'b' }), 'Price')).not.toContain('open')
    const free = { spent: { costUsd: 0, listCostUsd: 0 } }
    const none = [...solves('a', 20, 20, free), ...solves('b', 3, 20, free)]
    expect(sentence(comparedReport(none, { baseline: 'b' }), 'Price')).toBe('nothing was paid.')
  })
})

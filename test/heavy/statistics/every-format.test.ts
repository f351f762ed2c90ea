import { expect, it } from 'vitest'
import type { Claim } from '../../../src/analysis/claims/claims.ts'
import { leadingGroup } from '../../../src/analysis/claims/leading-group.ts'
import type { CompareOptions } from '../../../src/analysis/compare/compare.ts'
import type { Comparison } from '../../../src/analysis/compare/comparison.ts'
import { spendingClaims, suiteWinNotes } from '../../../src/reports/comparison/claim-notes.ts'
import { propertyNotes } from '../../../src/reports/comparison/definitions.ts'
import { latexText } from '../../../src/reports/formats/latex-text.ts'
import { textHtml } from '../../../src/reports/html/html-text.ts'
import { renderPage } from '../../../src/reports/html/page.ts'
import { collectHandedIn } from '../../../src/reports/html/trial-data.ts'
import { formats } from '../../../src/reports/registry.ts'
import type { Report } from '../../../src/reports/report.ts'
import { firstScreen } from '../../../src/reports/screen/first-screen.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { comparedReport } from '../../reports/comparison/compared-report.ts'

const dear = { spent: { input: 4000, costUsd: 0.4, listCostUsd: 0.4 } }
const inSuite = (name: string, records: readonly TrialRecord[]) =>
  records.map((record) => ({ ...record, task: `${name}/${record.task}`, suite: name }))
/** Costs that differ by task, so that ratios have limits. */
const uneven = (records: readonly TrialRecord[]) =>
  records.map((record, index) => {
    const factor = 1 + (index % 7) / 20
    const { costUsd, listCostUsd, input } = record.spent
    const times = (value: number | null | undefined) => (value == null ? value : value * factor)
    return {
      ...record,
      spent: {
        ...record.spent,
        costUsd: times(costUsd),
        listCostUsd: times(listCostUsd),
        input: input * factor,
      },
    } as TrialRecord
  })
const three = uneven([
  ...solves('low', 10, 40, dear),
  ...solves('high', 36, 40),
  ...solves('mid', 14, 40, dear),
])
const level = [...repeat('11', 60), ...repeat('10', 4), ...repeat('00', 56)]
const wavy = Array.from({ length: 60 }, (_, task) => (task % 2 === 0 ? '1111111110' : '1111111111'))
const even = [...trials('x', wavy), ...trials('y', wavy.toReversed())]
/** y loses two tasks of 120 whole, so x is not worse, and y is not shown to be. */
const ahead = [...trials('x', level), ...trials('y', level.toSpliced(0, 5, ...repeat('00', 5)))]
const five = ['a', 'b', 'c', 'd', 'e'].flatMap((name, at) => solves(name, [36, 34, 12, 11, 10][at] ?? 0, 40))
const lost = three.map((record, index) =>
  record.method === 'mid' && index % 9 === 0
    ? ({
        ...record,
        passed: null,
        score: null,
        outcome: { status: 'error', reason: 'server: 503 <b>&_$%' },
      } as TrialRecord)
    : record,
)
const suites = [
  ...inSuite('small', [...solves('a', 30, 30), ...solves('b', 4, 30)]),
  ...inSuite('large', [...solves('a', 10, 30), ...solves('b', 9, 30)]),
]
const byProperty = {
  baseline: 'base',
  properties: Object.fromEntries(
    Array.from({ length: 14 }, (_, i) => [
      `s/${String(i).padStart(3, '0')}`,
      { decomposability: i < 6 ? 0.1 : 0.9 },
    ]),
  ),
}
const split = [
  ...trials('split', [...repeat('0', 6), ...repeat('1', 8)]),
  ...trials('base', [...repeat('1', 6), ...repeat('0', 8)]),
]
const simulated = three.map((record) => ({ ...record, simulated: true, profile: 'slow@1' }))

const runs: Record<string, [readonly TrialRecord[], CompareOptions]> = {
  'better, cheaper and dominated': [three, { baseline: 'low', margin: 0.2 }],
  'worse and dearer': [three, { baseline: 'high' }],
  equivalent: [even, { baseline: 'x', margin: 0.2 }],
  'not worse': [ahead, { baseline: 'y', margin: 0.05 }],
  open: [[...solves('a', 11, 20), ...solves('b', 9, 20)], { baseline: 'b' }],
  'too few tasks': [[...solves('a', 2, 3), ...solves('b', 1, 3)], { baseline: 'b' }],
  'a leading group': [five, { baseline: 'e' }],
  'missing trials': [lost, { baseline: 'low' }],
  suites: [suites, { baseline: 'b' }],
  properties: [split, byProperty],
  simulated: [simulated, { baseline: 'low' }],
}
const reports = Object.entries(runs).map(
  ([name, [records, options]]) => [name, comparedReport(records, { resamples: 20, ...options })] as const,
)

const comparisonOf = ({ comparison }: Report) => comparison?.comparison as Comparison

/** Every sentence that says more than a number. */
const sentencesOf = (report: Report): string[] => [
  ...firstScreen(report).sentences.map(({ text }) => text),
  ...spendingClaims(comparisonOf(report)),
  ...suiteWinNotes(comparisonOf(report)),
  ...propertyNotes(comparisonOf(report)),
]

const page = (report: Report) =>
  renderPage({
    ...{ report, figures: {}, narrowFigure: '', trials: [], stories: [], handedIn: collectHandedIn(1).data },
    ...{ style: '', script: '', scriptHash: '' },
  })
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

it.each(reports)('a run with %s has each sentence in every format, word for word', (_, report) => {
  const text = inOneLine(formats.text.render(report))
  const markdown = formats.markdown.render(report).replaceAll(/\\([\\`*|~<>&_(])/g, '$1')
  const html = page(report)
  const latex = formats.latex.render(report)
  // What a paper has no room for stands in its source as a comment.
  const comments = latex.split('\n').filter((line) => line.startsWith('% '))
  const typeset = inOneLine(latex)
  for (const sentence of sentencesOf(report)) {
    expect(text).toContain(sentence)
    expect(markdown).toContain(sentence)
    expect(html).toContain(textHtml(sentence))
    const isInPaper =
      typeset.includes(latexText(sentence)) || comments.some((line) => line.includes(sentence))
    expect(isInPaper, `${sentence}\n${latex.slice(-3000)}`).toBe(true)
  }
})

it('these runs make every kind of claim, and name a leading group', () => {
  const kinds: Record<Claim['kind'], true> = {
    ...{ better: true, 'not-worse': true, equivalent: true, 'costs-more': true, 'costs-less': true },
    ...{ dominates: true, 'ahead-on-suite': true, 'differs-by-property': true, 'choice-gains': true },
  }
  const made = new Set(reports.flatMap(([, report]) => comparisonOf(report).claims.map(({ kind }) => kind)))
  expect([...made].toSorted()).toEqual(Object.keys(kinds).toSorted())
  const group = leadingGroup(
    comparisonOf(comparedReport(...(runs['a leading group'] as (typeof runs)[string]))),
  )
  expect(group?.labels).toEqual(['a', 'b'])
})

it('no table of the screen, in any width, has two columns of one heading', () => {
  for (const [name, report] of reports) {
    const { comparison, methods, tasks, sections } = report
    const tables = [methods, tasks, ...(comparison?.tables ?? []), ...sections.flatMap((one) => one.tables)]
    for (const { title, columns } of tables) {
      const shown = columns
        .filter(({ audience }) => audience !== 'data')
        .map(({ heading, unit }) => `${heading} ${unit}`)
      expect(new Set(shown).size, `${name}: ${title}: ${shown}`).toBe(shown.length)
    }
    for (const line of formats.markdown
      .render(report)
      .split('\n')
      .filter((row) => /^\| method/.test(row))) {
      const headings = line.split('|').slice(1, -1)
      expect(new Set(headings).size, line).toBe(headings.length)
    }
  }
})

import { expect, it } from 'vitest'
import type { ActingTrials, Activities } from '../../../src/analysis/mechanisms.ts'
import { sectionParts } from '../../../src/reports/html/sections-html.ts'
import { mechanismsSection, mechanismWarnings } from '../../../src/reports/mechanisms/section.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { firstScreen } from '../../../src/reports/screen/first-screen.ts'
import { aRecord } from '../../analysis/records.ts'
import { summarize } from '../../helpers/runs/summaries.ts'

/** A summary of methods with these mechanisms. */
function summaryOf(rows: Readonly<Record<string, Activities>>) {
  const summary = summarize(Object.keys(rows).map((method) => aRecord({ method })))
  return {
    ...summary,
    methods: summary.methods.map((row) => ({ ...row, mechanisms: rows[row.method] ?? {} })),
  }
}
const none = { chances: 96, acted: 0, tokens: { before: 61_306, after: 61_306 } }
const some = { chances: 96, acted: 4, tokens: { before: 61_306, after: 40_000 } }

it('one line names each mechanism that never acted, and what the run says nothing about', () => {
  expect(mechanismWarnings(summaryOf({ sequential: { summaries: none } }))).toEqual([
    'sequential: 0 of 96 summaries shortened anything: this run says nothing about summarising.',
  ])
  const two = summaryOf({
    sequential: { summaries: none },
    consensus: { votes: { chances: 22, acted: 0 } },
    fanout: { gates: { chances: 5, acted: 1 } },
  })
  expect(mechanismWarnings(two)).toEqual([
    'sequential: 0 of 96 summaries shortened anything; consensus: 0 of 22 votes overruled a voter: this run says nothing about summarising and voting.',
  ])
  const gated = summaryOf({ F: { gates: { chances: 5, acted: 0 }, breakers: { chances: 3, acted: 0 } } })
  expect(mechanismWarnings(gated)).toEqual([
    'F: 0 of 5 verdicts of gates sent work back: this run says nothing about gates.',
  ])
  expect(firstScreen(createReport(two, { run: 'r' })).warnings).toContain(mechanismWarnings(two)[0])
})

it('a mechanism that acted in another row is not one of which the run says nothing', () => {
  const rows = { A: { summaries: some }, B: { summaries: none } }
  expect(mechanismWarnings(summaryOf(rows))).toEqual([
    'B: 0 of 96 summaries shortened anything: this run says nothing about summarising in B.',
  ])
  expect(mechanismWarnings(summaryOf({ A: { summaries: some }, B: {} }))).toEqual([])
  const many = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, { summaries: none }]))
  expect(mechanismWarnings(summaryOf(many))).toEqual([
    '3 methods: 0 of 288 summaries shortened anything: this run says nothing about summarising.',
  ])
})

it('the section has a line for each mechanism of each method, in every format', () => {
  const summary = summaryOf({
    sequential: { summaries: some, revisions: { chances: 2, acted: 2 } },
    plain: {},
  })
  const section = mechanismsSection(summary)
  const report = createReport(summary, { run: 'r', sections: section ? [section] : [] })
  const render = (format: FormatName) => formats[format].render(report)
  expect(render('text')).toMatch(
    /^sequential +summaries +4 of 96 summaries shortened anything +61,306 > 40,000$/m,
  )
  expect(render('text')).toMatch(/^sequential +revisions +2 of 2 revisions changed the work/m)
  expect(render('markdown')).toContain('61,306')
  expect(JSON.parse(render('json')).mechanisms).toEqual([
    { method: 'sequential', mechanism: 'summaries', ...some },
    { method: 'sequential', mechanism: 'revisions', chances: 2, acted: 2 },
  ])
  expect(sectionParts(section ? [section] : []).map(([, heading]) => heading)).toEqual(['Mechanisms'])
  expect(mechanismsSection(summaryOf({ plain: {} }))).toBeUndefined()
})

/** A summary of methods with these trials of mechanisms; undefined: the method declares none. */
function actingSummary(rows: Readonly<Record<string, ActingTrials[] | undefined>>) {
  const summary = summarize(Object.keys(rows).map((method) => aRecord({ method })))
  return {
    ...summary,
    methods: summary.methods.map((row) => {
      const { [row.method]: acting } = rows
      return { ...row, ...(acting && { acting }) }
    }),
  }
}
const unknown = { estimate: null, lower: null, upper: null }
const retries: ActingTrials = {
  ...{ mechanism: 'retries', trials: 6, known: 20, ungraded: 0, graded: 6, passed: 3 },
  success: { estimate: 0.5, lower: 0.2, upper: 0.8 },
  change: {
    ...{ trials: 5, tasks: 5, mended: 2, broken: 1, same: 2 },
    ...{ estimate: 0.2, lower: -0.3, upper: 0.6 },
  },
}
const never = { ...retries, trials: 0, graded: 0, passed: 0, success: unknown, change: null }
const ungraded: ActingTrials = {
  ...{ mechanism: 'choices', trials: 0, known: 0, ungraded: 20, graded: 0, passed: 0, success: unknown },
  change: { ...unknown, trials: 0, tasks: 0, mended: 0, broken: 0, same: 0 },
}

it('a second table says what came of the trials in which mechanisms acted, and who has none', () => {
  const rows = { R: [retries], N: [never], B: [ungraded], plain: [], mine: undefined }
  const section = mechanismsSection(actingSummary(rows))
  const report = createReport(actingSummary(rows), { run: 'r', sections: section ? [section] : [] })
  const render = (format: FormatName) => formats[format].render(report, { part: 'sections' })
  expect(render('text')).toMatchSnapshot()
  expect(render('text')).not.toContain('how often they acted')
  expect(render('csv').split('\n').slice(0, 3)).toMatchSnapshot()
  const { methods } = JSON.parse(formats.json.render(report))
  expect(methods.map(({ acting }: { acting?: unknown }) => acting)).toEqual(
    JSON.parse(JSON.stringify([[retries], [never], [ungraded], [], null])).map(
      (one: unknown) => one ?? undefined,
    ),
  )
})

import { expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { savingsSection } from '../../../src/reports/savings/section.ts'
import type { ToolRun, TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../../analysis/records.ts'

const run = (stage: string, tool: string, rawTokens: number, compactTokens: number): ToolRun => ({
  ...{ stage, tool, rawTokens, compactTokens },
})

function reportOf(records: readonly TrialRecord[]) {
  const summary = createSummary({ baseline: 'baseline' })
  for (const record of records) summary.add(record)
  const result = summary.result()
  const section = savingsSection(result)
  return createReport(result, { run: 'results/r1', sections: section ? [section] : [] })
}

const records = [
  aRecord({ method: 'baseline' }),
  aRecord({
    method: 'chained',
    savings: [
      run('build', 'build-checker', 40, 80),
      run('test', 'test-runner', 1000, 100),
      run('test', 'test-runner', 100, 50),
      run('test', 'test-runner', 0, 16),
    ],
  }),
  aRecord({ method: 'chained', task: 's/2', savings: [run('test', 'test-runner', 100, 10)] }),
  // Missing: infrastructure failed.
  aRecord({
    method: 'chained',
    task: 's/3',
    status: 'error',
    savings: [run('test', 'test-runner', 9000, 1)],
  }),
  aRecord({ method: 'other', savings: [run('test', 'lint', 10, 2000)] }),
]
const rendered = (format: FormatName, part: 'whole' | 'sections' = 'whole') =>
  formats[format].render(reportOf(records), { part })

it('tables for people show tokens and savings by method, and by stage and tool', () => {
  expect(rendered('text', 'sections')).toMatchInlineSnapshot(`
    "Reports of tools: tokens saved
    method       trials      runs  output  reports     saved     median
             with tools  of tools  tokens   tokens         %  % per run
    -------  ----------  --------  ------  -------  --------  ---------
    chained           2         5   1,240      256      79.4       70.0
    other             1         1      10    2,000  -19900.0   -19900.0

    Reports of tools: by stage and tool
    method   stage  tool               runs  output  reports     saved     median
                                   of tools  tokens   tokens         %  % per run
    -------  -----  -------------  --------  ------  -------  --------  ---------
    chained  build  build-checker         1      40       80    -100.0     -100.0
    chained  test   test-runner           4   1,200      176      85.3       90.0
    other    test   lint                  1      10    2,000  -19900.0   -19900.0

    - Output is what the tools printed, reports are what their stages passed on instead. Both are
      estimated at 4 characters a token. They are tokens of tools, not of the bill: what an agent was
      sent is in tokens above. Saved: 1 - reports / output over the sums; below 0 the reports are longer
      than the output.
    "
  `)
})

it('a saving is a ratio of sums, with the median over the runs that printed something', () => {
  const [chained, other] = JSON.parse(rendered('json')).methods.flatMap(
    ({ savings }: { savings?: object }) => savings ?? [],
  )
  expect(chained).toMatchObject({ trials: 2, runs: 5, rawTokens: 1240, compactTokens: 256 })
  expect(chained.share).toBeCloseTo(1 - 256 / 1240)
  expect(chained.medianShare).toBeCloseTo((0.5 + 0.9) / 2)
  expect(chained.parts).toMatchObject([
    { stage: 'build', tool: 'build-checker', share: -1, medianShare: -1 },
    { stage: 'test', tool: 'test-runner', runs: 4, rawTokens: 1200, compactTokens: 176 },
  ])
  expect(other).toMatchObject({ trials: 1, runs: 1, share: -199, medianShare: -199 })
})

it('a tool that printed nothing has no saving, and no format shows an impossible number', () => {
  const silent = reportOf([aRecord({ method: 'm', savings: [run('test', 't', 0, 16)] })])
  expect(silent.summary.methods[0]?.savings).toMatchObject({ share: null, medianShare: null })
  for (const format of Object.keys(formats) as FormatName[])
    for (const part of ['whole', 'sections'] as const)
      expect(formats[format].render(silent, { part })).not.toMatch(/NaN|Infinity/)
  expect(formats.text.render(silent, { part: 'sections' })).toMatch(/^m +1 +1 +0 +16 +- +-$/m)
})

it('CSV has a line for each method, JSON the sums and all rows, and the other formats the tables', () => {
  const [head = '', , chained = ''] = rendered('csv').split('\n')
  const at = (name: string) => chained.split(',')[head.split(',').findIndex((one) => one.startsWith(name))]
  expect(['tool_runs', 'tool_output', 'tool_reports'].map(at)).toEqual(['5', '1240', '256'])
  expect(Number(at('tool_saved'))).toBeCloseTo(79.35, 1)
  expect(rendered('csv', 'sections').split('\n')[0]).toContain('rawTokens')
  const { toolSavings } = JSON.parse(rendered('json'))
  expect(toolSavings).toHaveLength(5)
  for (const format of ['markdown', 'latex'] as const)
    for (const text of ['test-runner', '-19900.0', '4 characters a token'])
      expect(rendered(format).replaceAll('\\allowbreak{}', '').replaceAll('{-}', '-')).toContain(text)
})

it('nothing is said where no tool ran', () => {
  const none = reportOf([aRecord({ method: 'baseline' })])
  expect(none.sections).toEqual([])
  for (const format of Object.keys(formats) as FormatName[])
    expect(formats[format].render(none)).not.toMatch(/[Rr]eports of tools|toolSavings/)
})

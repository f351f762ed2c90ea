import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { createFlips, type PairSides } from '../../../src/analysis/flips.ts'
import { type FlipsSection, flipsSection } from '../../../src/reports/flips/section.ts'
import { sectionParts } from '../../../src/reports/html/sections-html.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../../analysis/records.ts'
import { summarize } from '../../helpers/runs/summaries.ts'

interface Given {
  methods?: readonly string[]
  epochs?: number
  clusters?: Readonly<Record<string, string>>
}

/** The section of these records, and a function that renders it. */
function rendered(
  records: readonly TrialRecord[],
  { methods = ['old', 'new'], epochs = 1, clusters = {} }: Given = {},
) {
  const flips = createFlips()
  for (const record of records) flips.add(record)
  const found = flips.result({
    methods: methods.map((label) => ({ label, method: label, agents: 'scripted', set: null, epochs })),
    pairs: methods.flatMap((a, index) => methods.slice(index + 1).map((b) => ({ a, b }))),
    clusters,
  })
  // The tables of methods are not what is tested.
  const summary = summarize(records.slice(0, 100))
  const section: FlipsSection = flipsSection(found, {
    ...{ simulated: summary.simulated, runs: ['results/r1'], command: 'bench report results/r1 --flips' },
  })
  const report = createReport(summary, { run: 'results/r1', flips: section })
  return {
    section,
    render: (format: FormatName, width = 100) => formats[format].render(report, { part: 'flips', width }),
  }
}

/** Trials of one task: a letter an epoch of each method, passed or failed. */
const trials = (task: string, letters: Readonly<Record<string, string>>): TrialRecord[] =>
  Object.entries(letters).flatMap(([method, results]) =>
    [...results].map((letter, index) =>
      aRecord({
        ...{ task, method, epoch: index + 1, passed: letter === 'p' },
        trial: `${task.length}${method}${index + 1}`.padEnd(24, '0'),
      }),
    ),
  )

describe('one pair', () => {
  const { section, render } = rendered(
    [
      ...trials('s/a', { old: 'ppp', new: 'fff' }),
      ...trials('s/bb', { old: 'pff', new: 'ppf' }),
      ...trials('s/ccc', { old: 'ppp', new: 'ppp' }),
    ],
    { epochs: 3, clusters: { 's/a': 'django' } },
  )

  it('text names the tasks both ways with the passed epochs and the trials, then the flaky ones', () => {
    expect(render('text')).toMatchSnapshot()
  })

  it('Markdown, LaTeX and the page have the same tables', () => {
    expect(render('markdown')).toContain(
      '| s/a | django | old | 3/3 | new | 0/3 | 3old10000000 3old20000000 3old30000000 | 3new10000000',
    )
    expect(render('latex')).toMatch(/tab:r1-flips-1[\s\S]*tab:r1-flips-4/)
    expect(render('latex')).toMatch(/bench report results\/r1 -\{\}-format latex -\{\}-flips/)
    const [[id, heading, body] = []] = sectionParts([section])
    expect([id, heading]).toEqual(['flips', 'Tasks that changed sides'])
    expect(body).toContain('3old10000000')
  })

  it('CSV has a line for each task that changed sides or is flaky, JSON everything with whole ids', () => {
    const lines: Record<string, string>[] = parse(render('csv'), { columns: true })
    expect(lines.map(({ kind, a, b, task }) => [kind, a, b, task])).toEqual([
      ['only-a', 'old', 'new', 's/a'],
      ['only-b', 'old', 'new', 's/bb'],
      ['flaky', 'old', '', 's/bb'],
      ['flaky', 'new', '', 's/bb'],
    ])
    expect(lines[1]).toMatchObject({
      ...{ a_side: 'fails', 'a_passed (trials)': '1', 'a_graded (trials)': '3', b_side: 'solves' },
      'a_failed_trials (ids)': '4old20000000000000000000 4old30000000000000000000',
    })
    expect(JSON.parse(render('json')).flips).toEqual(section.data)
  })
})

it('a report that was not asked for them has no flips in any format', () => {
  const report = createReport(summarize(trials('s/a', { old: 'p', new: 'f' })), { run: 'r' })
  for (const [name, { render }] of Object.entries(formats))
    expect(render(report), name).not.toMatch(/flip|changed sides|flaky/i)
  expect(JSON.parse(formats.json.render(report))).not.toHaveProperty('flips')
})

it('a run without a pair, without repeats, without a change or with missing trials says so', () => {
  const alone = rendered(trials('s/a', { old: 'pf' }), { methods: ['old'], epochs: 2 }).render('text')
  expect(alone).not.toContain('who solves')
  expect(alone).toContain('Flaky tasks within one method')
  const same = rendered(trials('s/a', { old: 'p', new: 'p' })).render('text')
  expect(same).toContain('- No task changed sides.')
  expect(same).toContain('- No method has two graded trials of a task, so no flaky task can be seen.')
  const steady = rendered(trials('s/a', { old: 'pp', new: 'ff' }), { epochs: 2 }).render('text')
  expect(steady).toContain('- No task is flaky.')
  const lost = [...trials('s/a', { old: 'pp' }), aRecord({ task: 's/a', method: 'new', status: 'error' })]
  expect(rendered(lost, { epochs: 2 }).render('text')).toContain(
    '- Planned trials without a grade, which are not failed ones: new 2.',
  )
})

it('simulated numbers are marked in every title', () => {
  const records = trials('s/a', { old: 'pf', new: 'ff' }).map((record) => ({ ...record, simulated: true }))
  const { section } = rendered(records, { epochs: 2 })
  for (const { title } of section.tables) expect(title).toMatch(/ \(simulated\)$/)
})

it('names of tasks and methods are text in every format, whatever signs they have', () => {
  const task = 's/<b onload=x>|`a`*_[l](javascript:x)\u001b[31m\u202e\n$\\input{f}'
  const method = '=old|<i>&'
  const records = [
    ...trials(task, { [method]: 'p', new: 'f' }),
    ...trials('s/b', { [method]: 'f', new: 'p' }),
  ]
  const { section, render } = rendered(records, { methods: [method, 'new'], clusters: { [task]: '<u>' } })
  for (const format of ['text', 'markdown', 'latex', 'csv', 'json'] as const)
    for (const sign of ['\u001b', '\u202e']) expect(render(format), format).not.toContain(sign)
  const markdown = render('markdown')
  expect(markdown).toContain('s/\\<b onload=x\\>\\|\\`a\\`\\*\\_[l]\\(javascript:x)\\\\x1b[31m')
  expect(markdown).not.toMatch(/(?<!\\)</)
  const [[, , body = ''] = []] = sectionParts([section])
  expect(body).not.toMatch(/<b |<i>|<u>/)
  expect(body).toContain('&#60;b onload=x&#62;')
  expect(render('latex')).not.toContain('\\input{f}')
  expect(parse(render('csv'), { columns: true })[0]).toMatchObject({ a: `'${method}`, b: 'new' })
})

it('of 10,000 tasks that changed sides texts name 20 and count the rest', () => {
  const records = Array.from({ length: 10_000 }, (_, index) =>
    trials(`s/${index}`, { old: index % 2 ? 'p' : 'f', new: index % 2 ? 'f' : 'p' }),
  ).flat()
  const { section, render } = rendered(records)
  expect(section.tables.map(({ rows }) => rows.length)).toEqual([1, 20, 2])
  expect(render('text')).toMatch(
    /^- 9,980 more changed sides:\n +bench report results\/r1 --flips --format json$/m,
  )
  for (const format of ['text', 'markdown', 'latex'] as const)
    expect(render(format).length).toBeLessThan(10_000)
})

it('of many pairs and directions each has its turn among the 20 tasks; CSV and JSON leave none out', () => {
  const methods = ['m1', 'm2', 'm3', 'm4']
  const records = Array.from({ length: 40 }, (_, index) =>
    trials(`s/${index}`, { m1: 'pp', m2: 'ff', m3: index % 2 ? 'pf' : 'pp', m4: index < 3 ? 'pp' : 'ff' }),
  ).flat()
  const { section, render } = rendered(records, { methods, epochs: 2 })
  expect(section.tables.map(({ rows }) => rows.length)).toEqual([6, 20, 4, 20])
  expect(render('text').replace(/\s+/g, ' ')).toContain('98 more changed sides')
  const solvers = section.tables[1]?.rows.map((row) => `${row.solver?.text} ${row.other?.text}`) ?? []
  const turns = new Map(solvers.map((pair) => [pair, solvers.filter((other) => other === pair).length]))
  expect(Object.fromEntries(turns)).toEqual({ 'm1 m2': 5, 'm1 m4': 4, 'm3 m2': 4, 'm4 m2': 3, 'm3 m4': 4 })
  // 118 that changed sides, 60 ties and 20 flaky ones.
  expect(parse(render('csv'))).toHaveLength(1 + 118 + 60 + 20)
  const { pairs } = JSON.parse(render('json')).flips
  expect(
    pairs.map(({ onlyA, onlyB, ties }: PairSides) => [onlyA, onlyB, ties].map(({ length }) => length)),
  ).toEqual([
    [40, 0, 0],
    [0, 0, 20],
    [37, 0, 0],
    [0, 20, 20],
    [0, 3, 0],
    [18, 0, 20],
  ])
})

it('a cell names three trials, or two and the number of the others, those of the side first', () => {
  const { section } = rendered(trials('s/a', { old: 'fpppppp', new: 'fffffpf' }), { epochs: 7 })
  const row = section.tables[1]?.rows[0]
  expect(row?.solver_trials?.text).toBe('3old20000000 3old30000000 +5')
  expect(row?.other_trials?.text).toBe('3new10000000 3new20000000 +5')
  expect(row?.solver_passed?.text).toBe('6/7')
})

it('at any width the trials of a task stay in the text', () => {
  const { render } = rendered(trials('s/a-long-name-of-a-task', { old: 'ppppp', new: 'fffff' }), {
    epochs: 5,
  })
  for (const width of [60, 80, 100, 160]) {
    const text = render('text', width)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
    for (const method of ['old', 'new'])
      expect(text.replace(/\s+/g, ' '), `${width}`).toContain(`23${method}1000000`)
  }
})

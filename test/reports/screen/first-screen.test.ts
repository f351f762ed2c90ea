import { describe, expect, it } from 'vitest'
import type { Report } from '../../../src/reports/report.ts'
import { type FirstScreen, firstScreen } from '../../../src/reports/screen/first-screen.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { report } from '../../helpers/runs/reports.ts'
import { comparedReport } from '../comparison/compared-report.ts'

const said = ({ sentences }: FirstScreen) =>
  Object.fromEntries(sentences.map(({ label, text }) => [label, text]))
const sentencesOf = (of: Report) => said(firstScreen(of))
const dear = { spent: { costUsd: 0.3 } }
const simulated = (records: readonly TrialRecord[]) =>
  records.map((record) => ({ ...record, simulated: true, profile: 'slow@1' }))
const three = [...solves('low', 10, 40), ...solves('high', 36, 40, dear), ...solves('mid', 12, 40)]

describe('the rows', () => {
  it('stand best first, with what each method differs from the baseline in success, word and cost', () => {
    const { rows, title, baseline } = firstScreen(comparedReport(three, { baseline: 'low' }))
    expect(title).toBe('3 methods on 40 tasks, 1 epoch each; live; 120 trials, none missing')
    expect(baseline).toBe('low')
    expect(rows.map(({ method, says, costRatio }) => [method, says, costRatio?.toFixed(1) ?? null])).toEqual([
      ['high', 'better', '3.0'],
      ['mid', 'open', '1.0'],
      ['low', '', null],
    ])
    expect(rows[0]?.difference).toMatchObject({ estimate: 0.65 })
    expect(rows[0]?.difference?.p).toBeLessThan(0.001)
    expect(rows[0]?.successCostRatio?.ratio).toBeCloseTo((0.3 / 36) * (10 / 0.1), 9)
    expect(rows[2]).toMatchObject({ isBaseline: true, difference: null })
  })

  it('give the difference as the row minus the baseline, whichever side of the pair the row is', () => {
    for (const baseline of ['low', 'high']) {
      const { rows } = firstScreen(comparedReport(three, { baseline }))
      for (const { method, difference } of rows)
        if (difference?.estimate)
          expect(Math.sign(difference.estimate)).toBe(method === 'high' || baseline === 'low' ? 1 : -1)
    }
    const worse = firstScreen(comparedReport(three, { baseline: 'high' })).rows.find(
      ({ method }) => method === 'low',
    )
    expect(worse).toMatchObject({ says: 'worse', difference: { estimate: -0.65 } })
    expect(worse?.difference?.upper).toBeLessThan(0)
  })

  it('keep agents apart where a run has several sets, and leave bounds out of the sentences', () => {
    const sets = ['big', 'small'].flatMap((agentSet) =>
      three.map((record) => ({
        ...record,
        trial: `${record.trial}|${agentSet}`,
        agents: agentSet,
        agentSet,
      })),
    )
    const methods = ['low', 'high', 'mid']
    const screen = firstScreen(
      comparedReport(sets, { baseline: 'low', methods, agentSets: ['big', 'small'] }),
    )
    expect(screen.title).toContain('3 methods with 2 sets of agents each on 40 tasks')
    expect(screen.rows.map(({ method, agents }) => `${method} ${agents}`)).toContain('high small')
    expect(screen.rows.filter(({ isBaseline }) => isBaseline)).toHaveLength(2)
    const bounds = solves('high', 40, 40).map((record) => ({
      ...record,
      agents: 'oracle',
      agentSet: 'oracle',
    }))
    const bound = firstScreen(report([...solves('high', 5, 40), ...bounds]))
    expect(bound.rows[0]).toMatchObject({ isBound: true, agents: 'oracle (upper bound)' })
    expect(said(bound).Who).toMatch(/^high passes 12\.5%/)
  })
})

const kinds: [string, Report, Record<string, RegExp>][] = [
  [
    'a tested run',
    comparedReport(three, { baseline: 'low', margin: 0.2 }),
    {
      Who: /^high is better than low and mid\. .*mid.*low/,
      Price: /^a success costs \$\S+ with high and \$\S+ with low: 0\.\d+x \[/,
      Sure: /^false claims in at most 5% of such runs each: success \(3 tests\), the margin \(3\), price \(2\); 40 tasks find \d+ to \d+ points in 4 of 5 runs/,
    },
  ],
  [
    'a run where nothing is established',
    comparedReport([
      ...solves('a', 12, 30),
      ...trials('b', [...repeat('0', 4), ...repeat('1', 12), ...repeat('0', 14)]),
    ]),
    {
      Who: /^No method is shown to be better\. Open: \w than \w, -\d+ to \+\d+ points\.$/,
      Sure: /^false claims in at most 5% of such runs each: success \(1 test\), price \(1\); 30 tasks find 28 points in 4 of 5 runs; 10 points take 219 tasks, about \$43\.80 for all methods\.$/,
    },
  ],
  [
    'methods that no task separates',
    comparedReport([...solves('a', 5, 12), ...solves('b', 5, 12)]),
    { Who: /No task separates a and b\.$/ },
  ],
  [
    'a simulated run',
    comparedReport(simulated(three), { baseline: 'low' }),
    {
      Who: /^high passes most, 90\.0%: 65 points more than low \[\+\d+, \+\d+\]\.$/,
      Sure: /^not tested: a test would test the profile, not the methods\.$/,
    },
  ],
  [
    'a run that somebody looked at',
    comparedReport(three, { baseline: 'low', voided: 'looked' }, { looks: [16, 24] }),
    {
      Who: /^high passes most, 90\.0%: 65 points more than low\.$/,
      Sure: /^not tested: trials were added after a look at the results.*\(looks at 16, 24 records\)\.$/,
    },
  ],
  [
    'an unfinished run',
    comparedReport(three, { baseline: 'low', voided: 'unfinished' }),
    { Sure: /^not tested: the run is not finished/ },
  ],
  [
    'too few tasks',
    comparedReport([...solves('a', 3, 5), ...solves('b', 5, 5)], { baseline: 'a' }),
    {
      Who: /^No method is shown to be better\. Not tested: b than a, /,
      Sure: /^not tested: 5 tasks are too few for a test/,
    },
  ],
  [
    'one method',
    report(solves('a', 6, 8)),
    {
      Who: /^a passes 75\.0% \[\d+, \d+\]; no other method/,
      Price: /^a success costs \$0\.133, a trial \$0\.100/,
      Sure: /^nothing is compared/,
    },
  ],
  [
    'no success at all',
    comparedReport([...solves('a', 0, 8), ...solves('b', 0, 8, dear)], { baseline: 'a' }),
    { Price: /^nothing was solved; a trial costs least with a, \$0\.100/ },
  ],
  [
    'a price that is the same multiple on every task',
    comparedReport([...solves('a', 6, 8), ...solves('b', 6, 8, dear)], { baseline: 'a' }),
    { Price: /^a success costs \$0\.400 with b and \$0\.133 with a: 3\.0x on every task\.$/ },
  ],
  [
    'a margin that is not shown',
    comparedReport([...solves('a', 10, 20), ...solves('b', 12, 20)], { baseline: 'a', margin: 0.05 }),
    {
      Sure: /^false claims in at most 5% of such runs each: .*the pair is not shown to be within the margin of 5 points/,
    },
  ],
  [
    'unknown costs',
    comparedReport(
      [...solves('a', 4, 8, { spent: { costUsd: null, unreportedCost: 1 } }), ...solves('b', 5, 8)],
      {
        baseline: 'a',
      },
    ),
    { Price: /^a success costs \$0\.160 with b; not compared: the cost of a is not fully known/ },
  ],
  [
    'ungraded requests',
    report(solves('a', 1, 1).map((record) => ({ ...record, passed: null, score: null }))),
    { Who: /^nothing was graded/, Price: /^a trial costs \$0\.100/ },
  ],
  ['no record', report([]), { Who: /^no trial has a record yet/, Price: /^nothing to compare/ }],
  [
    'a stop rule',
    comparedReport([...solves('a', 20, 20), ...solves('b', 0, 20)], {
      stop: { sequence: 'mcnemar', alpha: 0.05, comparisons: 1, hopedTasks: 10 },
      order: Array.from({ length: 20 }, (_, task) => `s/${String(task).padStart(3, '0')}`),
      epochs: 1,
      methods: ['a', 'b'],
    }),
    {
      Who: /^a is better than b by 100 points, p \.035\./,
      Sure: /^p holds at every look of the stop rule; settled after task 8/,
    },
  ],
]

describe('the sentences', () => {
  it.each(kinds)('of %s say what holds of its table', (_, of, wanted) => {
    const texts = sentencesOf(of)
    expect(Object.keys(texts)).toEqual(['Who', 'Price', 'Sure'])
    for (const [label, pattern] of Object.entries(wanted)) expect(texts[label]).toMatch(pattern)
  })

  it.each(kinds)('of %s say no number as a saving below nothing, and no unknown one', (_, of) => {
    const { sentences, warnings } = firstScreen(of)
    for (const text of [...sentences.map(({ text }) => text), ...warnings])
      expect(text).not.toMatch(/saves?|-\d+(\.\d+)?%|NaN|Infinity|undefined|null| - /)
  })

  it('count the pairs where names would fill the screen', () => {
    const many = Array.from({ length: 6 }, (_, i) => solves(`method-with-a-long-name-${i}`, 6 * i, 40)).flat()
    const { Who = '' } = sentencesOf(comparedReport(many))
    expect(Who.length).toBeLessThan(400)
    expect(Who).toMatch(/than \d others/)
  })
})

describe('a screen of simulated numbers', () => {
  it('has one line that says so, and neither p nor word', () => {
    const screen = firstScreen(comparedReport(simulated(three), { baseline: 'low' }))
    expect(screen.simulated).toBe('simulated: these numbers describe profile slow@1, not the methods')
    expect(screen.rows.flatMap(({ says, difference }) => [says, difference?.p ?? ''])).toEqual(
      Array(6).fill(''),
    )
  })
})

describe('the warnings', () => {
  it.each([
    [
      'a missing trial, whose retry voids the tests',
      [...three.slice(1), ...trials('low', ['-'])],
      {},
      /trials are missing \(1 of low\): bench run .* runs them, which voids the tests\./,
    ],
    [
      'a difference over the tasks that both have',
      [...solves('high', 20, 20), ...trials('low', [...repeat('0', 12), ...repeat('-', 8)])],
      {},
      /high.*: the difference is over the 12 of 20 tasks that both have/,
    ],
    [
      'other models',
      three,
      { assignments: { low: { solver: 'x:small' }, high: { solver: 'x:big' } } },
      /high.*low.*: other models, too/,
    ],
    [
      'costs that are not known',
      [...three, ...solves('free', 20, 40, { spent: { costUsd: null, unreportedCost: 1 } })],
      {},
      /no call of free has a known cost/,
    ],
    [
      'few solved tasks',
      [...solves('a', 2, 12), ...solves('b', 9, 12)],
      {},
      /fewer than 5 tasks were solved by a/,
    ],
    [
      'broken trials',
      three.map((one) => ({ ...one, outcome: { status: 'failed' as const, reason: '' } })),
      {},
      /could not use a reply, in trials: 40 of/,
    ],
  ])('name %s', (_, records, options, warning) => {
    expect(firstScreen(comparedReport(records, { baseline: 'low', ...options })).warnings.join('\n')).toMatch(
      warning,
    )
  })

  it('are absent where there is nothing to warn of', () => {
    expect(firstScreen(comparedReport(three, { baseline: 'low' })).warnings).toEqual([])
  })
})

it('the commands name the run, the two best methods, and power where a test is possible', () => {
  const commands = (of: Report) => firstScreen(of).commands.map(({ command }) => command)
  expect(commands(comparedReport(three, { baseline: 'low' }))).toMatchSnapshot()
  expect(commands(comparedReport(simulated(three)))).not.toContain('bench power results/r1')
  expect(commands(report(solves('a', 1, 2)))).toHaveLength(2)
})

import { describe, expect, it } from 'vitest'
import { createSummary } from '../../src/analysis/summarize.ts'
import { type FormatName, formats } from '../../src/reports/registry.ts'
import { createReport } from '../../src/reports/report.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import { aRecord } from '../analysis/records.ts'
import { report, simulated } from '../helpers/runs/reports.ts'

// Baseline: 2 of 4 tasks, 1200 to 4200 tokens (mean 2700), $0.01 to $0.04 (mean $0.025; per success $0.05).
// Sequential: 2 of 3 tasks (the fourth is missing), 5000 tokens, $0.05; per success $0.075; bill 3 * 0.05 + 0.002.
// Paired on three tasks: tokens 5000 against 2200, cost 0.05 against 0.02, success 2/3 against 1/3.
it('the text table says what the records say', () => {
  expect(formats.text.render(simulated, { tasks: true })).toMatchInlineSnapshot(`
    "2 methods on 4 tasks, 1 epoch each; simulated; 8 trials, 1 missing
    simulated: these numbers describe profile typical, not the methods

                                       than
                      success      baseline        USD         cost                      USD
                      % [95%]  points [95%]  per trial  ratio [95%]        per success [95%]
    sequential  66.7 [9, 100]           +33     0.0500         2.5x  0.0750 [0.0500, 1.67]
    baseline    50.0 [6,  94]      baseline     0.0250               0.0500 [0.00668, 0.702]

    Errors 1 of 4 trials of sequential (network: connection reset).
    Who    sequential passes most, 66.7%: 33 points more than baseline.
    Price  a success costs least with baseline, $0.0500 (simulated).
    Sure   nothing is compared; the limits are over 4 tasks.
    Warn   trials are missing (1 of sequential): bench run --resume RUN --retry-errors runs them again.
    Warn   fewer than 5 tasks were solved by baseline and sequential: the limits of cost per success are
           rough.

    what the words mean: bench report results/r1 --notes   one trial: bench show results/r1 TRIAL

    Each method in detail
    method      passed  tokens     tokens     cost    bill  iterations       time       time       cost
                        /trial          x   /trial   total      median  simulated        95%        95%
                                 baseline                                             within     within
    ----------  ------  ------  ---------  -------  ------  ----------  ---------  ---------  ---------
    baseline       2/4   2,700          -  $0.0250  $0.100           1     20.0 s     20.0 s    $0.0385
    sequential     2/3   5,000       2.3x  $0.0500  $0.152           2     90.0 s     90.0 s    $0.0500
    method       calls  checks  missing
                /trial  /trial   trials
    ----------  ------  ------  -------
    baseline         1       0        0
    sequential       5       2        1

    Passed of graded epochs, by task (simulated)
    task            baseline  sequential
    --------------  --------  ----------
    built-in/add         1/1         1/1
    built-in/parse       0/1         1/1
    built-in/graph       0/1         0/1
    built-in/sum         1/1   1 missing

    - sequential: 4 of 4 planned trials run; missing: 1 ended in error; 1 cut off by a limit of the
      trial, with its iterations and time.
    - 1 trial ended in error (network): sequential 1. The first: connection reset
    - Warning: more than 5% of the trials of a method are missing, and the share of missing trials
      differs between methods (error or cancelled: baseline 0.0%, sequential 25.0%). Missing trials may
      be harder than others; bench run --resume RUN --retry-errors runs the trials in error again.
    - sequential: with the missing trials the difference in success may be anything from 0.0 to +25.0
      points, so even its sign is unknown.
    - Differences and ratios are estimates without intervals or tests: they establish nothing.
    - sequential: tasks left out of the pairs: 1 for success, 1 for tokens, 1 for cost.
    - Each method: the interval of cost per success is rough: 2 tasks solved.
    - These numbers describe profile typical, not the methods.
    "
  `)
})

it('the Markdown table says the same', () => {
  expect(formats.markdown.render(simulated)).toMatchInlineSnapshot(`
    "**2 methods on 4 tasks, 1 epoch each; simulated; 8 trials, 1 missing**

    simulated: these numbers describe profile typical, not the methods

    | method | success (% [95%]) | than baseline (points [95%]) | USD per trial | cost ratio [95%] | USD per success [95%] |
    | :--- | ---: | ---: | ---: | ---: | ---: |
    | sequential | 66.7 [9, 100] | +33 | 0.0500 | 2.5x | 0.0750 [0.0500, 1.67] |
    | baseline | 50.0 [6, 94] | baseline | 0.0250 |  | 0.0500 [0.00668, 0.702] |

    - **Errors**: 1 of 4 trials of sequential (network: connection reset).
    - **Who**: sequential passes most, 66.7%: 33 points more than baseline.
    - **Price**: a success costs least with baseline, $0.0500 (simulated).
    - **Sure**: nothing is compared; the limits are over 4 tasks.
    - **Warning**: trials are missing (1 of sequential): bench run --resume RUN --retry-errors runs them again.
    - **Warning**: fewer than 5 tasks were solved by baseline and sequential: the limits of cost per success are rough.

    what the words mean: \`bench report results/r1 --notes\`; one trial: \`bench show results/r1 TRIAL\`

    **Each method in detail**

    | method | passed | tokens (/trial) | tokens (x baseline) | cost (/trial) | bill (total) | iterations (median) | time (simulated) | time (95% within) | cost (95% within) | calls (/trial) | checks (/trial) | missing (trials) |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | baseline | 2/4 | 2,700 | - | $0.0250 | $0.100 | 1 | 20.0 s | 20.0 s | $0.0385 | 1 | 0 | 0 |
    | sequential | 2/3 | 5,000 | 2.3x | $0.0500 | $0.152 | 2 | 90.0 s | 90.0 s | $0.0500 | 5 | 2 | 1 |

    - sequential: 4 of 4 planned trials run; missing: 1 ended in error; 1 cut off by a limit of the trial, with its iterations and time.
    - 1 trial ended in error (network): sequential 1. The first: connection reset
    - Warning: more than 5% of the trials of a method are missing, and the share of missing trials differs between methods (error or cancelled: baseline 0.0%, sequential 25.0%). Missing trials may be harder than others; bench run --resume RUN --retry-errors runs the trials in error again.
    - sequential: with the missing trials the difference in success may be anything from 0.0 to +25.0 points, so even its sign is unknown.
    - Differences and ratios are estimates without intervals or tests: they establish nothing.
    - sequential: tasks left out of the pairs: 1 for success, 1 for tokens, 1 for cost.
    - Each method: the interval of cost per success is rough: 2 tasks solved.
    - These numbers describe profile typical, not the methods.
    "
  `)
})

describe('text', () => {
  const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

  it('fits 100 columns, with the name of the method in each table', () => {
    const records = ['sequential[maxInner=5,model=large]', 'baseline'].flatMap((method) =>
      [1, 2].map((n) =>
        aRecord({ method, task: `s/${n}`, simulated: true, spent: { input: 123_456_789, costUsd: 1234.5 } }),
      ),
    )
    const text = formats.text.render(report(records, { baseline: 'baseline' }))
    expect(longest(text)).toBeLessThanOrEqual(100)
    const rows = text.split('\n').filter((line) => line.startsWith('sequential['))
    expect(rows.length).toBeGreaterThan(1)
  })

  it('never shortens a label', () => {
    const method = `m[${'x'.repeat(90)}=1]`
    const text = formats.text.render(
      report([aRecord({ method }), aRecord({ method: 'b' })], { baseline: 'b' }),
    )
    expect(text).toContain(`\n${method}\n`)
    expect(text).not.toContain('…')
  })

  it('shows many methods by task in several blocks', () => {
    const records = Array.from({ length: 20 }, (_, i) => aRecord({ method: `method-number-${i}` }))
    const text = formats.text.render(report(records), { tasks: true })
    expect(longest(text)).toBeLessThanOrEqual(100)
    for (let i = 0; i < 20; i++) expect(text).toContain(`method-number-${i}`)
  })

  it('shows no control character of a label', () => {
    const method = 'evil\x1b[2J\x9b31m\r\u202e\nname'
    for (const name of Object.keys(formats) as FormatName[]) {
      const text = formats[name].render(report([aRecord({ method, task: method, agents: method })]), {
        tasks: true,
      })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    }
    expect(formats.text.render(report([aRecord({ method })]))).toContain(
      'evil\\x1b[2J\\x9b31m\\x0d\\u202e\\nname',
    )
  })
})

describe('cells', () => {
  const cells = (records: TrialRecord[], options = {}) => {
    const table = report(records, options).methods
    return (row: number, key: string) => table.rows[row]?.[key]?.text
  }

  it('say `unknown` or `>=`, never 0, if calls were not reported', () => {
    const none = { input: 0, output: 0, costUsd: null, unreportedTokens: 1, unreportedCost: 1 }
    const some = { input: 50, output: 0, costUsd: 0.2, calls: 2, unreportedTokens: 1, unreportedCost: 1 }
    const cell = cells([aRecord({ method: 'a', spent: none }), aRecord({ method: 'b', spent: some })])
    expect([cell(0, 'tokens_text'), cell(0, 'cost_text'), cell(0, 'cost_per_success_text')]).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ])
    expect([cell(1, 'tokens_text'), cell(1, 'cost_text')]).toEqual(['>= 50', '>= $0.200'])
  })

  it('say how many trials had no success, and a lower bound of the cost of one', () => {
    const records = Array.from({ length: 8 }, (_, i) => aRecord({ task: `s/${i}`, passed: false }))
    expect(cells(records)(0, 'cost_per_success_text')).toBe('none in 8 trials (8 tasks)')
    // 0.1 / (1 - 0.025 ** (1 / 8)) = 0.2707
    expect(formats.text.render(report(records))).toContain('one costs at least $0.271 (95%)')
  })

  it('say that there is no ratio to a baseline that spent nothing', () => {
    const free = { input: 0, output: 0, costUsd: 0 }
    const cell = cells([aRecord({ method: 'b', spent: free }), aRecord()], { baseline: 'b' })
    expect([cell(1, 'tokens_ratio_text'), cell(1, 'cost_ratio_text')]).toEqual(['no ratio', 'no ratio'])
  })

  it('show agents if there are several sets of them', () => {
    const text = formats.text.render(
      report([aRecord({ agents: 'x:1' }), aRecord({ agents: { judge: 'y', '*': 'x:1' } })]),
    )
    expect(text).toContain('*=x:1, judge=y')
    expect(formats.text.render(report([aRecord()]))).not.toContain('scripted')
  })

  it('have no comparison without a baseline', () => {
    const keys = report([aRecord()], { baseline: 'a' }).methods.columns.map((column) => column.key)
    expect(keys).not.toContain('tokens_ratio_text')
  })
})

describe('notes', () => {
  it('name the run, quoted for a shell if necessary', () => {
    const summary = createSummary({ baseline: null })
    const notes = createReport(summary.result(), { run: "results/it's mine" }).methods.notes
    expect(notes.at(-1)?.commands).toMatchSnapshot()
  })

  it('do not mention simulation in a live report, and claim nothing', () => {
    const text = formats.text.render(report([aRecord(), aRecord({ method: 'b' })], { baseline: 'b' }))
    expect(text).not.toMatch(/simulated/)
    expect(text).not.toMatch(/\bp ?[=<]|significant/)
    expect(text).toContain('estimates without intervals or tests')
  })

  it('name a baseline and methods without a trial', () => {
    const text = formats.text.render(report([aRecord()], { baseline: 'b', methods: ['a', 'b'] }))
    expect(text).toContain('The baseline b has no trial here')
    expect(text).toContain('No trial yet: b.')
  })
})

it('Markdown keeps a cell in its cell, whatever the label', () => {
  const method = 'a|b*c*<img>`x`[l](http://x)_y_'
  const line = formats.markdown
    .render(report([aRecord({ method })]))
    .split('\n')
    .findLast((row) => row.startsWith('| a'))
  expect(line).toContain('a\\|b\\*c\\*\\<img\\>\\`x\\`[l]\\(http://x)\\_y\\_')
  // Unescaped bars: one before each cell and one at the end.
  expect(line?.match(/(?<!\\)\|/g)).toHaveLength(13)
})

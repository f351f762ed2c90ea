import { expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { agentContexts, type TrialContext } from '../../../src/analysis/workflow/contexts.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { machineSection } from '../../../src/reports/workflow/section.ts'
import { aRecord } from '../../analysis/records.ts'
import { machineRecord } from '../../helpers/fanout/machine-records.ts'

const context = (role: string, used: number | null, window: number | null): TrialContext => ({
  ...{ method: 'f', set: null, role, agent: 'scripted', used, window },
  source: window === null ? null : 'setting',
})

function rendered(format: FormatName, part: 'whole' | 'sections' = 'whole') {
  const summary = createSummary({ baseline: 'b' })
  for (const task of ['s/1', 's/2'])
    summary.add(aRecord({ method: 'f', task, state: { machine: machineRecord() } }))
  summary.add(aRecord({ method: 'b' }))
  const result = summary.result()
  const windows = agentContexts([context('a', 700, 1000), context('a', 950, 1000), context('b', 10, null)])
  const section = machineSection(result, windows)
  const sections = section ? [section] : []
  return formats[format].render(createReport(result, { run: 'results/r1', sections }), { part })
}

it('tables for people show states, transitions, paths, scores with agreement, windows and outputs', () => {
  expect(rendered('text', 'sections')).toMatchInlineSnapshot(`
    "Workflows: states
    method  state  type            trials  visits  some failed  all failed  tokens     cost    time
                                                        visits      visits  /visit   /visit  /visit
    ------  -----  --------------  ------  ------  -----------  ----------  ------  -------  ------
    f       start  initial              2       2            0           0       0       $0   0.0 s
    f       draft  fan-out              2       4            2           0     240  $0.0200   2.0 s
    f       audit  fan-out              2       4            0           0     240  $0.0200   2.0 s
    f       check  single               2       2            0           0     120  $0.0100   2.0 s
    f       ok     human-approval       2       2            0           0       0       $0   0.0 s
    f       end    terminal             2       2            0           0       0       $0   0.0 s

    Workflows: transitions
    method  from   result           to     taken      in
                                           times  trials
    ------  -----  ---------------  -----  -----  ------
    f       start  next             draft      2       2
    f       draft  partial_success  audit      2       2
    f       audit  all_success      check      2       2
    f       check  retry            draft      2       2
    f       draft  all_success      audit      2       2
    f       audit  all_success      ok         2       2
    f       ok     approved         end        2       2

    Workflows: scores by criterion
    method  criterion     mean  scores  auditors            spread  agreement  compared
                       1 to 10                    highest - lowest      alpha   outputs
    ------  ---------  -------  ------  --------  ----------------  ---------  --------
    f       clarity        6.8       8         2               1.5       0.70         4

    Workflows: context windows
    method  agent  answered by  largest prompt       window  used  health
                                        tokens       tokens     %
    ------  -----  -----------  --------------  -----------  ----  ---------
    f       a      scripted                950  1,000 (set)  95.0  above 90%
    f       b      scripted                 10      unknown     -  unknown

    Workflows: what was handed in
    method  task          output       words  begins
    ------  ------------  -----------  -----  --------------------
    f       s/1, epoch 1  drafts/a.md     12  The first words of a
    f       s/2, epoch 1  drafts/a.md     12  The first words of a

    - f, path of 2 trials: start > draft > audit > check > draft > audit > ok > end.
    - Agreement is Krippendorff's alpha for intervals over the outputs that several auditors scored: 1
      is perfect, 0 is chance, below 0 is less than chance. From 0.8 on scores are usually called
      reliable.
    - f/a: context window above 90%. Shorten the conversation with a summary, or begin a new session.
    - f/b: context window unknown. The window is unknown; set the agent's \`window\` in the config file.
    - A window's use is the largest prompt that the agent got in any trial, caches included.
    "
  `)
})

it('a note of the table of methods sums up ends, failures, breaks and decisions', () => {
  expect(rendered('text').replace(/\n {2}/g, ' ')).toContain(
    'f: 2 trials of workflows of states, ended: done 2; 2 of 18 runs of agents failed (2 ran out of time); only some of its agents failed in 2 visits; rules that broke: state_visits 2; decisions of the orchestrator: proceed 2 (60 tokens, cost $0.00200, in no visit); verdicts of gates: retry 2; guidance from: gate 2; approvals: approved 2.',
  )
  expect(rendered('text')).not.toContain('b: 1 trial of workflows of states')
})

it('JSON has the sums by method and the windows, CSV the counts of each method', () => {
  const { methods, contextWindows } = JSON.parse(rendered('json'))
  expect(methods.map(({ machine }: { machine: unknown }) => machine !== null)).toEqual([true, false])
  expect(contextWindows).toMatchObject([
    { role: 'a', used: 950, window: 1000, percent: 95, level: 'critical', trials: 2 },
    { role: 'b', used: 10, window: null, level: 'unknown' },
  ])
  const [head = '', line = ''] = rendered('csv').split('\n')
  const values = Object.fromEntries(head.split(',').map((name, place) => [name, line.split(',')[place]]))
  expect(values).toMatchObject({
    'state_visits (per trial)': '8',
    'circuit_breaks (count)': '2',
    'orchestrator_decisions (count)': '2',
    'partial_failures (visits)': '2',
  })
  expect(rendered('csv', 'sections').split('\n')[1]).toContain('f,start,false,2,2,0,0,0,0,0')
})

it('a run without workflows of states has no such section', () => {
  const summary = createSummary({ baseline: null })
  summary.add(aRecord({}))
  expect(machineSection(summary.result(), [])).toBeUndefined()
})

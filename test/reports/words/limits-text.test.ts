import { expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { limitsText } from '../../../src/reports/words/limit-text.ts'
import { manifest } from '../../helpers/runs/run-files.ts'

const live = { mode: 'live', simulated: false } as const
const given = {
  limits: { calls: 60, checks: 1 },
  methods: manifest.methods.map((method, at) =>
    at === 0 ? { ...method, limits: { tokens: 5000 } } : method,
  ),
  askLimits: { timeMs: 60_000 },
  budgets: { run: { costUsd: 20 }, methods: { slow: { calls: 10 } } },
}
const limits = limitsText({ ...given, ...live })

it('the text of limits names those of trials, of one method, of asks, of the run and its methods', () => {
  expect(limits).toBe(
    `each trial 60 calls, 1 check; each trial of ${manifest.methods[0]?.label} 5,000 tokens; each ask 60.0 s; run $20.00; method slow 10 calls`,
  )
  expect(limitsText({ limits: {}, methods: [], ...live })).toBe('')
})

it('only the dollars of a run in which nobody is paid are marked as simulated', () => {
  const marked = limits.replace('$20.00', '$20.00 (simulated)')
  expect(limitsText({ ...given, mode: 'dev', simulated: true })).toBe(marked)
  // Beside the simulated agents of a live run there may be paid ones.
  expect(limitsText({ ...given, mode: 'live', simulated: true })).toBe(limits)
})

it('limits are in a note below the table', () => {
  const summary = createSummary({ baseline: null, methods: ['baseline'] }).result()
  const table = (options: object) => formats.markdown.render(createReport(summary, { run: 'r', ...options }))
  expect(table({ limits })).toContain(`- Limits of the run: ${limits}.`)
  expect(table({})).not.toContain('Limits')
})

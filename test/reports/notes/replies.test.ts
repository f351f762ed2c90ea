import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { servedWarnings } from '../../../src/reports/notes/conduct-notes.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport, type Report } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { solves } from '../../analysis/compare/compared.ts'

/** The report of eight trials of `m` with this change, and of eight trials of `n`. */
function reportOf(change: Partial<TrialRecord>, times = 2): Report {
  const summary = createSummary({ baseline: null, methods: ['m', 'n'] })
  for (const [i, record] of solves('m', 4, 8).entries())
    summary.add(i < times ? { ...record, ...change } : record)
  for (const record of solves('n', 4, 8)) summary.add(record)
  return createReport(summary.result(), { run: 'r' })
}

const textOf = (report: Report) => formats.text.render(report).replace(/\s+/g, ' ')

it.each<[TrialRecord['finishes'], string]>([
  [{ length: 2 }, 'm: 4 of 8 calls were cut off by the output limit (length).'],
  [
    { refusal: 1, length: 1 },
    'm: 2 of 8 calls were cut off by the output limit (length), 2 were refused (refusal).',
  ],
  [{ thoughts: 1 }, 'm: 2 of 8 calls gave only thoughts (thoughts).'],
])('a note counts how replies ended: %o', (finishes, note) => {
  expect(textOf(reportOf({ finishes }))).toContain(`- ${note}`)
})

const otherModels = [{ agent: 'openai:gpt-5', model: 'gpt-5-mini', calls: 3 }]
const failed: Partial<TrialRecord> = {
  outcome: { status: 'error', reason: 'key: [agent openai:gpt-5] 401: wrong key\n\u001b[31m' },
  passed: null,
  score: null,
}

it.each<[string, Partial<TrialRecord>, string, RegExp]>([
  [
    'models that were not asked for',
    { otherModels },
    'm, openai:gpt-5: 6 of 8 calls of the method were answered by gpt-5-mini, which was not asked for.',
    /other_model_calls \(calls\),other_models/,
  ],
  [
    'trials in error with the words of the first',
    failed,
    '2 trials ended in error (key): m 2. The first: [agent openai:gpt-5] 401: wrong key\\n\\x1b[31m',
    /error_reasons/,
  ],
  [
    'trials without a sandbox',
    { sandbox: 'none' },
    'In 2 trials code or an agent ran without a sandbox',
    /unsandboxed \(trials\)/,
  ],
  ['replies that were cut off', { finishes: { length: 1 } }, '(length)', /finish_length \(calls\)/],
])('every format shows %s', (_, change, note, column) => {
  const report = reportOf(change)
  expect(textOf(report)).toContain(note)
  const letters = (text: string) => text.replace(/[^a-z0-9]/gi, '')
  for (const format of ['markdown', 'latex', 'json'] as const)
    expect(letters(formats[format].render(report).replaceAll('\\allowbreak{}', ''))).toContain(
      letters(note.replace(/\\.*/, '')),
    )
  expect(formats.csv.render(report).split('\n')[0]).toMatch(column)
  const plain = formats.csv.render(reportOf({}))
  expect(plain).not.toMatch(column)
})

it('reports without any of these say nothing of them', () => {
  const report = reportOf({})
  for (const format of ['text', 'markdown', 'csv', 'latex', 'json'] as const)
    expect(formats[format].render(report)).not.toMatch(
      /finish|not asked for|ended in error \(|without a sandbox|replies|unsandboxed/,
    )
})

it('a method whose calls tell no tokens and no cost is unknown, never free', () => {
  const spent = {
    ...{
      input: 0,
      output: 0,
      cached: 0,
      costUsd: null,
      calls: 2,
      checks: 0,
      unreportedTokens: 2,
      unreportedCost: 2,
    },
    ...{ listCostUsd: null, unknownListCost: 2 },
  }
  const report = reportOf({ spent }, 8)
  const [row] = report.methods.rows
  for (const key of [
    'tokens_text',
    'cost_text',
    'list_cost_text',
    'cost_total_text',
    'cost_per_success_text',
  ])
    expect([key, row?.[key]?.text]).toEqual([key, 'unknown'])
  for (const key of ['tokens', 'tokens_input', 'tokens_cached', 'cost', 'cost_total', 'cost_per_success'])
    expect([key, row?.[key]?.value]).toEqual([key, null])
})

it('a method of which a part is known has lower bounds', () => {
  const spent = {
    ...{
      input: 10,
      output: 5,
      cached: 0,
      costUsd: 0.1,
      calls: 2,
      checks: 0,
      unreportedTokens: 1,
      unreportedCost: 1,
    },
    ...{ listCostUsd: 0.1, unknownListCost: 1 },
  }
  const [row] = reportOf({ spent }, 8).methods.rows
  for (const key of [
    'tokens_text',
    'cost_text',
    'list_cost_text',
    'cost_total_text',
    'cost_per_success_text',
  ])
    expect([key, row?.[key]?.text]).toEqual([key, expect.stringMatching(/^>= /)])
})

describe('the model behind an agent', () => {
  const agent = 'openai:gpt-5'
  const by = (model: string, calls = 1) => ({ served: [{ agent, model, calls }] })
  const warningsOf = (changes: Readonly<Record<string, readonly Partial<TrialRecord>[]>>) => {
    const summary = createSummary({ baseline: null, methods: Object.keys(changes) })
    for (const [method, of] of Object.entries(changes))
      for (const [i, record] of solves(method, 4, of.length).entries()) summary.add({ ...record, ...of[i] })
    return servedWarnings(summary.result())
  }

  it('may have a more exact name than was asked for, in all trials', () => {
    const dated = by('gpt-5-2025-08-07')
    expect(warningsOf({ m: [dated, dated, {}], n: [dated] })).toEqual([])
  })

  it('is warned of where it changes within a row, or between two', () => {
    const [old, now] = [by('gpt-5-2025-08-07', 2), by('gpt-5-2026-05-01')]
    expect(warningsOf({ m: [old, now] })).toEqual([
      "the model behind openai:gpt-5 changed: gpt-5-2025-08-07 answered 2 calls of m; gpt-5-2026-05-01 answered 1 call of m. A difference may be the model's.",
    ])
    expect(warningsOf({ m: [old, old], n: [now] })).toEqual([
      "the model behind openai:gpt-5 changed: gpt-5-2025-08-07 answered 4 calls of m; gpt-5-2026-05-01 answered 1 call of n. A difference may be the model's.",
    ])
  })

  it('is not judged for an agent that names no model, and many names are counted', () => {
    const open = (model: string) => ({ served: [{ agent: 'ollama', model, calls: 1 }] })
    expect(warningsOf({ m: [open('a'), open('b')] })).toEqual([])
    const [text = ''] = warningsOf({ m: Array.from({ length: 150 }, (_, i) => by(`v${i}`)) })
    expect(text).toMatch(/v2 answered 1 call of m; and 97 more\. A difference/)
  })
})

import { expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { toolNotes } from '../../../src/reports/notes/conduct-notes.ts'
import { formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import type { ToolCounts, TrialRecord } from '../../../src/schema/ledger/record.ts'
import { solves } from '../../analysis/compare/compared.ts'

const counts = (calls: number, failed: number, name = 'read'): ToolCounts => ({
  ...{ calls, turns: 3, asks: 1, byName: { [name]: { calls, failed } } },
  ...(failed > 0 && { failed: { timeout: failed } }),
})
const summaryOf = (records: readonly TrialRecord[], tools: Record<string, string> = {}) => {
  const summary = createSummary({ baseline: null, methods: ['m', 'n'] })
  for (const record of records) summary.add(record)
  const result = summary.result()
  const methods = result.methods.map((row) => {
    const own = tools[row.method]
    return own === undefined ? row : { ...row, tools: own }
  })
  return { ...result, methods }
}
const withTools = (method: string, tools?: ToolCounts) =>
  solves(method, 2, 4).map((record) => ({ ...record, ...(tools && { tools }) }))

it('a report without tools has no word of them', () => {
  const summary = summaryOf([...withTools('m'), ...withTools('n')])
  expect(toolNotes(summary)).toEqual([])
  const report = createReport(summary, { run: 'r' })
  for (const format of ['text', 'markdown', 'csv', 'latex', 'json'] as const)
    expect(formats[format].render(report)).not.toMatch(/agent_tool|toolUse|"tools"|tools of its agents/)
})

it('each row says what its agents had, how often they called it, and how that ended', () => {
  const summary = summaryOf([...withTools('m', counts(4, 1)), ...withTools('n')], { m: 'read', n: 'none' })
  expect(toolNotes(summary)).toMatchSnapshot()
  const two = { ...counts(4, 2), failed: { timeout: 1, denied: 1 } }
  expect(toolNotes(summaryOf(withTools('m', two), { m: 'read' }))[0]).toMatch(
    /8 failed \(4 timeout, 4 denied\)\.$/,
  )
  const plain = { ...counts(4, 1), failed: { failed: 1 } }
  expect(toolNotes(summaryOf(withTools('m', plain), { m: 'read' }))[0]).toMatch(/ 4 failed\.$/)
  const silent = summaryOf([...withTools('m'), ...withTools('n')], { m: 'read', n: 'none' })
  expect(toolNotes(silent)[0]).toBe('m: tools of its agents: read; no call.')
})

it('a row says of each failure who failed', () => {
  const own = { ...counts(5, 0), failed: { failed: 3, timeout: 2 } }
  expect(toolNotes(summaryOf([...withTools('m', own)], { m: 'read' }))[0]).toMatch(
    /, 20 failed \(12 reported by the tool, 8 timeout\)\.$/,
  )
})

it('a tool that mostly failed is named in a sentence, but not one with few calls or few failures', () => {
  const notes = (tools: ToolCounts) =>
    toolNotes(summaryOf([...withTools('m', tools)], { m: 'read' })).slice(1)
  expect(notes(counts(4, 3))).toMatchSnapshot()
  expect(notes(counts(4, 2))).toEqual([])
  const [first] = withTools('m', counts(2, 2))
  expect(toolNotes(summaryOf(first ? [first] : [], { m: 'read' }))).toHaveLength(1)
})

it('a tool with a hostile name is counted as any other', () => {
  const tools = JSON.parse(JSON.stringify(counts(4, 4, 'x')).replace('"x"', '"__proto__"'))
  const { methods } = summaryOf(withTools('m', tools))
  expect(Object.entries(methods[0]?.toolUse?.byName ?? {})).toEqual([
    ['__proto__', { calls: 16, failed: 16 }],
  ])
})

it('CSV and JSON hold the counts of each row', () => {
  const summary = summaryOf([...withTools('m', counts(4, 1)), ...withTools('n')], { m: 'read', n: 'none' })
  const report = createReport(summary, { run: 'r' })
  const [head = '', m = '', n = ''] = formats.csv.render(report).split('\n')
  const at = head.split(',').indexOf('agent_tools')
  expect(head).toContain(
    'agent_tools,agent_tool_calls (calls),agent_tool_calls_failed (calls),agent_tool_turns (turns per ask that called tools)',
  )
  expect(at).toBeGreaterThan(0)
  expect(m).toContain(',read,16,4,3,')
  expect(n).toContain(',none,0,0,,')
  expect(JSON.parse(formats.json.render(report)).methods[0]).toMatchObject({
    ...{ tools: 'read', toolUse: { trials: 4, calls: 16, turns: 12, asks: 4, failed: { timeout: 4 } } },
  })
})

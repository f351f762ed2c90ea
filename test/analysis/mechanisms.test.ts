import { expect, it } from 'vitest'
import { machineRecord } from '../helpers/fanout/machine-records.ts'
import { rowOf, summarize } from '../helpers/runs/summaries.ts'
import { aRecord } from './records.ts'

const mechanismsOf = (...records: Parameters<typeof aRecord>[0][]) =>
  rowOf(summarize(records.map((record, at) => aRecord({ epoch: at + 1, ...record }))), 'a').mechanisms
const totals = (shortened: number, before: number, after: number) => ({
  state: { summaryTotals: { summaries: 4, shortened, before, after, tokenizer: 't' } },
})
const vote = (...classes: number[]) => ({
  state: { agreement: { voted: classes.reduce((sum, one) => sum + one, 0), classes, share: 1, pairs: 1 } },
})

it('summaries are those that shortened, of all, with their tokens', () => {
  expect(mechanismsOf(totals(1, 100, 40), totals(0, 70, 70))).toEqual({
    summaries: { chances: 8, acted: 1, tokens: { before: 170, after: 110 } },
  })
})

it('a vote acts where the voters differ; one voter holds none', () => {
  expect(mechanismsOf(vote(3), vote(2, 1), vote(1))).toEqual({ votes: { chances: 2, acted: 1 } })
})

it('a cascade acts where it asks its next step', () => {
  const cascade = (...accepted: boolean[]) => ({
    state: { cascade: { decisions: accepted.map((one) => ({ after: 'step-2', accepted: one, why: '' })) } },
  })
  expect(mechanismsOf(cascade(true), cascade(false, true), cascade())).toEqual({
    escalations: { chances: 3, acted: 1 },
  })
})

it('revisions are what the record counts', () => {
  expect(
    mechanismsOf({ revisions: { asks: 3, changed: 2 } }, {}, { revisions: { asks: 1, changed: 0 } }),
  ).toEqual({ revisions: { chances: 4, acted: 2 } })
})

it('a gate acts where it does not say proceed, and a breaker in a trial with a break', () => {
  const machine = machineRecord()
  const gates = machine.gates.length
  const sent = machine.gates.filter(({ decision }) => decision !== 'proceed').length
  const calm = machineRecord({ breaks: [], gates: [] })
  expect(mechanismsOf({ state: { machine } }, { state: { machine: calm } })).toEqual({
    gates: { chances: gates, acted: sent },
    breakers: { chances: 2, acted: 1 },
  })
  expect(sent).toBeGreaterThan(0)
})

it('a method without mechanisms has none, and neither has a missing trial or a state of another form', () => {
  expect(mechanismsOf({})).toBeUndefined()
  expect(mechanismsOf({ ...totals(1, 2, 1), status: 'error' })).toBeUndefined()
  const own = { summaryTotals: 'many', agreement: { voted: 'all' }, machine: 3 }
  expect(mechanismsOf({ state: own })).toBeUndefined()
})

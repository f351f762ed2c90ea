import { expect, it } from 'vitest'
import {
  addTrial,
  duration,
  type ProgressState,
  progressText,
} from '../../../src/commands/terminal/progress-text.ts'
import { noWork } from '../../../src/commands/terminal/time-left.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'

const begun = (more: Partial<ProgressState> = {}): ProgressState => ({
  ...{ trials: 240, done: 0, before: 0, startedAt: 0, rows: new Map(), simulated: false, costUsd: 0 },
  ...{ atLeast: false, maxCostUsd: undefined, dollarMark: '', preparing: new Map(), tasks: 0, last: '' },
  tries: true,
  work: noWork(),
  ...more,
})

const ended = (method: string, passed: boolean | null, costUsd: number | null, simulated = false) =>
  ({
    ...{ method, task: 'answers/count', passed, simulated, outcome: { status: 'completed' } },
    spent: { costUsd },
    wall: { ms: 1500 },
  }) as TrialRecord

/** A live run after 60 of 240 trials of two methods, a minute and a half after its start. */
function live(more: Partial<ProgressState> = {}): ProgressState {
  const state = begun(more)
  for (let done = 1; done <= 60; done++)
    addTrial(state, ended(done % 2 ? 'review' : 'baseline', done % 3 > 0, 0.02), done)
  return state
}

it('the line says how long the rest takes, and what was spent of the limit', () => {
  expect(progressText(live({ maxCostUsd: 5 }), 90_000, 200)).toMatchSnapshot()
})

it('the line counts what earlier sessions did and spent', () => {
  const state = begun({ done: 180, before: 180, costUsd: 3, maxCostUsd: 5 })
  for (let done = 181; done <= 210; done++) addTrial(state, ended('baseline', true, 0.01), done)
  expect(progressText(state, 30_000, 80)).toMatchSnapshot()
})

it('the line shows passed trials by method of a simulated run only, since a look at a live run counts', () => {
  const state = begun()
  addTrial(state, ended('baseline', true, 0.01, true), 1)
  addTrial(state, ended('review', false, 0.01, true), 2)
  expect(progressText(state, 1000, 200)).toMatch(/ {2}baseline 1\/1, review 0\/1$/)
  expect(progressText(state, 1000, 200)).not.toContain('$')
  expect(progressText(live(), 90_000, 200)).not.toMatch(/(baseline|review) \d+\/\d+/)
})

it('the line says which task is prepared and what is done with it, as long as the width allows', () => {
  const state = live({ preparing: new Map([['answers/ferry', 7]]), tasks: 20 })
  expect(progressText(state, 90_000, 200)).toContain(
    '  preparing task 7 of 20 (answers/ferry): trying out wrong solutions for the simulated agents, once',
  )
  expect(progressText(state, 90_000, 78)).toMatchSnapshot()
})

it('the line knows no time left after a few trials, and says where calls have no price', () => {
  const state = begun()
  addTrial(state, ended('baseline', null, null), 1)
  expect(progressText(state, 60_000, 80)).toMatchSnapshot()
})

it.each([0, 1, 10, 40, 59, 60, 79, 80, 119, 120])('the line is never over %i columns', (width) => {
  for (const state of [
    live({ maxCostUsd: 5, preparing: new Map([['answers/ferry', 7]]), tasks: 20 }),
    live({ before: 3 }),
    begun(),
  ])
    expect(progressText(state, 90_000, width).length).toBeLessThanOrEqual(width)
})

it.each([
  [0, '0 s'],
  [119_000, '119 s'],
  [720_000, '12 min'],
  [11_520_000, '3.2 h'],
])('%i ms are %s', (ms, text) => expect(duration(ms)).toBe(text))

import { describe, expect, it } from 'vitest'
import { type ShowFlags, viewOf } from '../../../src/commands/show/show-flags.ts'
import {
  filterText,
  findMethodName,
  findTaskName,
  isShown,
  type TrialFilter,
} from '../../../src/commands/show/trial-filter.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { aRecord } from '../../analysis/records.ts'

describe('the flags of bench show', () => {
  it.each<[string, string | undefined, ShowFlags]>([
    ['overview', undefined, {}],
    ['overview', undefined, { failed: true, method: 'a', task: 't' }],
    ['overview', undefined, { failed: true, json: true }],
    ['trial', 'abc', { full: true }],
    ['tables', 'abc', { tokens: true, json: true }],
    ['pair', undefined, { task: 't', methods: 'a,b', full: true }],
  ])('choose the %s', (view, trial, flags) => {
    expect(viewOf(trial, flags)).toBe(view)
  })

  it.each<[string, string | undefined, ShowFlags]>([
    ['[--methods] requires --task', undefined, { methods: 'a,b' }],
    ['[--methods] conflicts with --failed', undefined, { methods: 'a,b', task: 't', failed: true }],
    ['[--methods] conflicts with --method', undefined, { methods: 'a,b', task: 't', method: 'a' }],
    ['[--methods] conflicts with --tokens', undefined, { methods: 'a,b', task: 't', tokens: true }],
    ['[--methods] conflicts with a trial, abc', 'abc', { methods: 'a,b', task: 't' }],
    ['[--failed] conflicts with a trial, abc', 'abc', { failed: true }],
    ['[--method] conflicts with --breaks', undefined, { method: 'a', breaks: true }],
    ['[--full] conflicts with --tokens', undefined, { full: true, tokens: true }],
  ])('%s', (message, trial, flags) => {
    expect(() => viewOf(trial, flags)).toThrow(message)
  })
})

describe('the filter of trials', () => {
  const failed = aRecord({ passed: false, method: 'a', task: 's/t' })
  const missing: TrialRecord = {
    ...aRecord({ passed: null, method: 'a' }),
    outcome: { status: 'error', reason: 'x' },
  }
  it.each<[boolean, TrialRecord, TrialFilter]>([
    [true, failed, { failed: true }],
    [true, missing, { failed: true }],
    [false, aRecord({ passed: true }), { failed: true }],
    [false, aRecord({ passed: null }), { failed: true }],
    [true, failed, { failed: true, method: 'a', task: 's/t' }],
    [false, failed, { failed: true, method: 'b', task: 's/t' }],
    [true, aRecord({ method: 'a', agentSet: 'x' }), { method: 'a' }],
    [true, aRecord({ method: 'a', agentSet: 'x' }), { method: 'a@x' }],
    [false, aRecord({ method: 'a', agentSet: 'y' }), { method: 'a@x' }],
  ])('shows a trial that fits all of it (%s)', (shown, record, filter) => {
    expect(isShown(record, filter)).toBe(shown)
  })

  it('is told in words', () => {
    expect(filterText({ failed: true, method: 'a', task: 's/t' })).toMatchSnapshot()
  })
})

describe('names of a run', () => {
  const manifest = {
    tasks: ['code/sum', 'code/cell-sheet', 'more/sum'].map((ref) => ({ ref, digest: '' })),
    methods: ['baseline', 'consensus'].map((label) => ({ label })),
    agents: {},
    agentSets: ['x', 'y'].map((label) => ({ label, agents: {} })),
  } as unknown as RunManifest

  it('are found whole or by their last part, and others are refused with what is near', () => {
    expect(findTaskName('code/sum', manifest, 'r')).toBe('code/sum')
    expect(findTaskName('cell-sheet', manifest, 'r')).toBe('code/cell-sheet')
    expect(() => findTaskName('sum', manifest, 'r')).toThrow('Write one of code/sum, more/sum')
    expect(() => findTaskName('cell-shet', manifest, 'r')).toThrow('Did you mean "cell-sheet"?')
    expect(() => findTaskName('zzz', manifest, 'r')).toThrow('See bench show r.')
    expect(findMethodName('--method', 'baseline', manifest, { run: 'r' })).toBe('baseline')
    expect(findMethodName('--method', 'baseline@x', manifest, { run: 'r' })).toBe('baseline@x')
    expect(() => findMethodName('--methods', 'baseline', manifest, { run: 'r', one: true })).toThrow(
      'Write one of baseline@x, baseline@y.',
    )
    expect(() => findMethodName('--method', 'basline', manifest, { run: 'r' })).toThrow(
      'Did you mean "baseline"?',
    )
  })
})

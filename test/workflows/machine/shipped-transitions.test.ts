import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { castOf, type Part, playFanout, silence } from '../../helpers/fanout/cast.ts'

// An agent that fails is asked a second time, since the shipped workflows set `retry_count: 1`.
const failsOnce =
  (state: string, ...roles: string[]): Part =>
  (now, role, asked) =>
    now === state && asked <= 2 && (roles.length === 0 || roles.includes(role)) ? silence : undefined

const verdict =
  (state: string, decision: 'retry' | 'halt'): Part =>
  (now, _, asked) =>
    now === state && asked === 1
      ? { decision, quality_score: 3, retry_guidance: 'Name the number.' }
      : undefined

/** All agents fail when they draft again. Where nobody ever answered, the trial ends in error: no method can help that. */
const failsAgain: Part = (state, role, asked, request) =>
  state === 'draft' && asked > 1 ? silence : verdict('draft-check', 'retry')(state, role, asked, request)

/** The table of transitions of the pipeline: what happens, and where it leads. */
const table: [from: string, to: string, when: string, part: Part, workflow?: string][] = [
  ['start: next', 'draft', 'the task exists', () => undefined],
  ['draft: all_success', 'cross-audit', 'all agents write', () => undefined],
  ['draft: partial_success', 'cross-audit', 'one agent fails', failsOnce('draft', 'ben')],
  ['draft: all_failure', 'halt', 'all agents fail', failsAgain, 'post-gates'],
  ['cross-audit: all_success', 'synthesize', 'all agents audit', () => undefined],
  ['cross-audit: partial_success', 'synthesize', 'two audits fail', failsOnce('cross-audit', 'ada', 'cleo')],
  ['cross-audit: all_failure', 'draft', 'all audits fail', failsOnce('cross-audit')],
  ['synthesize: success', 'final-audit', 'the post is written', () => undefined],
  ['synthesize: failure', 'cross-audit', 'the orchestrator fails', failsOnce('synthesize')],
  ['final-audit: all_success', 'final-analysis', 'all agents audit the post', () => undefined],
  ['final-audit: partial_success', 'final-analysis', 'one fails', failsOnce('final-audit', 'cleo')],
  ['final-audit: all_failure', 'synthesize', 'all fail', failsOnce('final-audit')],
  ['final-analysis: success', 'complete', 'the analysis is written', () => undefined],
  ['final-analysis: failure', 'final-audit', 'the analysis fails', failsOnce('final-analysis')],
  ['draft-check: proceed', 'cross-audit', 'the gate lets through', () => undefined, 'post-gates'],
  ['draft-check: retry', 'draft', 'the gate sends back', verdict('draft-check', 'retry'), 'post-gates'],
  ['draft-check: halt', 'halt', 'the gate halts', verdict('draft-check', 'halt'), 'post-gates'],
  ['audit-check: proceed', 'synthesize', 'the gate lets through', () => undefined, 'post-gates'],
  ['audit-check: retry', 'cross-audit', 'it sends back', verdict('audit-check', 'retry'), 'post-gates'],
  ['audit-check: halt', 'halt', 'it halts', verdict('audit-check', 'halt'), 'post-gates'],
  ['synth-check: proceed', 'final-audit', 'the gate lets through', () => undefined, 'post-gates'],
  ['synth-check: retry', 'synthesize', 'it sends back', verdict('synth-check', 'retry'), 'post-gates'],
  ['synth-check: halt', 'halt', 'it halts', verdict('synth-check', 'halt'), 'post-gates'],
]

/** The outputs as they were written last, one a path. */
const lastFiles = ({ visits }: MachineRecord) => {
  const written = visits.flatMap(({ runs }) => runs.flatMap(({ output }) => (output ? [output] : [])))
  return [...new Map(written.map((output) => [output.path, output])).values()]
}

describe('a shipped workflow', () => {
  it.each(table)('goes by `%s` to %s when %s', async (from, to, _, part, workflow = 'post') => {
    const { path, record, machine, outputs } = await playFanout(workflow, castOf(part))
    const at = path.indexOf(from)
    expect(path).toContain(from)
    expect(path[at + 1]?.split(':')[0]).toBe(to)
    expect(machine.ended).toBe(to === 'halt' ? 'halt' : 'complete')
    expect(record.fidelity).toEqual({ status: 'kept' })
    // An agent that failed is asked for nothing that its state would show: only who gave something is there.
    const { runs = [] } = machine.visits.find(({ state, result }) => `${state}: ${result}` === from) ?? {}
    for (const { status, output } of runs) expect(output === undefined).toBe(status !== 'done')
    expect(lastFiles(machine).length).toBeGreaterThan(0)
    for (const { path: file, sha256 } of lastFiles(machine))
      expect(
        createHash('sha256')
          .update(readFileSync(outputs(file)))
          .digest('hex'),
        file,
      ).toBe(sha256)
  })

  it('tells the guidance of a gate to the next visit of the state, once', async () => {
    const prompts: string[] = []
    const part: Part = (state, role, asked, { prompt }) => {
      if (state === 'draft' && role === 'ada') prompts.push(prompt)
      return state === 'draft-check' && asked < 3
        ? { decision: 'retry', quality_score: 3, retry_guidance: `Guidance ${asked}.` }
        : undefined
    }
    const { machine } = await playFanout('post-gates', castOf(part))
    expect(prompts.map((prompt) => /Guidance \d/.exec(prompt)?.[0])).toEqual([
      ...[undefined, 'Guidance 1', 'Guidance 2'],
    ])
    expect(machine.breaks.map(({ rule }) => rule)).toContain('state_visits')
  })

  it('never names an agent that gave nothing', async () => {
    const later: string[] = []
    const part: Part = (state, role, asked, { prompt }) => {
      if (state !== 'draft' && role !== 'ben') later.push(prompt)
      return failsOnce('draft', 'ben')(state, role, asked, {} as never)
    }
    const { machine } = await playFanout('post', castOf(part))
    expect(machine.visits.find(({ state }) => state === 'draft')?.result).toBe('partial_success')
    expect(later.length).toBeGreaterThan(3)
    for (const prompt of later.slice(0, 2)) expect(prompt).not.toMatch(/\bben\b/)
  })
})

describe('the approval of a person', () => {
  const approval = (decision: 'approved' | 'feedback' | 'abort', feedback = '') => ({ decision, feedback })

  it('completes the workflow', async () => {
    const { path } = await playFanout('post-approval', castOf(), [approval('approved')])
    expect(path.slice(-2)).toEqual(['approval: approved', 'complete'])
  })

  it('sends the post back with feedback, which the orchestrator reads once', async () => {
    const prompts: string[] = []
    const part: Part = (state, _, __, { prompt }) => {
      if (state === 'synthesize') prompts.push(prompt)
      return undefined
    }
    const answers = [approval('feedback', 'Say what the screen showed.'), approval('approved')]
    const { path, machine } = await playFanout('post-approval', castOf(part), answers)
    expect(path[path.indexOf('approval: feedback') + 1]).toBe('synthesize: success')
    expect(path.at(-1)).toBe('complete')
    expect(prompts.map((prompt) => prompt.includes('Say what the screen showed.'))).toEqual([false, true])
    expect(machine.guidance).toMatchObject([{ state: 'synthesize', from: 'approval', visit: 2 }])
  })

  it('ends the workflow', async () => {
    const { path, record } = await playFanout('post-approval', castOf(), [approval('abort')])
    expect(path.slice(-2)).toEqual(['approval: abort', 'halt'])
    expect(record.outcome.status).toBe('cancelled')
  })
})

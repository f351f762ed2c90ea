import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureCoordination, spendingKinds } from '../../../src/analysis/coordination/trial-coordination.ts'
import type { AskStep, CheckStep, Step } from '../../../src/schema/ledger/step.ts'

const finding = 'the parser drops the last line of a file'
const request = 'Repair the parser so that it keeps every line.'
const preamble = `# Task\n${request}\n\n# What to hand in\nThe file.\n`

function ask(key: string, change: Partial<AskStep> = {}): AskStep {
  return {
    ...{ trial: 't', key, attempt: 1, kind: 'ask', payer: 'method', hash: 'h', at: 0, durationMs: 1000 },
    ...{ role: 'coder', work: 'produce', agent: 'a', simulated: false, prompt: preamble, reply: 'ok' },
    ...{ tokens: { input: 100, output: 20, cached: 0 }, costUsd: 0.01, waitMs: 0 },
    ...change,
  } as AskStep
}

const measure = (...steps: Step[]) => measureCoordination(steps, () => null)

describe('coordination of a trial', () => {
  it('finds a reply in a later prompt of another agent, and measures how much of it is there', () => {
    const reply = `1. ${finding}\n2. ${'it never closes its input'}\n`
    const measured = measure(
      ask('#0', { role: 'auditor', work: 'judge', prompt: `Audit.\n${request}`, reply }),
      ask('#1', { at: 1000, prompt: `${preamble}\n## findings\n- ${finding}` }),
    )
    expect(measured).toMatchObject({ messages: 1, requestKept: 1 })
    expect(measured.messageKept).toBeCloseTo(
      finding.length / (finding.length + 'it never closes its input'.length),
    )
    // Of the coder's input, the share that is the auditor's words.
    expect(measured.byKind['hand-off']).toBeGreaterThan(20)
    expect(measured.byKind['hand-off'] + measured.byKind.work).toBeCloseTo(120)
    expect(measured.byKind.judging).toBe(120)
  })

  it('finds a reply in JSON whose strings are in a later prompt without the braces', () => {
    const reply = JSON.stringify({ compliance: 0.5, violations: [{ id: 'R1', text: finding }] })
    const measured = measure(
      ask('#0', { role: 'auditor', work: 'judge', prompt: 'Audit.', reply }),
      ask('#1', { at: 1000, prompt: `${preamble}\n- ${finding}` }),
    )
    expect(measured).toMatchObject({ messages: 1, messageKept: 1 })
  })

  it("counts neither the task's own words nor an agent's own replies as messages", () => {
    const measured = measure(
      ask('#0', { reply: `I will: ${request}\n${request}\n${finding}` }),
      ask('#1', { at: 1000, prompt: `${preamble}\n## last reply\n${finding}` }),
      ask('#2', { at: 2000, role: 'judge', work: 'judge', prompt: request }),
    )
    expect(measured).toMatchObject({ messages: 0, messageKept: null })
  })

  it('counts a parallel worker of the same role as another agent', () => {
    const measured = measure(
      ask('a#0', { reply: finding }),
      ask('b#0', { reply: 'something else entirely' }),
      ask('b#1', { at: 1000, prompt: `${preamble}\n${finding}` }),
    )
    expect(measured.messages).toBe(1)
  })

  it('counts repairs and retries separately from the work, and votes separately from judging', () => {
    const measured = measure(
      ask('#0', { work: 'judge', role: 'judge' }),
      ask('#0', { attempt: 2, repair: true, work: 'judge', role: 'judge' }),
      ask('#1', { at: 2000, purpose: 'vote', work: 'judge', role: 'judge' }),
      ask('#2', { at: 3000, work: 'summarise', role: 'writer' }),
      ask('#3', { at: 4000, work: 'decide', role: 'boss' }),
    )
    expect(measured.byKind).toEqual({
      ...{ work: 0, 'hand-off': 0, summary: 120, vote: 120, judging: 120, orchestration: 120, repair: 120 },
    })
    expect(measured).toMatchObject({ calls: 5, turns: 4 })
  })

  it('measures the longest chain beside the total work, and how a context grows', () => {
    const check: CheckStep = {
      ...{ trial: 't', key: '#1', attempt: 1, kind: 'check', payer: 'method', hash: 'h', at: 3000 },
      ...{ durationMs: 500, status: 'none', passed: 0, total: 0, output: '' },
    }
    const measured = measure(
      ask('a#0', { durationMs: 2000 }),
      ask('b#0', { durationMs: 3000 }),
      check,
      ask('#2', { at: 3500, tokens: { input: 300, output: 1, cached: 0 } }),
    )
    expect(measured).toMatchObject({ workMs: 6500, pathMs: 4500, checks: 1 })
    expect(measured.context.get('coder')).toEqual({ asks: 3, first: 100, last: 300, peak: 300 })
  })

  it('counts the prompts that hold the request, and what a summary lost', () => {
    const measured = measureCoordination(
      [
        ask('#0'),
        ask('#1', {
          role: 'writer',
          work: 'summarise',
          prompt: 'Shorten.\n\n## text\nkeep R1 and R2',
          reply: 'R1',
        }),
      ],
      (text, summary) => {
        expect([text, summary]).toEqual(['\n## text\nkeep R1 and R2', 'R1'])
        return 0.5
      },
    )
    expect(measured).toMatchObject({ requestKept: 0.5, summaryLost: 0.5 })
  })

  it('leaves out grading and voided steps', () => {
    expect(measure(ask('#0', { payer: 'void' }), ask('grade#0', { payer: 'grading' }))).toMatchObject({
      calls: 0,
      tokens: 0,
    })
  })

  it('splits exactly the reported tokens, whatever the replies contain', () => {
    const steps = fc.array(
      fc.record({
        role: fc.constantFrom('a', 'b', 'c'),
        work: fc.constantFrom('produce', 'judge', 'summarise', 'decide' as const),
        branch: fc.constantFrom('', 'x', 'y'),
        at: fc.nat(10_000),
        durationMs: fc.nat(1000),
        lines: fc.array(fc.constantFrom(finding, request, 'a line that several of them say', 'short'), {
          maxLength: 4,
        }),
        said: fc.array(fc.constantFrom(finding, 'a line that several of them say', '{"text":"x"}'), {
          maxLength: 3,
        }),
        input: fc.option(fc.nat(1000)),
        repair: fc.boolean(),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(steps, (made) => {
        const measured = measure(
          ...made.map(({ branch, lines, said, input, repair, ...rest }, i) =>
            ask(`${branch}#${i}`, {
              ...{ ...rest, prompt: lines.join('\n'), reply: said.join('\n') },
              tokens: { input, output: 5, cached: null },
              ...(repair && { repair: true as const }),
            }),
          ),
        )
        const parts = spendingKinds.map((kind) => measured.byKind[kind])
        expect(parts.every((part) => part >= 0)).toBe(true)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(measured.tokens, 6)
        expect(measured.messageKept ?? 0).toBeLessThanOrEqual(1)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../src/strategy.ts'
import { AgentError, LimitError } from '../../src/text/errors.ts'
import { estimateTokens } from '../../src/text/token-estimate.ts'
import { type AskSummary, createSummariser } from '../../src/workflows/summary.ts'

const filler = 'It should be noted that everything is to be done with the usual care and attention to detail.'
const contract = Array.from(
  { length: 10 },
  (_, i) => `R${i + 1}: rule${i + 1}Check in src/rule${i + 1}.mjs\n${filler}`,
).join('\n')
const allFacts = Array.from(
  { length: 10 },
  (_, i) => `R${i + 1} src/rule${i + 1}.mjs rule${i + 1}Check`,
).join(', ')
const fewFacts = 'R1 and R2 matter.'
const target = 200

/** A summariser whose agent gives these replies in turn; an Error is thrown. */
function scripted(replies: (string | Error)[], summarizer: 'agent' | 'extractive' = 'agent') {
  const asked: { prompt: string; context: Record<string, string> }[] = []
  const notes: TraceEvent[] = []
  const ask: AskSummary = async (prompt, context) => {
    asked.push({ prompt, context })
    const reply = replies[asked.length - 1]
    if (reply === undefined) throw new Error('one ask too many')
    if (reply instanceof Error) throw reply
    return reply
  }
  const note = (event: TraceEvent) => void notes.push(event)
  return { asked, notes, ...createSummariser(ask, { summarizer, recall: 0.8, note }) }
}

describe('a summary', () => {
  it('is the text itself, without an ask, when that is within the target', async () => {
    const { summarise, measured, asked } = scripted([])
    expect(await summarise('contract', 'R1: short.', 5)).toBe('R1: short.')
    expect(asked).toEqual([])
    expect(measured).toMatchObject([
      { how: 'unchanged', before: 3, after: 3, reductionPercent: 0, recall: 1 },
    ])
  })

  it('is the agent’s when that keeps the facts, and is measured', async () => {
    const { summarise, measured, asked, notes } = scripted([allFacts])
    expect(await summarise('contract', contract, target)).toBe(allFacts)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.prompt).toContain('at most 200 tokens')
    expect(asked[0]?.context).toEqual({ text: contract })
    const before = estimateTokens(contract)
    const after = estimateTokens(allFacts)
    const reductionPercent = Number((100 * (1 - after / before)).toFixed(1))
    const measure = { kind: 'contract', before, after, reductionPercent, recall: 1, how: 'agent' }
    expect(measured).toEqual([{ ...measure, tokenizer: 'estimate: 4 characters a token' }])
    expect(notes).toMatchObject([{ type: 'summary', ...measure }])
  })

  it('is repaired once, with the lost facts named', async () => {
    const { summarise, measured, asked } = scripted([fewFacts, allFacts])
    expect(await summarise('contract', contract, target)).toBe(allFacts)
    expect(asked[1]?.context.summary).toBe(fewFacts)
    const missing = asked[1]?.context['missing facts']?.split('\n')
    expect(missing).toContain('R3')
    expect(missing).toContain('src/rule1.mjs')
    expect(missing).not.toContain('R1')
    expect(measured).toMatchObject([{ how: 'repaired', recall: 1 }])
  })

  it('is extracted without a model when the repair loses the facts, too', async () => {
    const { summarise, measured, asked, totals } = scripted([fewFacts, fewFacts])
    const summary = await summarise('contract', contract, target)
    expect(asked).toHaveLength(2)
    expect(summary).toContain('R10: rule10Check in src/rule10.mjs')
    expect(measured).toMatchObject([{ how: 'extractive' }])
    expect(measured[0]?.recall).toBeGreaterThan(0.9)
    expect(totals()).toMatchObject({ shortened: 1, fallbacks: 1, fallbackShare: 1 })
  })

  it('is extracted when the agent gives none; limits and aborts are thrown', async () => {
    const broken = scripted([new AgentError('context-overflow', 'too long')])
    await broken.summarise('contract', contract, target)
    expect(broken.measured).toMatchObject([{ how: 'extractive' }])
    const limited = scripted([new LimitError('calls', 'no more calls')])
    await expect(limited.summarise('contract', contract, target)).rejects.toThrow('no more calls')
  })

  it('asks nobody when the option is extractive', async () => {
    const { summarise, asked, measured } = scripted([], 'extractive')
    await summarise('violations', contract, target)
    expect(asked).toEqual([])
    expect(measured).toMatchObject([{ kind: 'violations', how: 'extractive' }])
  })

  it('is not replaced by an extract that loses more', async () => {
    const text = `${'x'.repeat(1200)} R1\n${'y'.repeat(1200)} R2\n${'z'.repeat(1200)} R3`
    const { summarise, measured } = scripted(['R1 and R2.', 'R1 only.'])
    expect(await summarise('contract', text, 40)).toBe('R1 and R2.')
    expect(measured).toMatchObject([{ how: 'agent', recall: 0.6667 }])
  })

  it('is cut at a line’s end when the agent overruns the target, and measured as cut', async () => {
    const long = `${allFacts}\n${`${filler}\n`.repeat(20)}`
    const { summarise, measured } = scripted([long])
    const summary = await summarise('contract', contract, target)
    expect(estimateTokens(summary)).toBeLessThanOrEqual(target)
    expect(summary.endsWith(filler)).toBe(true)
    expect(measured[0]?.after).toBe(estimateTokens(summary))
  })
})

describe('totals of a trial', () => {
  it('add up tokens and count extracts', async () => {
    const { summarise, totals } = scripted([allFacts, fewFacts, fewFacts])
    await summarise('contract', 'short', target)
    await summarise('contract', contract, target)
    await summarise('contract', contract, target)
    const sums = totals()
    expect(sums).toMatchObject({ summaries: 3, shortened: 2, fallbacks: 1, fallbackShare: 0.5 })
    expect(sums.before).toBe(2 + 2 * estimateTokens(contract))
    expect(sums.reductionPercent).toBeCloseTo(100 * (1 - sums.after / sums.before), 1)
  })

  it('have no share when nothing had to be shortened', () => {
    expect(scripted([]).totals()).toMatchObject({ summaries: 0, fallbackShare: null, reductionPercent: 0 })
  })
})

it('a summary stays within its target and has a recall in [0, 1], for any text and agent', async () => {
  const text = fc.array(
    fc.oneof(fc.string({ maxLength: 250 }), fc.constantFrom(contract, filler, 'R1: maxRows is 5')),
  )
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      text,
      fc.integer({ min: 1, max: 300 }),
      async (lines, first, second, target) => {
        const { summarise, measured } = scripted([first.join('\n'), second.join('\n')])
        const summary = await summarise('contract', lines.join('\n'), target)
        expect(estimateTokens(summary)).toBeLessThanOrEqual(target)
        expect(measured[0]?.recall).toBeGreaterThanOrEqual(0)
        expect(measured[0]?.recall).toBeLessThanOrEqual(1)
      },
    ),
  )
})

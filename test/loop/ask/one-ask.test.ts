import { describe, expect, it } from 'vitest'
import { measureCoordination } from '../../../src/analysis/coordination/trial-coordination.ts'
import { createFigureTrials } from '../../../src/analysis/figures/figure-trials.ts'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { indexFileContents } from '../../../src/loop/replay/file-contents.ts'
import { lineOf } from '../../../src/loop/trial/call-order.ts'
import { trialStory } from '../../../src/reports/story/story.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const task = answerTask({ output: 'files', graders: [] }, { 'a.txt': 'alpha\n' })
const strategy = strategyOf(async ({ ask, label }) => {
  label({ round: 1 })
  const review = await ask('judge', 'Look at the files.')
  await ask('solver', `Solve it, please. The review says:\n${review}`)
  return { stopReason: 'done' }
})
const reply = 'I have changed the file that the task names, as the instruction wants it.'
const review = 'The first file lacks a line about the harbour, and the second one is not there.'
// Eleven turns: places are numbers, not decimals.
const turns = [
  ...Array.from({ length: 10 }, (_, i) => [['write', { path: 'b.txt', content: `${i}\n` }] as const]),
  reply,
]
const play = () =>
  playTrial({
    agent: agentThatCalls((request) =>
      request.role === 'judge' ? review : (turns[request.tools?.turns.length ?? 0] ?? ''),
    ),
    strategy,
    task,
    tools: toolsOf(undefined, { turns: 11 }),
    gradeCandidates: true,
  })

describe('an ask with eleven turns', () => {
  it('is one ask for the method, and eleven calls in the bill', async () => {
    const { record, steps } = await play()
    expect(record.iterations).toBe(1)
    expect(record.spent).toMatchObject({ calls: 12, input: 1200 })
    expect(record.history).toMatchObject([
      { role: 'judge', at: 0, durationMs: 1000, tokens: 110 },
      { role: 'solver', at: 1000, durationMs: 11_000, tokens: 1210, summary: reply },
    ])
    const asked = steps
      .filter((step): step is AskStep => step.kind === 'ask')
      .reverse()
      .map((step) => ({ step, branch: '', openedAt: [] }))
    expect(lineOf(asked).items.map((item) => 'role' in item && item.role)).toEqual(['judge', 'solver'])
  })

  it('is one ask among those that worked together, with one message', async () => {
    const { steps } = await play()
    expect(measureCoordination(steps, () => null)).toMatchObject({
      calls: 12,
      turns: 2,
      messages: 1,
      workMs: 12_000,
      pathMs: 12_000,
      context: new Map([
        ['solver', { asks: 1, first: 100, last: 100, peak: 100 }],
        ['judge', { asks: 1, first: 100, last: 100, peak: 100 }],
      ]),
    })
  })

  it('is one ask in figures', async () => {
    const { record, steps } = await play()
    const trials = createFigureTrials()
    trials.addRecord(record)
    for (const step of steps) trials.addStep(step)
    expect(trials.result()[0]?.asks).toEqual([
      { role: 'judge', at: 0, input: 100, output: 10, context: 100, compliance: null },
      { role: 'solver', at: 1000, input: 1100, output: 110, context: 100, compliance: null },
    ])
  })

  it('has its turns and calls in order in its story, with what each call gave and changed', async () => {
    const { record, steps, folder } = await play()
    const contentOf = indexFileContents(steps, task, openBlobs(`${folder}/blobs`))
    expect(contentOf(sha256('9\n'))).toBe('9\n')
    const story = trialStory({ record, steps: [...steps].reverse(), contentOf })
    const heads = [...story.matchAll(/^(#\S+) {2}/gm)].map(([, key]) => key)
    expect(heads.slice(0, 5)).toEqual(['#0', '#1.1', '#1.1.1', '#1.2', '#1.2.1'])
    expect(heads.slice(-2)).toEqual(['#1.10.1', '#1.11'])
    expect(story).toContain('  calls    write\n')
    expect(story).toContain('tool write, called by solver: ok')
    expect(story).toContain('| Created b.txt (2 bytes).')
    expect(story).toContain('    A b.txt  +1 -0')
    expect(story).toContain('  prompt   as in turn 1, with the results so far')
  })
})

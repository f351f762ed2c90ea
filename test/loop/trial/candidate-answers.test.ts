import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createErrorFlow } from '../../../src/analysis/coordination/error-flow.ts'
import { agentThatReplies, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

describe('an answer of a role that does not produce', () => {
  /** A worker gives a wrong answer; the deciding role's reply is handed in. */
  const twoOf = (run: Parameters<typeof strategyOf>[0]) => ({
    ...strategyOf(run),
    roles: { solver: 'produce', decider: 'judge' } as const,
  })
  const played = (run: Parameters<typeof strategyOf>[0], ...texts: string[]) =>
    playTrial({ agent: agentThatReplies(...texts), strategy: twoOf(run), gradeCandidates: true })

  it('is a candidate of the role whose reply it is, made from the earlier candidate', async () => {
    const { record, steps } = await played(
      async ({ ask }) => {
        await ask('solver', 'Solve it.')
        return { answer: await ask('decider', 'Right?'), stopReason: 'done' }
      },
      'Answer: 7',
      'Answer: 42',
    )
    expect(record).toMatchObject({
      passed: true,
      deliveredFrom: '#1',
      candidates: [
        { key: '#0', role: 'solver', passed: false },
        { key: '#1', role: 'decider', from: '#0', at: 2000, passed: true, delivered: record.delivered },
      ],
    })
    expect(steps.filter(({ kind }) => kind === 'grade')).toHaveLength(2)
    const flow = createErrorFlow(['test'])
    flow.add(record)
    expect(flow.result()).toMatchObject([{ found: 0, withRight: 1, lost: 0, handOffs: 1, wrongToRight: 1 }])
  })

  it('can be noted by the strategy, and is graded even if it is not handed in', async () => {
    const { record, folder } = await played(
      async ({ ask, candidate }) => {
        await ask('solver', 'Solve it.')
        await ask('decider', 'Right?')
        candidate('42')
        return { answer: await ask('solver', 'Surely?'), stopReason: 'done' }
      },
      'Answer: 7',
      '{"answer": 42}',
      'Answer: 8',
    )
    expect(record).toMatchObject({
      passed: false,
      deliveredFrom: '#2',
      candidates: [
        { key: '#0', passed: false },
        { key: '#1', role: 'decider', from: '#0', passed: true },
        { key: '#2', role: 'solver', from: '#1', passed: false },
      ],
    })
    const events = readFileSync(join(folder, 'events.jsonl'), 'utf8')
    expect(JSON.parse(events)).toMatchObject({
      type: 'candidate',
      role: 'decider',
      key: '!0',
      of: expect.any(String),
    })
    const again = await playTrial({
      agent: agentThatReplies(),
      strategy: twoOf(async ({ ask, candidate }) => {
        await ask('solver', 'Solve it.')
        await ask('decider', 'Right?')
        candidate('42')
        return { answer: await ask('solver', 'Surely?'), stopReason: 'done' }
      }),
      gradeCandidates: true,
      folder,
      replay: true,
    })
    expect(again.divergences).toEqual([])
    expect(again.record.candidates).toEqual(record.candidates)
  })

  it('belongs to the method when branches were opened since the last ask', async () => {
    const { record } = await played(
      async ({ ask, branch, candidate }) => {
        await ask('decider', 'Who?')
        const [a, b] = await Promise.all(
          ['a', 'b'].map((name) => branch(name, ({ ask }) => ask('solver', 'Solve it.'))),
        )
        const answer = String(Number(a) + Number(b))
        candidate(answer)
        return { answer, stopReason: 'done' }
      },
      'both',
      '40',
      '2',
    )
    expect(record).toMatchObject({
      passed: true,
      deliveredFrom: '!0',
      candidates: [
        { key: 'a#0', passed: false },
        { key: 'b#0', passed: false },
        { key: '!0', role: 'the method', passed: true },
      ],
    })
  })

  it('replaces the whole reply when the method extracts it', async () => {
    const { record } = await played(
      async ({ ask, candidate }) => {
        const reply = await ask('solver', 'Solve it.')
        candidate(reply.slice(0, 10))
        await ask('decider', 'Right?')
        return { answer: reply.slice(0, 10), stopReason: 'done' }
      },
      'Answer: 42\nAnswer: 7',
      'no',
    )
    expect(record).toMatchObject({ passed: true, deliveredFrom: '#0' })
    expect(record.candidates).toMatchObject([{ key: '#0', passed: true, delivered: record.delivered }])
  })

  it('can be that of an earlier candidate, which then counts as delivered', async () => {
    const { record } = await played(
      async ({ ask }) => {
        const first = await ask('solver', 'Solve it.')
        await ask('solver', 'Surely?')
        return { answer: first, stopReason: 'done' }
      },
      'Answer: 42',
      'Answer: 7',
    )
    expect(record).toMatchObject({ passed: true, deliveredFrom: '#0' })
  })

  it('cannot be noted while an effect is pending', async () => {
    const { record } = await played(async ({ ask, candidate }) => {
      const asked = ask('solver', 'Solve it.')
      candidate('42')
      return { answer: await asked, stopReason: 'done' }
    }, 'Answer: 7')
    expect(record.outcome.reason).toContain('candidate() in the root branch while another effect is')
  })

  it('must be a string', async () => {
    const { record } = await played(async ({ candidate }) => {
      candidate(42 as never)
      return { stopReason: 'done' }
    })
    expect(record.outcome).toMatchObject({ status: 'failed' })
    expect(record.outcome.reason).toContain('candidate(): the answer must be a string')
  })
})

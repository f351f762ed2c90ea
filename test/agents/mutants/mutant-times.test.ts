import { describe, expect, it } from 'vitest'
import { buildPool, type Pool, type SubmissionRunner } from '../../../src/agents/mutants/mutant-pool.ts'
import { InfrastructureError } from '../../../src/text/errors.ts'
import { codeTask } from '../../helpers/agents/agent-request.ts'
import { killed, saying, slipped, survived } from '../../helpers/agents/saying.ts'

describe('mutants with a time limit', () => {
  const slow = { ...killed, ms: 1_999 }
  const textsOf = ({ wrong }: Pool) =>
    wrong.map(({ submission }) => ('files' in submission ? submission.files['src/sum.mjs'] : ''))

  it('never pass the graders and never take more than a tenth of the time limit', async () => {
    const reference = { ...survived, ms: 50 }
    const late = { ...survived, ms: 1_999 }
    const { seen, trySubmission } = saying(
      late,
      slow,
      reference,
      slow,
      reference,
      killed,
      killed,
      slipped,
      slipped,
    )
    const kept = textsOf(await buildPool(codeTask(), trySubmission, { cache: undefined }))
    expect(kept).toHaveLength(4)
    expect(kept).not.toContain(seen[0])
    expect(kept).not.toContain(seen[1])
    expect(seen[2]).toBe(codeTask().hidden.solution?.files?.['src/sum.mjs'])
    expect(seen[3]).toBe(seen[1])
  })

  it('are the same on a busy machine, where the reference is slow as well, and on one that paused', async () => {
    const build = (...results: Parameters<typeof saying>) =>
      buildPool(codeTask(), saying(...results).trySubmission, { cache: undefined })
    const calm = await build(killed)
    const reference = { ...survived, ms: 1_500 }
    const busier = [
      { ...killed, ms: 6_400 },
      { ...survived, ms: 2_500 },
      { ...killed, ms: 9_000 },
    ]
    expect(await build(slow, reference, { ...killed, ms: 5_600 }, killed)).toEqual(calm)
    expect(await build(slow, reference, ...busier, killed)).toEqual(calm)
    expect(await build(slow, { ...survived, ms: 50 }, killed)).toEqual(calm)
  })

  it('are each judged alone: extra time on a busy machine is not given to the next one', async () => {
    const solution = codeTask().hidden.solution?.files?.['src/sum.mjs']
    const limits: number[] = []
    const tried: string[] = []
    const { wrong } = await buildPool(
      codeTask(),
      async (task, submission) => {
        const text = ('files' in submission && submission.files['src/sum.mjs']) || ''
        const visible = { status: 'failed' as const, passed: 0, total: 1, output: '' }
        if (text === solution) return { visible, passed: true, ms: tried.length === 1 ? 2_000 : 50 }
        if (!tried.includes(text)) tried.push(text)
        const [grader] = task.spec.graders
        if (grader?.kind === 'tests') limits.push(grader.timeoutMs)
        // The first is slow because the machine is busy, the second by itself.
        return { visible, passed: false, ms: tried.length <= 2 ? 4_000 : 10 }
      },
      { cache: undefined },
    )
    expect(limits.slice(0, 4)).toEqual([2_000, 8_000, 2_000, 2_000])
    expect(textsOf({ wrong })).toContain(tried[0])
    expect(textsOf({ wrong })).not.toContain(tried[1])
  })

  it('are run with a tenth of every time limit, so that an endless loop costs little', async () => {
    const limits: unknown[] = []
    const { trySubmission } = saying(killed)
    await buildPool(
      codeTask(),
      (task, submission) => {
        limits.push(...task.spec.graders.map((grader) => 'timeoutMs' in grader && grader.timeoutMs))
        return trySubmission(task, submission)
      },
      { cache: undefined },
    )
    expect(new Set(limits)).toEqual(new Set([2_000]))
  })

  it('are run with the whole time of the reference if the short time made the tests look broken', async () => {
    const broken = new InfrastructureError('its hidden tests are broken')
    const failing = (...failures: boolean[]) => {
      const results = saying(killed)
      let tries = 0
      const trySubmission: SubmissionRunner = (...args) =>
        failures[tries++] ? Promise.reject(broken) : results.trySubmission(...args)
      return buildPool(codeTask(), trySubmission, { cache: undefined })
    }
    expect(await failing(true)).toEqual(await failing())
    await expect(failing(true, true)).rejects.toBe(broken)
  })
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createNoOp, createOracle } from '../../src/agents/providers/built-in.ts'
import { parseFileBlocks } from '../../src/replies/files.ts'
import {
  agentRequest,
  answerTask,
  codeTask,
  loopRoles,
  sumSolution,
  type Wanted,
} from '../helpers/agents/agent-request.ts'

const code = codeTask()
const answer = answerTask()
const inGrader = answerTask({
  ref: 'test/graded',
  answer: undefined,
  grader: { kind: 'numeric', name: 'answer', answer: 7.5, tolerance: 0 },
})
const oracle = createOracle([code, answer, inGrader])
const noOp = createNoOp()
const signal = new AbortController().signal
const about = (task: typeof code, wanted: Wanted = {}) =>
  agentRequest({ files: task.files, ...wanted, trial: { task: task.ref } })
const schema = z.toJSONSchema(
  z.object({ compliance: z.number().min(0).max(1), ok: z.boolean(), violations: z.array(z.string()) }),
) as Record<string, unknown>
const audit = { role: 'auditor', work: 'judge', schema } as const

describe('the oracle', () => {
  it('submits the reference as a secret: files, or an answer, even if only the grader has it', async () => {
    const reply = await oracle.ask(about(code), signal)
    expect(parseFileBlocks(reply.text).edits).toEqual([{ path: 'src/sum.mjs', content: sumSolution }])
    expect(reply).toMatchObject({ secret: true, costUsd: 0 })
    expect(await oracle.ask(about(answer), signal)).toMatchObject({ text: 'Answer: 42', secret: true })
    expect(await oracle.ask(about(inGrader), signal)).toMatchObject({ text: 'Answer: 7.5', secret: true })
  })

  it('approves work but rejects when there is none; the verdict is not secret and gives no reason', async () => {
    const history = [{ role: 'code-generator', work: 'produce' }] as const
    const reply = await oracle.ask(about(code, { ...audit, history }), signal)
    expect(JSON.parse(reply.text)).toEqual({ compliance: 1, ok: true, violations: [] })
    expect(reply.secret).toBeUndefined()
    const early = await oracle.ask(about(code, audit), signal)
    expect(JSON.parse(early.text)).toMatchObject({ compliance: 0, ok: false })
    for (const [role, work] of Object.entries(loopRoles)) {
      if (work === 'produce') continue
      const { text, secret } = await oracle.ask(about(code, { role, work }), signal)
      expect(text).not.toMatch(/total|values/)
      expect(secret).toBeUndefined()
    }
  })

  it('finishes the usual flow as a coordinator', async () => {
    const route = z.toJSONSchema(
      z.object({ next: z.enum(['auditor', 'code-generator', 'finish']) }),
    ) as Record<string, unknown>
    const roles = { boss: 'decide', ...loopRoles } as const
    const next = async (history: Wanted['history'] & object) =>
      JSON.parse(
        (
          await oracle.ask(
            about(code, { role: 'boss', work: 'decide', schema: route, roles, history }),
            signal,
          )
        ).text,
      ).next
    expect(await next([{ role: 'code-generator', work: 'produce' }])).toBe('auditor')
    expect(await next([{ role: 'auditor', work: 'judge', data: { ok: true } }])).toBe('finish')
  })
})

describe('the no-op', () => {
  it('submits nothing and approves nothing', async () => {
    const reply = await noOp.ask(about(code), signal)
    expect(parseFileBlocks(reply.text)).toEqual({ edits: [], rejected: [], notes: [] })
    expect(JSON.parse((await noOp.ask(about(code, audit), signal)).text)).toMatchObject({
      compliance: 0,
      ok: false,
      violations: [expect.any(String)],
    })
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply } from '../../../src/agents/agent.ts'
import { createSimulated } from '../../../src/agents/simulated/simulated.ts'
import { parseFileBlocks } from '../../../src/replies/files/file-blocks.ts'
import type { Files, Task } from '../../../src/schema/task.ts'
import { answerTask, codeTask, loopRoles, sumSolution } from '../../helpers/agents/agent-request.ts'
import {
  ask,
  code,
  made,
  near,
  profileOf,
  shapeOf,
  simulated,
  trySubmission,
} from '../../helpers/agents/simulated-agent.ts'
import { trySum } from '../../helpers/graders/try-sum.ts'

describe('simulated submissions of code', () => {
  const filesOf = (reply: AgentReply, files: Files) => {
    const { edits } = parseFileBlocks(reply.text)
    return Object.fromEntries(
      Object.entries({ ...files, ...Object.fromEntries(edits.map(({ path, content }) => [path, content])) }),
    ) as Files
  }
  const wrongSkill = { skills: { produce: -40, judge: 0, summarise: 0, decide: 0 } }

  it('are whole files that really pass, or really fail, the hidden tests', async () => {
    const right = await ask(
      simulated({ skills: { produce: 40, judge: 0, summarise: 0, decide: 0 } }),
      {},
      code,
    )
    expect(filesOf(right, code.files)['src/sum.mjs']).toBe(sumSolution)
    expect(parseFileBlocks(right.text).edits).toHaveLength(1)
    const agent = simulated(wrongSkill)
    const texts = new Map<string, Files>()
    for (let epoch = 1; epoch <= 60; epoch++) {
      const reply = await ask(agent, { trial: { epoch } }, code)
      const files = filesOf(reply, code.files)
      texts.set(files['src/sum.mjs'] ?? '', files)
    }
    expect(texts.size).toBeGreaterThanOrEqual(3)
    for (const files of texts.values()) expect((await trySum(code, { files })).passed).toBe(false)
  })

  it('pass the visible checks, if wrong, at the profile’s rate', async () => {
    const agent = simulated({ ...wrongSkill, visiblePass: 0.3 })
    const known = new Map<string, boolean>()
    let passing = 0
    for (let epoch = 1; epoch <= 1_000; epoch++) {
      const files = filesOf(await ask(agent, { trial: { epoch } }, code), code.files)
      const text = files['src/sum.mjs'] ?? ''
      if (!known.has(text)) known.set(text, (await trySum(code, { files })).visible.status === 'passed')
      if (known.get(text)) passing++
    }
    expect(Math.abs(passing / 1_000 - 0.3)).toBeLessThan(near(0.3, 1_000))
  })

  it('contain only files that differ from the workspace', async () => {
    const files = { ...code.files, 'src/sum.mjs': sumSolution }
    const reply = await ask(simulated(wrongSkill), { files, history: made }, code)
    expect(parseFileBlocks(reply.text)).toEqual({ edits: [], rejected: [] })
    const broken = await ask(simulated({ ...wrongSkill, regression: 1 }), { files, history: made }, code)
    expect(filesOf(broken, files)['src/sum.mjs']).not.toBe(sumSolution)
  })

  it('are read back exactly from their blocks, with any fences and deletions', async () => {
    const solution = { 'notes.md': '# a\n````js\ncode\n````\n' }
    const task: Task = {
      ...code,
      ref: 'test/fences',
      digest: 'digest-fences',
      files: { ...code.files },
      hidden: { tests: {}, solution: { files: solution } },
    }
    const fences = await ask(
      simulated({ skills: { produce: 40, judge: 0, summarise: 0, decide: 0 } }, [task]),
      {},
      task,
    )
    expect(parseFileBlocks(fences.text).edits).toEqual([{ path: 'notes.md', content: solution['notes.md'] }])
    const undo = await ask(simulated(wrongSkill, [task]), { files: { ...task.files, ...solution } }, task)
    expect(parseFileBlocks(undo.text).edits).toEqual([{ path: 'notes.md', content: null }])
  })
})

describe('the reference solution', () => {
  const secret = `export const sum = (values, limit) => {
  const zanzibarTotal = values.filter((value) => value > limit).reduce((a, b) => a + b, 0)
  return zanzibarTotal === 0 ? 'none < 1' : zanzibarTotal
}
`
  const task = codeTask({ ref: 'test/secret', solution: secret, checks: {} })
  const secretAnswer = answerTask({ ref: 'test/secret-answer', answer: 'zanzibar, zan, bar' })
  const warnings: string[] = []
  let agent: Agent
  beforeAll(() => {
    const changes = {
      verdicts: { falseAccept: 0.3, falseReject: 0.3, noise: 0.2 },
      malformed: 0.2,
      correlation: 0.3,
    }
    agent = createSimulated({
      profile: profileOf({ ...changes, roles: {} }),
      tasks: [task, secretAnswer],
      trySubmission,
      onWarning: (message) => warnings.push(message),
    })
  })

  it('is never in a verdict, a decision, a summary or a warning', async () => {
    const schema = shapeOf(z.object({ ok: z.boolean(), text: z.string(), list: z.array(z.string()) }))
    for (const one of [task, secretAnswer]) {
      for (const [role, work] of Object.entries(loopRoles)) {
        if (work === 'produce') continue
        for (let epoch = 1; epoch <= 50; epoch++) {
          for (const shape of [{}, { schema }]) {
            const reply = await ask(agent, { role, work, history: made, trial: { epoch }, ...shape }, one)
            expect(reply.text).not.toMatch(/zan|values\.filter/)
          }
        }
      }
    }
    expect(warnings.join('\n')).not.toMatch(/zan|filter/)
    expect(warnings.length).toBeGreaterThan(0)
  })

  it('may be in a submission', async () => {
    const right = createSimulated({
      profile: profileOf({ skills: { produce: 40, judge: 0, summarise: 0, decide: 0 } }),
      tasks: [task],
      trySubmission,
    })
    expect((await ask(right, {}, task)).text).toContain('zanzibarTotal')
  })
})

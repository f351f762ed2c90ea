import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply } from '../../../src/agents/agent.ts'
import { createSimulated } from '../../../src/agents/simulated/simulated.ts'
import { parseFileBlocks } from '../../../src/replies/files.ts'
import type { Files, Task } from '../../../src/schema/task.ts'
import { estimateTokens } from '../../../src/text/token-estimate.ts'
import {
  answerTask,
  codeTask,
  loopRoles,
  sumSolution,
  type Wanted,
} from '../../helpers/agents/agent-request.ts'
import {
  Audit,
  answer,
  ask,
  code,
  expectShare,
  judgement,
  logistic,
  made,
  near,
  profileOf,
  shapeOf,
  simulated,
  trySubmission,
  unchecked,
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
    expect(parseFileBlocks(reply.text)).toEqual({ edits: [], rejected: [], notes: [] })
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

describe('simulated verdicts', () => {
  const passed = { status: 'passed', passed: 3, total: 3, output: '' } as const
  const failing = { status: 'failed', passed: 1, total: 3, output: 'sum of none\nlimit below zero' } as const
  const audit = async (agent: Agent, wanted: Wanted, task = code) =>
    Audit.parse(
      JSON.parse((await ask(agent, { ...judgement, schema: shapeOf(Audit), ...wanted }, task)).text),
    )

  it('follow the real result of the visible checks', async () => {
    const agent = simulated()
    expect(await audit(agent, { check: passed })).toEqual({ compliance: 1, violations: [] })
    const { compliance, violations } = await audit(agent, { check: failing })
    expect(compliance).toBe(0.25)
    expect(violations.map(({ id }) => id)).toEqual(['V1', 'V2'])
    expect(violations[0]?.text).toMatch(/^sum of none\[\[\d+ tokens of review\]\]$/)
    expect(violations[1]?.text).toBe('limit below zero')
    expect((await ask(agent, { ...judgement, check: failing }, code)).text).toMatch(
      /^Not yet:\n- sum of none\n- limit below zero\n/,
    )
  })

  it('follow whether the work is right if there are no checks', async () => {
    const agent = simulated()
    const right = { ...unchecked.files, 'src/sum.mjs': sumSolution }
    expect((await audit(agent, { files: right, history: made }, unchecked)).compliance).toBe(1)
    expect(
      (await audit(agent, { files: unchecked.files, history: made }, unchecked)).compliance,
    ).toBeLessThan(0.8)
    expect((await audit(agent, { prompt: 'x\n\nAnswer: 42', history: made }, answer)).compliance).toBe(1)
    expect(
      (await audit(agent, { prompt: 'x\n\nAnswer: 41', history: made }, answer)).compliance,
    ).toBeLessThan(0.8)
    expect((await audit(agent, { prompt: 'x' }, answer)).compliance, 'before anything was made').toBe(0)
  })

  it('follow what their prompt shows of others’ work, where nothing was made in their own branch', async () => {
    const agent = simulated()
    const shown = async (prompt: string, task = answer) => (await audit(agent, { prompt }, task)).compliance
    expect(await shown('x\n\nAnswer: 42')).toBe(1)
    expect(await shown('### ada\nAnswer: 42\n### ben\nAnswer: 7')).toBe(1)
    expect(await shown('The Answer: 42 is not at the start of its line.')).toBe(0)
    const block = (content: string) => `FILE: src/sum.mjs\n\`\`\`\n${content}\`\`\``
    expect(await shown(block(sumSolution), code)).toBe(1)
    expect(await shown(block(code.files['src/sum.mjs'] ?? ''), code)).toBeLessThan(0.8)
  })

  it('are wrong at the profile’s rates, which skill lowers', async () => {
    const verdicts = { falseAccept: 0.2, falseReject: 0.1, noise: 0.3 }
    const approved = ({ text }: AgentReply) => (JSON.parse(text) as { compliance: number }).compliance >= 0.8
    const wanted = { ...judgement, schema: shapeOf(Audit) }
    const agent = simulated({ verdicts })
    await expectShare(0.2, agent, approved, { ...wanted, check: failing }, code)
    await expectShare(0.9, agent, approved, { ...wanted, check: passed }, code)
    const skilled = simulated({ verdicts, skills: { produce: 0, judge: 1, summarise: 0, decide: 0 } })
    await expectShare(logistic(Math.log(0.25) - 1), skilled, approved, { ...wanted, check: failing }, code)
  })

  it('have noise in their numbers, which never inverts them', async () => {
    const agent = simulated({ verdicts: { falseAccept: 0, falseReject: 0, noise: 0.5 } })
    const scores = async (check: typeof passed | typeof failing) => {
      const found: number[] = []
      for (let epoch = 1; epoch <= 200; epoch++)
        found.push((await audit(agent, { check, trial: { epoch } })).compliance)
      return found
    }
    for (const score of await scores(passed)) expect(score >= 0.8 && score <= 1).toBe(true)
    for (const score of await scores(failing)) expect(score >= 0 && score < 0.8).toBe(true)
    expect(new Set(await scores(failing)).size).toBeGreaterThan(20)
  })
})

describe('simulated JSON', () => {
  const parses = ({ text }: AgentReply) => {
    try {
      return Audit.safeParse(JSON.parse(text)).success
    } catch {
      return false
    }
  }
  it('is malformed at the profile’s rate, in a repair less often', async () => {
    const agent = simulated({ malformed: 0.4 })
    const wanted = { ...judgement, schema: shapeOf(Audit) }
    await expectShare(0.6, agent, parses, wanted)
    await expectShare(0.9, agent, parses, { ...wanted, attempt: 2, repair: true })
  })
})

describe('simulated summaries', () => {
  const facts = Array.from({ length: 60 }, (_, i) => `R${i + 1}`)
  const prompt = `Summarise in at most 400 tokens.\n${facts.map((id) => `${id} wants \`name${id}\` in src/${id}.ts.`).join('\n')}`
  const wanted: Wanted = { role: 'summarizer', work: 'summarise', prompt }
  const kept = ({ text }: AgentReply) =>
    facts.filter((id) => new RegExp(`\\b${id}\\b(?!\\.ts)`).test(text)).length

  it('keep the facts of the prompt at the rate of the skill, within the prompt’s limit', async () => {
    const output = { ...profileOf().output, summarise: { median: 5_000, spread: 0 } }
    const of = (summarise: number) =>
      ask(
        simulated({ output, reasoningShare: 0, skills: { produce: 0, judge: 0, summarise, decide: 0 } }),
        wanted,
      )
    const good = await of(40)
    expect(kept(good)).toBe(60)
    expect(estimateTokens(good.text)).toBe(400)
    expect(kept(await of(0))).toBeGreaterThan(18)
    expect(kept(await of(0))).toBeLessThan(42)
    expect(kept(await of(-40))).toBe(0)
  })
})

describe('simulated decisions', () => {
  const schema = shapeOf(
    z.object({
      next: z.enum(['contract-writer', 'auditor', 'code-generator', 'evaluator', 'refiner', 'finish']),
      brief: z.string(),
    }),
  )
  const next = ({ text }: AgentReply) => (JSON.parse(text) as { next: string }).next
  const wanted: Wanted = {
    role: 'orchestrator',
    work: 'decide',
    schema,
    roles: { orchestrator: 'decide', ...loopRoles },
  }

  it('follow the flow, except at the rate of missing skill', async () => {
    const agent = simulated({ skills: { produce: 0, judge: 0, summarise: 0, decide: 1 } })
    const usual = (reply: AgentReply) => next(reply) === 'auditor'
    await expectShare(logistic(1) + (1 - logistic(1)) / 6, agent, usual, { ...wanted, history: made })
  })

  it('contain a plan of the size of the output', async () => {
    const reply = await ask(simulated({ reasoningShare: 0 }), { role: 'refiner', work: 'decide' })
    expect(reply.text).toMatch(/^R1\. /)
    expect(estimateTokens(reply.text)).toBe(reply.tokens.output)
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply, PastAsk } from '../../src/agents/agent.ts'
import { loadProfile } from '../../src/agents/load-profile.ts'
import type { TryCandidate } from '../../src/agents/mutant-pool.ts'
import { createSimulated } from '../../src/agents/simulated.ts'
import { parseFileBlocks } from '../../src/loop/file-blocks.ts'
import { Profile } from '../../src/schema/profile.ts'
import type { Files, Task } from '../../src/schema/task.ts'
import { estimateTokens } from '../../src/tokens.ts'
import {
  agentRequest,
  answerTask,
  codeTask,
  loopRoles,
  sumSolution,
  type Wanted,
} from '../helpers/agent-request.ts'
import { trySum } from '../helpers/try-sum.ts'

/** Nothing by chance but what a test asks for. */
const quiet: Partial<Profile> = {
  skills: { produce: 0, judge: 0, summarise: 40, decide: 40 },
  difficulty: { weight: 0, default: 0.5 },
  interaction: 0,
  feedback: { gain: 0, maxRounds: 4 },
  regression: 0,
  context: { threshold: 1_000, lossPerThousand: 0 },
  correlation: 0,
  verdicts: { falseAccept: 0, falseReject: 0, noise: 0 },
  malformed: 0,
  failures: {},
  latency: { baseMs: 1_000, msPerToken: 10, spread: 0 },
}
const profileOf = (changes: Partial<Profile> = {}) =>
  Profile.parse({ ...loadProfile('default'), ...quiet, ...changes })

const tasks = [
  answerTask(),
  codeTask(),
  codeTask({ ref: 'test/unchecked', checks: {} }),
  answerTask({ ref: 'test/open', answer: undefined }),
]
const [answer, code, unchecked, open] = tasks as [Task, Task, Task, Task]
const tryAnswer: TryCandidate = async (_, candidate) => ({
  visible: { status: 'none', passed: 0, total: 0, output: '' },
  passed: 'answer' in candidate && candidate.answer === 'Answer: 42',
  ms: 0,
})
const tryCandidate: TryCandidate = (task, candidate) =>
  'files' in candidate ? trySum(task, candidate) : tryAnswer(task, candidate)
// Pools are kept, so that mutants are run once for this file and not once per agent.
const cache = mkdtempSync(join(tmpdir(), 'simulated-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))
const simulated = (changes?: Partial<Profile>, extra: readonly Task[] = []) =>
  createSimulated({ profile: profileOf(changes), tasks: [...tasks, ...extra], tryCandidate, cache })
const ask = async (agent: Agent, wanted: Wanted, task = answer): Promise<AgentReply> =>
  agent.ask(
    agentRequest({ files: task.files, ...wanted, trial: { task: task.ref, ...wanted.trial } }),
    new AbortController().signal,
  )

const draws = 3_000
/** Share of draws for which the test holds, over trials of different epochs. */
async function share(
  agent: Agent,
  holds: (reply: AgentReply) => boolean,
  wanted: Wanted = {},
  task = answer,
  count = draws,
) {
  let held = 0
  for (let epoch = 1; epoch <= count; epoch++) {
    if (holds(await ask(agent, { ...wanted, trial: { ...wanted.trial, epoch } }, task))) held++
  }
  return held / count
}
const isRight = ({ text }: AgentReply) => text.endsWith('\nAnswer: 42')
/** Four standard errors of a share of `draws`. */
const near = (p: number, count = draws) => 4 * Math.sqrt((p * (1 - p)) / count)
const logistic = (logits: number) => 1 / (1 + Math.exp(-logits))
async function expectShare(
  p: number,
  agent: Agent,
  holds: (reply: AgentReply) => boolean,
  wanted?: Wanted,
  task?: Task,
) {
  const found = await share(agent, holds, wanted, task)
  expect(Math.abs(found - p), `${found} instead of ${p}`).toBeLessThan(near(p) + 1e-9)
}
const judgement: Wanted = { role: 'auditor', work: 'judge' }
const made: PastAsk[] = [{ role: 'code-generator', work: 'produce' }]
const shapeOf = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
const Audit = z.object({
  compliance: z.number().min(0).max(1),
  violations: z.array(z.object({ id: z.string(), text: z.string() })),
})

describe('candidates', () => {
  it('are right as often as skill and difficulty say', async () => {
    const hard = answerTask({ ref: 'test/hard', difficulty: 1 })
    const agent = simulated(
      { skills: { produce: 1, judge: 0, summarise: 0, decide: 0 }, difficulty: { weight: 2, default: 0.25 } },
      [hard],
    )
    await expectShare(logistic(0.5), agent, isRight)
    await expectShare(logistic(-1), agent, isRight, {}, hard)
  })

  it('are better by a planted effect, for the label or the strategy it names and for no other', async () => {
    const agent = simulated({ effects: { sequential: 1, 'sequential[maxInner=5]': -1 } })
    const of = (method: string, strategy: string) => ({ trial: { method, strategy } })
    await expectShare(logistic(1), agent, isRight, of('B', 'sequential'))
    await expectShare(logistic(-1), agent, isRight, of('sequential[maxInner=5]', 'sequential'))
    await expectShare(logistic(0), agent, isRight, of('A', 'baseline'))
  })

  it('are better by each round of feedback, up to the most that counts', async () => {
    const agent = simulated({ feedback: { gain: 0.5, maxRounds: 2 } })
    const round: PastAsk[] = [
      ...made,
      { role: 'auditor', work: 'judge' },
      { role: 'refiner', work: 'decide' },
    ]
    await expectShare(logistic(0), agent, isRight, { history: [{ role: 'auditor', work: 'judge' }] })
    await expectShare(logistic(0.5), agent, isRight, { history: round })
    await expectShare(logistic(1), agent, isRight, { history: [...round, ...round, ...round] })
  })

  it('are worse with a long prompt, by what is above the threshold', async () => {
    const agent = simulated({ context: { threshold: 1_000, lossPerThousand: 0.5 } })
    await expectShare(logistic(0), agent, isRight, { prompt: 'x'.repeat(4_000) })
    await expectShare(logistic(-1), agent, isRight, { prompt: 'x'.repeat(12_000) })
  })

  it('differ in how well a method suits a task, seeded, and not at all without interaction', async () => {
    const rates = async (interaction: number) => {
      const agent = simulated({ interaction })
      return Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          share(agent, isRight, { trial: { method: `m${i}` } }, answer, 300),
        ),
      )
    }
    const spread = (values: number[]) => Math.max(...values) - Math.min(...values)
    expect(spread(await rates(0))).toBeLessThan(0.2)
    expect(spread(await rates(1.5))).toBeGreaterThan(0.5)
    expect(await rates(1.5)).toEqual(await rates(1.5))
  })

  it('go right and wrong together as the correlation says, without changing how often', async () => {
    const agreement = async (correlation: number) => {
      const agent = simulated({ correlation })
      let agree = 0
      for (let epoch = 1; epoch <= draws; epoch++) {
        const a = isRight(await ask(agent, { trial: { epoch, method: 'a' } }))
        const b = isRight(await ask(agent, { trial: { epoch, method: 'b', key: 'x#3' } }))
        if (a === b) agree++
      }
      await expectShare(0.5, agent, isRight)
      return agree / draws
    }
    // Two normals of correlation r have the same sign with probability 1/2 + asin(r)/pi (Sheppard 1899).
    for (const r of [0, 0.5, 0.9]) {
      const expected = 0.5 + Math.asin(r) / Math.PI
      expect(Math.abs((await agreement(r)) - expected)).toBeLessThan(near(expected))
    }
    expect(await agreement(1)).toBe(1)
  })

  it('that are wrong are never the reference, and none is offered where there is none', async () => {
    const wrong = simulated({ skills: { produce: -40, judge: 0, summarise: 0, decide: 0 } })
    expect(
      await share(
        wrong,
        ({ text }) => /\nAnswer: .+$/.test(text) && !/Answer: 42$/.test(text),
        {},
        answer,
        200,
      ),
    ).toBe(1)
    expect((await ask(wrong, {}, open)).text).toMatch(/\nAnswer: I do not know$/)
  })

  it('once right stay right but for the rate of regressions', async () => {
    const agent = simulated({ skills: { produce: -40, judge: 0, summarise: 0, decide: 0 }, regression: 0.2 })
    await expectShare(0.8, agent, isRight, {
      history: made,
      prompt: 'What to do.\n\n## last reply\nSo:\n\nAnswer: 42',
    })
    await expectShare(0, agent, isRight, {
      history: made,
      prompt: 'What to do.\n\n## last reply\nSo:\n\nAnswer: 41',
    })
  })
})

describe('candidates of code', () => {
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

  it('that are wrong pass the visible checks as often as the profile says', async () => {
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

  it('name only files that differ from what stands in the workspace, and keep what is right', async () => {
    const files = { ...code.files, 'src/sum.mjs': sumSolution }
    const reply = await ask(simulated(wrongSkill), { files, history: made }, code)
    expect(parseFileBlocks(reply.text)).toEqual({ edits: [], rejected: [] })
    const broken = await ask(simulated({ ...wrongSkill, regression: 1 }), { files, history: made }, code)
    expect(filesOf(broken, files)['src/sum.mjs']).not.toBe(sumSolution)
  })

  it('are read back from their blocks to the letter, whatever fences they hold, and files are deleted', async () => {
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

describe('verdicts', () => {
  const passed = { status: 'passed', passed: 3, total: 3, output: '' } as const
  const failing = { status: 'failed', passed: 1, total: 3, output: 'sum of none\nlimit below zero' } as const
  const audit = async (agent: Agent, wanted: Wanted, task = code) =>
    Audit.parse(
      JSON.parse((await ask(agent, { ...judgement, schema: shapeOf(Audit), ...wanted }, task)).text),
    )

  it('are what the visible checks really say', async () => {
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

  it('are whether the work is right where there are no checks', async () => {
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
    expect(
      (await audit(agent, { prompt: 'x\n\nAnswer: 42' }, answer)).compliance,
      'before anything was made',
    ).toBe(0)
  })

  it('err at the rates of the profile, which skill lowers', async () => {
    const verdicts = { falseAccept: 0.2, falseReject: 0.1, noise: 0.3 }
    const approved = ({ text }: AgentReply) => (JSON.parse(text) as { compliance: number }).compliance >= 0.8
    const wanted = { ...judgement, schema: shapeOf(Audit) }
    const agent = simulated({ verdicts })
    await expectShare(0.2, agent, approved, { ...wanted, check: failing }, code)
    await expectShare(0.9, agent, approved, { ...wanted, check: passed }, code)
    const skilled = simulated({ verdicts, skills: { produce: 0, judge: 1, summarise: 0, decide: 0 } })
    await expectShare(logistic(Math.log(0.25) - 1), skilled, approved, { ...wanted, check: failing }, code)
  })

  it('have noise in their numbers, which never turns them', async () => {
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

describe('JSON', () => {
  const parses = ({ text }: AgentReply) => {
    try {
      return Audit.safeParse(JSON.parse(text)).success
    } catch {
      return false
    }
  }
  it('is malformed now and then, a repair seldom', async () => {
    const agent = simulated({ malformed: 0.4 })
    const wanted = { ...judgement, schema: shapeOf(Audit) }
    await expectShare(0.6, agent, parses, wanted)
    await expectShare(0.9, agent, parses, { ...wanted, attempt: 2, repair: true })
  })
})

describe('summaries', () => {
  const facts = Array.from({ length: 60 }, (_, i) => `R${i + 1}`)
  const prompt = `Summarise in at most 400 tokens.\n${facts.map((id) => `${id} wants \`name${id}\` in src/${id}.ts.`).join('\n')}`
  const wanted: Wanted = { role: 'summarizer', work: 'summarise', prompt }
  const kept = ({ text }: AgentReply) =>
    facts.filter((id) => new RegExp(`\\b${id}\\b(?!\\.ts)`).test(text)).length

  it('keep the facts of the prompt as often as the skill says, within the target that the prompt states', async () => {
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

describe('decisions', () => {
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

  it('send the work on as the flow goes, but for what skill is lacking', async () => {
    const agent = simulated({ skills: { produce: 0, judge: 0, summarise: 0, decide: 1 } })
    const usual = (reply: AgentReply) => next(reply) === 'auditor'
    await expectShare(logistic(1) + (1 - logistic(1)) / 6, agent, usual, { ...wanted, history: made })
  })

  it('hold a plan of as many tokens as the model writes', async () => {
    const reply = await ask(simulated({ reasoningShare: 0 }), { role: 'refiner', work: 'decide' })
    expect(reply.text).toMatch(/^R1\. /)
    expect(estimateTokens(reply.text)).toBe(reply.tokens.output)
  })
})

describe('the bill', () => {
  it('counts the turns of a session that are sent along with it as input: the latest twenty', async () => {
    const turns = (count: number) => Array(count).fill({ prompt: 'p'.repeat(40), reply: 'r'.repeat(80) })
    const inputs = [0, 3, 50].map(async (count) => {
      const request = { prompt: 'x'.repeat(400), session: 's', turns: turns(count) }
      return (await ask(simulated({}), request)).tokens.input
    })
    expect(await Promise.all(inputs)).toEqual([100, 100 + 3 * 30, 100 + 20 * 30])
  })

  it("counts the prompt as input, the text and the reasoning as output, at the profile's prices", async () => {
    const agent = simulated({ reasoningShare: 0.25, price: { input: 3, output: 15, cached: 0 } })
    for (const task of [answer, code]) {
      const { text, tokens, costUsd, durationMs } = await ask(
        agent,
        { prompt: 'x'.repeat(400), system: 'y'.repeat(40) },
        task,
      )
      const output = tokens.output as number
      expect(tokens).toEqual({ input: 110, output, cached: 0 })
      expect(Math.abs(output - estimateTokens(text) / 0.75)).toBeLessThanOrEqual(1)
      expect(costUsd).toBeCloseTo((110 * 3 + output * 15) / 1e6, 9)
      expect(durationMs).toBe(1_000 + 10 * output)
    }
  })

  it('draws log-normal sizes', async () => {
    const agent = simulated({ output: { ...profileOf().output, produce: { median: 1_000, spread: 0.5 } } })
    await expectShare(0.5, agent, ({ tokens }) => (tokens.output as number) < 1_000)
    await expectShare(0.8413, agent, ({ tokens }) => (tokens.output as number) < 1_000 * Math.exp(0.5))
  })

  it('ends what would take too long as a timeout, with the output until then', async () => {
    const output = { ...profileOf().output, produce: { median: 1_000, spread: 0 } }
    const reply = await ask(simulated({ output }), { timeoutMs: 5_500 })
    expect(reply).toMatchObject({
      text: '',
      durationMs: 5_500,
      tokens: { output: 500 },
      error: { reason: 'timeout' },
    })
    expect((await ask(simulated({ output }), { timeoutMs: 11_000 })).error).toBeUndefined()
  })

  it('cuts a reply off at the most output that is allowed', async () => {
    const reply = await ask(simulated({ reasoningShare: 0 }), { maxOutput: 20 }, code)
    expect(reply.tokens.output).toBe(20)
    expect(estimateTokens(reply.text)).toBeLessThanOrEqual(20)
  })

  it('fails as often as the profile says, and bills only what reached the model', async () => {
    const agent = simulated({ failures: { server: 0.2, empty: 0.1 } })
    await expectShare(0.2, agent, ({ error }) => error?.reason === 'server')
    await expectShare(0.1, agent, ({ error }) => error?.reason === 'empty')
    expect(await ask(simulated({ failures: { server: 1 } }), {})).toMatchObject({
      text: '',
      costUsd: 0,
      tokens: { input: 0, output: 0 },
    })
    expect((await ask(simulated({ failures: { refusal: 1 } }), {})).tokens.input).toBeGreaterThan(0)
    const small = simulated({ context: { threshold: 0, lossPerThousand: 0, limit: 100 } })
    expect((await ask(small, { prompt: 'x'.repeat(1_000) })).error?.reason).toBe('context-overflow')
  })
})

describe('a workload of known sizes', () => {
  const warnings: string[] = []
  const profile = loadProfile('adc-workload')
  const agent = createSimulated({
    profile,
    tasks,
    tryCandidate,
    onWarning: (message) => warnings.push(message),
  })
  const sizes = async (
    role: keyof typeof loopRoles | 'orchestrator' | 'helper',
    work: Wanted['work'],
    prompt = 'x'.repeat(400),
  ) => {
    const reply = await ask(agent, {
      role,
      work: work as never,
      prompt,
      roles: { orchestrator: 'decide', ...loopRoles },
    })
    return [reply.tokens.input, reply.tokens.output, estimateTokens(reply.text), reply.costUsd]
  }

  it('bills each role its size and writes texts that weigh as much', async () => {
    expect(await sizes('contract-writer', 'decide')).toEqual([100_000, 100_000, 100_000, 0.132])
    expect(await sizes('code-generator', 'produce')).toEqual([260_000, 40_000, 40_000, 0.198])
    expect(await sizes('summarizer', 'summarise', 'In at most 10000 tokens')).toEqual([
      0, 10_000, 10_000, 0.0066,
    ])
  })

  it('measures a role without a size, and tells a role that it does not know once', async () => {
    expect((await sizes('orchestrator', 'decide')).slice(0, 2)).toEqual([100, 100])
    expect(warnings).toEqual([])
    expect((await sizes('helper', 'decide')).slice(0, 2)).toEqual([100, 100])
    await sizes('helper', 'decide')
    expect(warnings).toEqual([
      '[profile adc-workload] states no size for role "helper": it takes the default of its kind of work.',
    ])
  })

  it('is compliant after three candidates of a round and done after as many rounds as the epoch says', async () => {
    const past = (role: 'auditor' | 'code-generator' | 'evaluator'): PastAsk => ({
      role,
      work: loopRoles[role],
    })
    const compliance = async (history: PastAsk[]) =>
      (
        JSON.parse((await ask(agent, { ...judgement, schema: shapeOf(Audit), history })).text) as {
          compliance: number
        }
      ).compliance
    const round = [1, 2, 3].flatMap(() => [past('auditor'), past('code-generator')])
    expect(await compliance([])).toBe(0)
    expect(await compliance(round.slice(0, 2))).toBe(0.25)
    expect(await compliance(round)).toBe(1)
    const second = [...round, past('auditor'), past('evaluator')]
    expect(await compliance(second)).toBe(0)
    expect(await compliance([...second, ...round])).toBe(1)

    const satisfied = async (epoch: number, history: PastAsk[]) => {
      const wanted = {
        role: 'evaluator',
        work: 'judge',
        schema: shapeOf(z.object({ ok: z.boolean() })),
        history,
        trial: { epoch },
      } as const
      return (JSON.parse((await ask(agent, wanted)).text) as { ok: boolean }).ok
    }
    const rounds = [round, [...round, ...round], [...round, ...round, ...round]]
    for (const [i, expected] of [
      [true, true, true],
      [false, true, true],
      [false, false, true],
    ].entries()) {
      expect(await Promise.all(rounds.map((history) => satisfied(i + 1, history)))).toEqual(expected)
      expect(await satisfied(i + 4, rounds[0] as PastAsk[])).toBe(i === 0)
    }
  })
})

describe('what nobody may see', () => {
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
      tryCandidate,
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

  it('is what a candidate may hold', async () => {
    const right = createSimulated({
      profile: profileOf({ skills: { produce: 40, judge: 0, summarise: 0, decide: 0 } }),
      tasks: [task],
      tryCandidate,
    })
    expect((await ask(right, {}, task)).text).toContain('zanzibarTotal')
  })
})

it('says the same of the outside of right and wrong candidates', async () => {
  const openings = async (produce: number) => {
    const agent = simulated({ skills: { produce, judge: 0, summarise: 0, decide: 0 } })
    const found = new Set<string>()
    for (let epoch = 1; epoch <= 100; epoch++)
      found.add((await ask(agent, { trial: { epoch } })).text.split('\n')[0] as string)
    return [...found].sort()
  }
  expect(await openings(40)).toEqual(await openings(-40))
})

it('rejects a task that it was never given', async () => {
  await expect(ask(simulated(), { trial: { task: 'test/other' } })).rejects.toThrow(
    'was never given the task test/other',
  )
})

it('succeeds alone about half of the time with the default profile', async () => {
  const range = Array.from({ length: 17 }, (_, i) =>
    answerTask({ ref: `test/d${i}`, difficulty: 0.1 + i * 0.05 }),
  )
  const agent = createSimulated({ profile: loadProfile('default'), tasks: range, tryCandidate })
  let all = 0
  for (const task of range) all += await share(agent, isRight, {}, task, 300)
  expect(all / range.length).toBeGreaterThan(0.45)
  expect(all / range.length).toBeLessThan(0.6)
})

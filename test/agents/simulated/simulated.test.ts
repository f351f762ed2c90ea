import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PastAsk } from '../../../src/agents/agent.ts'
import { approves, isDecision } from '../../../src/agents/simulated/behaviour.ts'
import { simulatedDecision } from '../../../src/agents/simulated/decision.ts'
import { loadProfile, profileOfModel } from '../../../src/agents/simulated/load-profile.ts'
import { nextRole } from '../../../src/agents/simulated/routing.ts'
import { createSimulated } from '../../../src/agents/simulated/simulated.ts'
import { submissionsOf } from '../../../src/agents/simulated/submissions.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { OrchestratorDecision } from '../../../src/schema/machine/decision.ts'
import { answerTask } from '../../helpers/agents/agent-request.ts'
import {
  answer,
  ask,
  draws,
  expectShare,
  isRight,
  logistic,
  made,
  near,
  open,
  share,
  simulated,
  trySubmission,
} from '../../helpers/agents/simulated-agent.ts'

describe('the submissions of a simulated agent', () => {
  it('are right at the rate of skill and difficulty', async () => {
    const hard = answerTask({ ref: 'test/hard', difficulty: 1 })
    const agent = simulated(
      { skills: { produce: 1, judge: 0, summarise: 0, decide: 0 }, difficulty: { weight: 2, default: 0.25 } },
      [hard],
    )
    await expectShare(logistic(0.5), agent, isRight)
    await expectShare(logistic(-1), agent, isRight, {}, hard)
  })

  it('are better by a planted effect, only for the label or strategy that it names', async () => {
    const agent = simulated({ effects: { sequential: 1, 'sequential[maxInner=5]': -1 } })
    const of = (method: string, strategy: string) => ({ trial: { method, strategy } })
    await expectShare(logistic(1), agent, isRight, of('B', 'sequential'))
    await expectShare(logistic(-1), agent, isRight, of('sequential[maxInner=5]', 'sequential'))
    await expectShare(logistic(0), agent, isRight, of('A', 'baseline'))
  })

  it('are better with each round of feedback, up to the maximum', async () => {
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

  it('are worse with a long prompt, by its part above the threshold', async () => {
    const agent = simulated({ context: { threshold: 1_000, lossPerThousand: 0.5 } })
    await expectShare(logistic(0), agent, isRight, { prompt: 'x'.repeat(4_000) })
    await expectShare(logistic(-1), agent, isRight, { prompt: 'x'.repeat(12_000) })
  })

  it('depend on a seeded interaction of method and task, or on none if it is 0', async () => {
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

  it('succeed and fail together by the correlation, at an unchanged rate', async () => {
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

  it('never include the reference among the wrong ones', async () => {
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

  it('stay right once they are right, except at the rate of regressions', async () => {
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

it('a simulated agent opens right and wrong submissions alike', async () => {
  const openings = async (produce: number) => {
    const agent = simulated({ skills: { produce, judge: 0, summarise: 0, decide: 0 } })
    const found = new Set<string>()
    for (let epoch = 1; epoch <= 100; epoch++)
      found.add((await ask(agent, { trial: { epoch } })).text.split('\n')[0] as string)
    return [...found].sort()
  }
  expect(await openings(40)).toEqual(await openings(-40))
})

it('a simulated agent rejects a task that it was never given', async () => {
  await expect(ask(simulated(), { trial: { task: 'test/other' } })).rejects.toThrow(
    'was never given the task test/other',
  )
})

it('a simulated agent with the default profile succeeds alone about half of the time', async () => {
  const range = Array.from({ length: 17 }, (_, i) =>
    answerTask({ ref: `test/d${i}`, difficulty: 0.1 + i * 0.05 }),
  )
  const agent = createSimulated({ profile: loadProfile('default'), tasks: range, trySubmission })
  let all = 0
  for (const task of range) all += await share(agent, isRight, {}, task, 300)
  expect(all / range.length).toBeGreaterThan(0.45)
  expect(all / range.length).toBeLessThan(0.6)
})

it('the models of a profile differ in skill and price, and an unknown one is refused', async () => {
  const profile = loadProfile('mix')
  const task = answerTask({ difficulty: 0.5 })
  const of = (model: string) => createSimulated({ profile, model, tasks: [task], trySubmission })
  expect([of('').name, of('dear').name]).toEqual(['simulated', 'simulated:dear'])
  const [cheap, dear] = [
    await share(of('cheap'), isRight, {}, task, 400),
    await share(of('dear'), isRight, {}, task, 400),
  ]
  expect(dear - cheap).toBeGreaterThan(0.2)
  expect(profileOfModel(profile, 'dear').price.output).toBe(
    30 * profileOfModel(profile, 'cheap').price.output,
  )
  expect(() => of('deer')).toThrow('the profile mix has no such model. Did you mean "dear"?')
  expect(() =>
    createSimulated({ profile: loadProfile('default'), model: 'dear', tasks: [], trySubmission }),
  ).toThrow('the profile default has no such model')
})

const submissions = submissionsOf(answer, {
  wrong: [{ label: 'other', passesVisible: false, quality: 0, submission: { answer: '41' } }],
})
const prompt = (checkpoint: string, texts: Readonly<Record<string, string>>) =>
  `### Why you are asked
${checkpoint}: state draft was entered 3 times. The workflow has left check and would go to draft.

### Outputs
${Object.keys(texts)
  .map((path) => `- ${path} by ada in draft, visit 2: 2 words`)
  .join('\n')}

### Your options
- retry_different: run the state \`retry_from\` (draft, check) again with your \`guidance\`${Object.entries(
    texts,
  )
    .map(([path, text]) => `\n\n## ${path}\n${text}`)
    .join('')}`

const decisions = (checkpoint: string, texts: Readonly<Record<string, string>>, skill: number) =>
  Array.from({ length: 200 }, (_, i) =>
    OrchestratorDecision.parse(
      simulatedDecision(prompt(checkpoint, texts), submissions, skill, seededRandom(`${i}`)),
    ),
  )
const kinds = (all: readonly OrchestratorDecision[]) =>
  [...new Set(all.map(({ decision }) => decision))].sort()

describe('a simulated orchestrator', () => {
  const both = { 'drafts/ada.md': 'Answer: 41', 'drafts/ben.md': 'Answer: 42', 'audits/ada.md': 'Good.' }

  it('that is skilled takes the right output when a rule breaks', () => {
    for (const decided of decisions('loop_warning', both, 40))
      expect(decided).toMatchObject({ decision: 'force_complete', use_output: 'drafts/ben.md' })
  })

  it('that is skilled takes a wrong one, goes on or sends back where none is right', () => {
    const all = decisions('loop_warning', { 'drafts/ada.md': 'Answer: 41' }, 40)
    expect(kinds(all)).toEqual(['force_complete', 'proceed', 'retry_different'])
    for (const decided of all)
      if (decided.decision === 'retry_different') expect(decided).toMatchObject({ retry_from: 'draft' })
  })

  it('that is skilled goes on at the end of a workflow', () => {
    expect(kinds(decisions('workflow_complete', both, 40))).toEqual(['proceed'])
  })

  it('without skill decides everything by chance, and names only what exists', () => {
    const all = decisions('loop_warning', both, -40)
    expect(kinds(all)).toEqual(['dump_context', 'force_complete', 'halt', 'proceed', 'retry_different'])
    for (const decided of all)
      if (decided.decision === 'force_complete') expect(Object.keys(both)).toContain(decided.use_output)
  })

  it('is known by the shape of its decision alone', () => {
    const schema = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
    expect(isDecision(schema(OrchestratorDecision))).toBe(true)
    expect(isDecision(schema(z.object({ decision: z.literal('proceed') })))).toBe(false)
    expect(isDecision(schema(z.union([z.string(), z.object({ decision: z.literal('go') })])))).toBe(false)
  })
})

const roles = {
  boss: 'decide',
  plan: 'decide',
  check: 'judge',
  make: 'produce',
  test: 'judge',
  mend: 'decide',
} as const
const order = ['plan', 'check', 'make', 'test', 'mend', 'end']
const past = (role: keyof typeof roles, data?: unknown): PastAsk[] => [
  { role, work: roles[role], data },
  { role: 'boss', work: 'decide', data: { next: 'whatever' } },
]
const yes = { ok: true }
const no = { ok: false }

describe('the next role', () => {
  it.each([
    ['the first at the start', [], 'plan'],
    ['the first judge after a plan', past('plan'), 'check'],
    ['the producer after a judge said no', past('check', no), 'make'],
    ['the next judge after a judge said yes', past('check', yes), 'test'],
    ['the judge before the producer after a submission', past('make'), 'check'],
    ['the decider listed after the last judge when that one says no', past('test', no), 'mend'],
    ['the first judge after that', past('mend'), 'check'],
    ['the end when the last judge says yes', past('test', yes), 'end'],
    ['the producer when a judge said nothing that can be read', past('check'), 'make'],
  ])('is %s', (_, history, next) => {
    expect(nextRole(order, { roles, history })).toBe(next)
  })

  it('depends on order and kind of work, not on names', () => {
    const renamed = { a: 'judge', b: 'produce', c: 'summarise' } as const
    const next = (role: 'a' | 'b' | 'c', data?: unknown) =>
      nextRole(['b', 'a', 'c', 'stop'], { roles: renamed, history: [{ role, work: renamed[role], data }] })
    expect([next('b'), next('a', 0.3), next('a', 0.9), next('c')]).toEqual(['a', 'b', 'c', 'stop'])
  })
})

it.each([
  [{ compliance: 0.8, violations: ['x'] }, true],
  [{ compliance: 0.79, violations: [] }, false],
  [{ feedback: 'good', satisfied: false }, false],
  [{ score: 7, ok: true }, true],
  [{ findings: [] }, true],
  [{ findings: ['x'] }, false],
  [{ inner: { approved: true } }, true],
  [{ note: 'x' }, undefined],
  [undefined, undefined],
])('approves reads the verdict of %j as %s', (data, verdict) => {
  expect(approves(data)).toBe(verdict)
})

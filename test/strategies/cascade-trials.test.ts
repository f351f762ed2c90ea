import { describe, expect, it } from 'vitest'
import type { AgentReply, AgentRequest } from '../../src/agents/agent.ts'
import { CascadeState } from '../../src/schema/method/cascade.ts'
import type { Task } from '../../src/schema/task.ts'
import { cascade } from '../../strategies/cascade.ts'
import { consensus } from '../../strategies/consensus.ts'
import { rubricTask, verdict } from '../helpers/graders/rubric-task.ts'
import { agentOf, answerTask, playTrial, type Setting } from '../helpers/runs/trial.ts'

type Reply = string | Partial<AgentReply>
const failing = (reason: NonNullable<AgentReply['error']>['reason']): Reply => ({
  error: { reason, message: `it was ${reason}` },
})

/** Plays a cascade whose steps reply so; step n costs n cents. */
async function played(replies: Readonly<Record<string, Reply>>, setting: Partial<Setting> = {}) {
  const asked: string[] = []
  const agent = agentOf(({ role, schema }: AgentRequest) => {
    asked.push(role)
    const reply = replies[role] ?? ''
    const costUsd = schema ? 0.005 : Number(role.slice(-1)) / 100
    const mark = (schema?.properties as Record<string, { const?: string }> | undefined)?.mark?.const
    if (schema)
      return { text: JSON.stringify({ reason: '', accept: reply === 'yes', ...(mark && { mark }) }), costUsd }
    return { costUsd, ...(typeof reply === 'string' ? { text: reply } : reply) }
  })
  const options = cascade.options.parse(setting.options ?? {})
  const played = await playTrial({ agent, strategy: cascade, ...setting, options })
  const { data: state } = CascadeState.safeParse(played.record.state?.cascade)
  return { ...played, asked, state }
}

const three = (one: Reply, two: Reply, last: Reply) => ({ 'step-1': one, 'step-2': two, 'step-3': last })

describe('the answers of a cascade that were not handed in', () => {
  it('are graded after the trial, by its graders and at no cost, and each step has its dollars', async () => {
    const { record, state, steps } = await played(three('Answer: 42', 'Answer: 41', 'Answer: 7'))
    expect(record).toMatchObject({ passed: false, fidelity: { status: 'kept' } })
    expect(record.candidates?.map(({ role, passed }) => [role, passed])).toEqual([
      ['step-1', true],
      ['step-2', false],
      ['step-3', false],
    ])
    expect(record.spent).toMatchObject({ calls: 3, costUsd: 0.06 })
    expect(state?.steps).toEqual([1, 2, 3].map((n) => ({ role: `step-${n}`, costUsd: n / 100 })))
    expect(steps.filter(({ kind }) => kind === 'grade').map(({ payer }) => payer)).not.toContain('method')
  })

  it('are not graded where that would ask judges, unless the run grades candidates', async () => {
    let judged = 0
    const judge = agentOf(
      (request) => {
        judged++
        return verdict(request, 'yes', 'yes')
      },
      { name: 'judge' },
    )
    const play = (more: Partial<Setting>) =>
      played(three('Paris', 'Rome', 'Oslo'), { task: rubricTask(), judges: [judge], ...more })
    expect((await play({})).record).toMatchObject({ passed: true, candidates: undefined })
    const once = judged
    const { candidates } = (await play({ gradeCandidates: true })).record
    expect(candidates).toHaveLength(3)
    expect(judged - once).toBeGreaterThan(once)
  })

  it('cost of the judge is its own', async () => {
    const { state, asked } = await played(
      { 'step-1': 'Answer: 1', 'step-2': 'Answer: 42', judge: 'no' },
      { options: { until: 'judge', steps: 2 } },
    )
    expect(asked).toEqual(['step-1', 'judge', 'step-2'])
    expect(state?.decisions).toEqual([
      { after: 'step-1', accepted: false, why: 'the judge does not accept it', costUsd: 0.005 },
    ])
  })
})

describe('a step whose agent gives nothing', () => {
  it.each(['refusal', 'empty', 'timeout', 'context-overflow'] as const)(
    '%s: goes on to the next agent, and the record has the failure and its cost',
    async (reason) => {
      const { record, state } = await played(three(failing(reason), 'Answer: 42', 'Answer: 42'))
      expect(record).toMatchObject({
        passed: true,
        outcome: { status: 'completed' },
        fidelity: { status: 'kept' },
      })
      expect(state?.steps[0]).toMatchObject({ failed: expect.stringContaining('it was'), costUsd: 0.01 })
      expect(state?.decisions[0]).toMatchObject({ accepted: false, why: 'one agent alone' })
    },
  )

  it('an empty reply is such a failure, whatever the rule', async () => {
    for (const until of ['checks', 'judge'] as const) {
      const { record, state } = await played(
        { 'step-1': '', 'step-2': 'Answer: 42' },
        { options: { until, steps: 2 } },
      )
      expect(record.passed).toBe(true)
      expect(state?.decisions[0]?.why).toBe('no agent gave anything')
    }
  })

  it('is the failure of the trial if no agent gives anything', async () => {
    const { record } = await played(three(failing('refusal'), failing('refusal'), failing('refusal')))
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('refusal') })
  })
})

describe('a limit of the trial', () => {
  it.each([
    [{ calls: 1 }, {}],
    [{ costUsd: 0.005 }, { until: 'judge', steps: 2 }],
  ])('%j ends a cascade with the answer that it has by then', async (limits, options) => {
    const replies = { ...three('Answer: 42', 'Answer: 1', 'Answer: 42'), judge: 'no' }
    const { record, state, asked } = await played(replies, { limits, options: { ...options } })
    expect(record.outcome.status).toBe('limited')
    expect(record.answer).toMatch(/^Answer: /)
    expect(state?.delivered).toBe(asked.length > 1 ? 'step-2' : 'step-1')
    expect(record.detail).toMatch(/^a limit of the trial: /)
  })

  it('leaves the files of the work so far', async () => {
    const task = answerTask({ output: 'files', editable: ['**'] }, { 'a.txt': 'A\n' })
    const file = (text: string) => `FILE: a.txt\n\`\`\`\n${text}\n\`\`\`\n`
    const { record } = await played(
      { 'step-1': file('one'), judge: 'no', 'step-2': file('two') },
      { task, limits: { calls: 2 }, options: { until: 'judge', steps: 2 } },
    )
    expect(record.outcome.status).toBe('limited')
    expect(record.delivered).not.toBeNull()
    expect(record.deliveredFrom).toContain('step-1')
  })
})

it('replay and resume find the same decisions, costs and grades, also after a failure', async () => {
  const replies = { ...three(failing('refusal'), 'Answer: 1', 'Answer: 42'), judge: 'no' }
  for (const options of [{}, { until: 'judge', steps: 3 }, { until: 'checks' }]) {
    const first = await played(replies, { options })
    for (const more of [{ replay: true }, {}]) {
      const again = await played({}, { options, folder: first.folder, ...more })
      expect(again.asked).toEqual([])
      expect(again.divergences).toEqual([])
      expect({ ...again.record, wall: {} }).toEqual({ ...first.record, wall: {} })
    }
  }
})

describe('agreement is the equality of the graders of the task, never of the right answer', () => {
  const graded = (grader: object, answer: string) =>
    answerTask({ graders: [{ name: 'answer', ...grader, answer }] as Task['spec']['graders'] })

  it.each([
    [{ kind: 'numeric', tolerance: 0 }, 'It takes 120 minutes.\n\nAnswer: 120 minutes', 'Answer: 120'],
    [{ kind: 'math' }, 'Answer: $\\frac12$', '\\boxed{1/2}'],
    [{ kind: 'choice', options: ['valid', 'invalid'] }, 'So the answer is (B).', 'Answer: invalid'],
  ])('%j', async (grader, one, two) => {
    const task = graded(grader, grader.kind === 'choice' ? 'valid' : '7')
    const { asked, record } = await played(three(one, two, 'Answer: 7'), { task })
    expect([asked, record.detail, record.passed]).toEqual([
      ['step-1', 'step-2'],
      'step-2: step-1 and step-2 agree',
      false,
    ])
    const agent = agentOf(({ role }) => ({ 'worker-1': 'Answer: 7', 'worker-2': one })[role] ?? two)
    const voted = await playTrial({ task, agent, strategy: consensus, options: consensus.options.parse({}) })
    expect(voted.record.state).toMatchObject({ agreement: { classes: [2, 1] }, elected: 'worker-2' })
  })

  it('where it is not transitive, the order of the steps decides, and replay finds the same', async () => {
    const task = graded({ kind: 'numeric', tolerance: 0 }, '7')
    const play = async (answers: readonly string[]) => {
      const replies = Object.fromEntries(answers.map((answer, i) => [`step-${i + 1}`, `Answer: ${answer}`]))
      const { record, folder } = await played(replies, { task, options: { steps: 4 } })
      const again = await played(replies, { task, options: { steps: 4 }, folder, replay: true })
      expect(again.record.detail).toBe(record.detail)
      return record.detail
    }
    expect(await play(['25', '0.25', '25%', '1'])).toBe('step-3: step-1 and step-3 agree')
    expect(await play(['0.25', '25', '25%', '1'])).toBe('step-3: step-1 and step-3 agree')
    expect(await play(['25%', '1', '25', '0.25'])).toBe('step-3: step-1 and step-3 agree')
  })
})

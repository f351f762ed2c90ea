import { expect, it } from 'vitest'
import { agentOf, agentThatReplies, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const threeTimes = strategyOf(async ({ ask }) => {
  for (const prompt of ['Solve it.', 'Is that right?', 'Surely?']) await ask('solver', prompt)
  return { stopReason: 'done' }
})

it('a trial grades each distinct candidate once and records what it was made from', async () => {
  const agent = agentThatReplies('Answer: 42', 'Answer: 7', 'Answer: 7')
  const { record, steps } = await playTrial({ agent, strategy: threeTimes, gradeCandidates: true })
  expect(record).toMatchObject({
    passed: false,
    deliveredFrom: '#2',
    candidates: [
      { key: '#0', role: 'solver', at: 1000, passed: true, score: 1 },
      { key: '#1', from: '#0', at: 2000, passed: false },
      { key: '#2', from: '#1', at: 3000, passed: false, delivered: record.delivered },
    ],
  })
  expect(record.candidates?.[0]).not.toHaveProperty('from')
  expect(steps.filter(({ kind }) => kind === 'grade')).toMatchObject([
    { key: 'grade#0', passed: false },
    { key: 'grade/#0', of: '#0', passed: true, payer: 'grading' },
  ])
  // Grading is neither on the trial's clock nor on its bill.
  expect(record).toMatchObject({ durationMs: 3000, spent: { calls: 3, checks: 0 } })
})

it('a trial grades only its final result by default', async () => {
  const { record, steps } = await playTrial({
    agent: agentThatReplies('Answer: 42', 'Answer: 7', 'Answer: 7'),
    strategy: threeTimes,
  })
  expect(record).not.toHaveProperty('candidates.0')
  expect(steps.filter(({ kind }) => kind === 'grade')).toHaveLength(1)
})

it('a candidate keeps its source through forks and adopted branches', async () => {
  const task = answerTask({
    output: 'files',
    editable: ['*.txt'],
    graders: [{ kind: 'pattern', name: 'says', require: ['right'], forbid: [], flags: '' }],
  })
  const agent = agentOf(({ prompt }) => `FILE: a.txt\n\`\`\`\n${/say (\w+)/.exec(prompt)?.[1]}\n\`\`\``)
  const strategy = strategyOf(async (context) => {
    const made = await Promise.all(
      ['wrong', 'right'].map((word) =>
        context.branch(word, async ({ ask, workspace }) => {
          await ask('solver', `say ${word}`)
          return workspace
        }),
      ),
    )
    context.workspace.adopt(made[1] as (typeof made)[number])
    await context.ask('solver', 'say better')
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent, strategy, task, gradeCandidates: true })
  expect(record).toMatchObject({
    passed: false,
    deliveredFrom: '#0',
    candidates: [
      { key: 'right#0', passed: true },
      { key: 'wrong#0', passed: false },
      { key: '#0', from: 'right#0', passed: false },
    ],
  })
})

it('grades of candidates come from the journal on resume and replay, and only missing ones are made', async () => {
  const agent = () => agentThatReplies('Answer: 42', 'Answer: 7', 'Answer: 7')
  const { folder, record } = await playTrial({ agent: agent(), strategy: threeTimes, gradeCandidates: true })
  const { wall: _, ...before } = record
  for (const replay of [false, true]) {
    const again = await playTrial({
      agent: agent(),
      strategy: threeTimes,
      gradeCandidates: true,
      folder,
      replay,
    })
    expect(again.divergences).toEqual([])
    expect(again.record).toMatchObject(before)
    expect(again.steps).toHaveLength(5)
  }
})

it('the keys of grades differ from those of a branch named "grade"', async () => {
  const strategy = strategyOf(async ({ branch }) => {
    await branch('grade', ({ ask }) => ask('solver', 'Solve it.'))
    return { answer: '42', stopReason: 'done' }
  })
  const agent = agentOf(() => 'Answer: 42')
  const { folder, steps, record } = await playTrial({ agent, strategy, gradeCandidates: true })
  expect(steps.map(({ key }) => key)).toEqual(['grade~2#0', 'grade#0', 'grade/grade~2#0'])
  const again = await playTrial({ agent, strategy, gradeCandidates: true, folder, replay: true })
  expect(again.divergences).toEqual([])
  expect(again.record.candidates).toEqual(record.candidates)
})

import { expect, it } from 'vitest'
import { chained } from '../../../strategies/chained.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'
import { agentOf, playTrial, type Setting } from '../../helpers/runs/trial.ts'

it('a test that hangs is told to the builder, although the stage has little time', async () => {
  const hang = "import { test } from 'node:test'\ntest('waits', () => { for (;;); })\n"
  const approve = JSON.stringify({ verdict: 'approve', comments: 'Good.', blocking: [] })
  const work = `FILE: src/sum.mjs\n\`\`\`\n${rightSum}\`\`\`\n`
  const { record, steps } = await playTrial({
    agent: agentOf(({ role }) => (role === 'reviewer' ? approve : work)),
    strategy: chained as Setting['strategy'],
    options: chained.options.parse({ stageSeconds: 5, rounds: 2, stages: 'build:test' }),
    task: codeTask({ files: { 'wait.test.mjs': hang } }),
  })
  expect(record).toMatchObject({ claimed: 'exhausted', detail: 'not good after 2 rounds, by test' })
  const asks = steps.flatMap((step) => (step.kind === 'ask' ? [JSON.stringify(step)] : []))
  expect(asks[1]).toContain('did not end within 4 s')
})

import { expect, it } from 'vitest'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { billText } from '../../../src/reports/words/bill-text.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const asking = (...prompts: string[]) =>
  strategyOf(async ({ ask }) => {
    for (const prompt of prompts) await ask('solver', prompt)
    return { stopReason: 'done' }
  })

it('the bill moves steps that a divergence voided from the method to void, and the total stays the same', async () => {
  const agent = agentOf(() => 'Answer: 42')
  const { folder } = await playTrial({ agent, strategy: asking('one', 'two', 'three') })
  expect(sumRunBill(folder)).toMatchObject({ method: { calls: 3, costUsd: 0.03 }, void: { calls: 0 } })
  await playTrial({ agent, strategy: asking('one', 'other'), folder })
  const bill = sumRunBill(folder)
  expect(bill).toMatchObject({
    method: { calls: 2, costUsd: 0.02, input: 200 },
    void: { calls: 2, costUsd: 0.02, input: 200 },
  })
  expect(billText({ ...bill })).toMatch(/methods: 2 calls, 220 tokens, \$0\.0200\n {2}void .*: 2 calls/)
})

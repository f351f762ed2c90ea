import { expect, it } from 'vitest'
import { voidTrials } from '../../../src/loop/record/repair.ts'
import { countPaidTwice, sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { billText } from '../../../src/reports/words/bill-text.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
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

it('calls may have been charged twice if they are void and went to a paid agent, and no others', async () => {
  for (const paid of [true, false]) {
    const agent = { ...agentOf(() => 'Answer: 42'), paid }
    const { folder } = await playTrial({ agent, strategy: asking('one', 'two', 'three') })
    expect(countPaidTwice(folder)).toBe(0)
    await playTrial({ agent, strategy: asking('one', 'other'), folder })
    expect(sumRunBill(folder).void.calls).toBe(2)
    expect(countPaidTwice(folder)).toBe(paid ? 2 : 0)
  }
})

it('checks of voided steps move to void, too, also those that a tool made', async () => {
  const checking = strategyOf(async ({ ask, workspace }) => {
    await ask('solver', 'one')
    await workspace.check()
    return { stopReason: 'done' }
  })
  const agent = agentThatCalls([[['check']]])
  const { folder, record } = await playTrial({ agent, strategy: checking, tools: toolsOf() })
  expect(record.spent.checks).toBe(2)
  await voidTrials(folder, new Map([[record.trial, 'of the test']]))
  expect(sumRunBill(folder)).toMatchObject({
    method: { calls: 0, checks: 0 },
    void: { calls: 2, checks: 2 },
  })
})

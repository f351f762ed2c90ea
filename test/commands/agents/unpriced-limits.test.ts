import { expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { unpricedLimits } from '../../../src/commands/agents/known-bill.ts'
import type { Method } from '../../../src/schema/ledger/trial.ts'
import type { Problem } from '../../../src/text/errors.ts'

const program = { command: ['mine'] }
const agents = { model: 'openai-compatible:m', program: 'mine=cli:mine' }

/** Checks a limit of a run whose agents are these, with --allow-unpriced. */
async function warnings(unit: 'costUsd' | 'tokens', ...names: string[]) {
  const row = Object.fromEntries(names.map((name, role) => [`role${role}`, { name } as Agent]))
  const problems: Problem[] = []
  const run = {
    ...{ methods: [{ label: 'a' } as Method], agents: {}, rows: new Map([['a', row]]), prices: undefined },
    judges: [],
    agentSettings: { [agents.program]: { program } },
  }
  return unpricedLimits([{ where: 'limit', unit }], run as never, true, problems)
}

it('a server may tell the cost of its replies', async () => {
  const [warning] = await warnings('costUsd', agents.model)
  expect(warning).toMatch(
    /^limit cannot hold, .*; these calls are counted only if the server tells their cost$/,
  )
})

it('a program that reports no counts is not counted', async () => {
  expect(String(await warnings('costUsd', agents.program))).toMatch(/; these calls are not counted$/)
  expect(String(await warnings('tokens', agents.program))).toMatch(/; these calls are not counted$/)
  expect(String(await warnings('costUsd', agents.model, agents.program))).toMatch(
    /tells their cost; those of mine=cli:mine are not counted$/,
  )
})

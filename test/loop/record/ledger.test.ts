import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply } from '../../../src/agents/agent.ts'
import { injectFaults } from '../../../src/agents/faults.ts'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { type FaultKind, FaultKind as Kinds } from '../../../src/schema/agent/faults.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { agentOf, asksIn, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** The fault of each call in order; `none` lets the provider answer. */
const misfortunes = fc.array(
  fc.constantFrom<FaultKind | 'none'>('none', ...Kinds.options.filter((kind) => kind !== 'kill')),
  { minLength: 1, maxLength: 14 },
)

/** A provider that keeps its own bill, behind faults in a given order; each call has its own price. */
function provider(faults: readonly (FaultKind | 'none')[]) {
  const booked = new Map<string, AgentReply>()
  const inner = agentOf(({ trial, attempt, schema }) => {
    const count = booked.size + 1
    const reply = {
      text: schema ? '{"ok": true}' : `FILE: a.txt\n\`\`\`\n${count}\n\`\`\`\n`,
      tokens: { input: 1000 + count, output: 10 * count, cached: count },
      costUsd: count / 1000,
      durationMs: 100,
    }
    booked.set(`${trial.key}/${attempt}`, reply)
    return reply
  })
  let calls = 0
  const agent: Agent = {
    ...inner,
    virtualTime: true,
    ask: (request, signal) => {
      const fault = faults[calls++ % faults.length] as FaultKind | 'none'
      return injectFaults({ ...inner, virtualTime: true }, fault === 'none' ? {} : { [fault]: 1 }).ask(
        request,
        signal,
      )
    },
  }
  return { agent, booked, asked: () => calls }
}

/** Asks alternately for work and for data, and repeats failed asks. */
const stubborn = strategyOf(async ({ ask }) => {
  for (let i = 0; i < 4; i++) {
    for (const attempt of [
      () => ask('solver', `work ${i}`),
      () => ask('judge', `judge ${i}`, { shape: z.object({ ok: z.boolean() }) }),
    ])
      await attempt().catch((error) => {
        if (!(error instanceof AgentError)) throw error
      })
  }
  return { stopReason: 'done' }
})

/** Every attempt is in the ledger once, with the provider's cost, zero, or unknown cost. */
function agrees(steps: readonly AskStep[], booked: ReadonlyMap<string, AgentReply>): void {
  const names = steps.map(({ key, attempt }) => `${key}/${attempt}`)
  expect(new Set(names).size).toBe(names.length)
  for (const [i, { tokens, costUsd, fault, error }] of steps.entries()) {
    const own = booked.get(names[i] as string)
    if (fault === 'rate-limit' || fault === 'server') {
      expect(own).toBeUndefined()
      expect({ tokens, costUsd }).toEqual({ tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 })
    } else if (tokens.input === null) {
      expect(['timeout', 'dropped', 'exit']).toContain(fault)
      expect(error).toBeDefined()
      expect(costUsd).toBeNull()
    } else expect({ tokens, costUsd }).toEqual({ tokens: own?.tokens, costUsd: own?.costUsd })
  }
  // No call of the provider's bill is missing in the ledger.
  for (const name of booked.keys()) expect(names).toContain(name)
}

it('the ledger equals the provider’s bill, whatever fault the calls have, also after a resume from any step', async () => {
  await fc.assert(
    fc.asyncProperty(misfortunes, fc.nat(3), fc.nat(60), async (faults, retries, cut) => {
      const { agent, booked, asked } = provider(faults)
      const { record, steps, folder } = await playTrial({ agent, strategy: stubborn, retries })
      expect(asksIn(steps)).toHaveLength(asked())
      agrees(asksIn(steps), booked)

      const reported = asksIn(steps).filter(({ tokens }) => tokens.input !== null)
      const sum = (of: (step: AskStep) => number | null) =>
        reported.reduce((all, step) => all + (of(step) ?? 0), 0)
      expect(record.spent).toMatchObject({
        calls: asksIn(steps).length,
        input: sum(({ tokens }) => tokens.input),
        output: sum(({ tokens }) => tokens.output),
        cached: sum(({ tokens }) => tokens.cached),
        unreportedTokens: asksIn(steps).length - reported.length,
        unreportedCost: asksIn(steps).length - reported.length,
      })
      expect(sumRunBill(folder).method).toMatchObject(record.spent)

      // A crash loses the end of the journal; the recorded asks are answered from it, and the others are asked again.
      const path = join(folder, 'steps.jsonl')
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      const kept = lines.slice(0, cut % (lines.length + 1))
      writeFileSync(path, kept.map((line) => `${line}\n`).join(''))
      const later = provider(faults)
      const resumed = await playTrial({ agent: later.agent, strategy: stubborn, retries, folder })
      const before = kept.filter((line) => line.includes('"kind":"ask"')).length
      expect(asksIn(resumed.steps)).toHaveLength(before + later.asked())
      agrees(asksIn(resumed.steps).slice(before), later.booked)
      expect(sumRunBill(folder).method).toMatchObject(resumed.record.spent)
    }),
    { numRuns: 40 },
  )
}, 60_000)

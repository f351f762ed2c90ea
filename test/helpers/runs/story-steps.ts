import { orderSteps } from '../../../src/reports/story/story-order.ts'
import { type AskStep, Step } from '../../../src/schema/ledger/step.ts'

export function ask(key: string, at: number, durationMs: number, changes: Partial<AskStep> = {}): Step {
  return Step.parse({
    kind: 'ask',
    trial: 't',
    key,
    attempt: 1,
    payer: 'method',
    hash: 'h',
    at,
    durationMs,
    role: 'generator',
    work: 'produce',
    agent: 'simulated',
    simulated: true,
    prompt: 'Write add.',
    reply: 'Done.',
    tokens: { input: 100, output: 20, cached: 0 },
    costUsd: 0.01,
    waitMs: 0,
    ...changes,
  })
}
export const common = { trial: 't', attempt: 1, payer: 'method', hash: 'h', durationMs: 0 } as const
export const keysOf = (steps: readonly Step[]) =>
  orderSteps(steps).map(({ step }) => `${step.key}/${step.attempt}`)

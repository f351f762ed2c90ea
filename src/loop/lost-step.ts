import type { AskStep, Intent } from '../schema/step.ts'

/** A call whose result was never seen stands in the ledger as one: it may have been paid, on nobody's bill. */
export function lostStep({ trial, key, attempt, agent, hash }: Intent): AskStep {
  return {
    trial,
    key,
    attempt,
    kind: 'ask',
    payer: 'void',
    hash,
    at: 0,
    durationMs: 0,
    role: '',
    work: 'produce',
    agent,
    simulated: false,
    prompt: '',
    tokens: { input: null, output: null, cached: null },
    costUsd: null,
    waitMs: 0,
    maybePaid: true,
  }
}

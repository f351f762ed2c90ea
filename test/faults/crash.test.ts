import { it } from 'vitest'
import { paidPlan, survives } from '../cli/run/crash-scenario.ts'

// All runs together are killed at a hundred moments.
it.each([
  { kills: 70, what: 'a live run', plan: paidPlan, epochs: '30', replyMs: 40, isTimed: false },
  {
    kills: 30,
    what: 'a run whose checks and graders start processes',
    plan: [
      ...paidPlan.map((word) => (word === 'answers' ? 'answers,duration-text' : word)),
      '--allow-unsandboxed',
    ],
    epochs: '12',
    replyMs: 60,
    // The duration of checks is measured, so it differs between runs.
    isTimed: true,
  },
])(
  '$what survives kill -9 at $kills random moments under load: no answered call repeated, no line lost or doubled',
  {
    timeout: 400_000,
  },
  ({ kills, plan, epochs, replyMs, isTimed }) =>
    survives({ kills, seed: 3, plan: [...plan, '--epochs', epochs], parallel: 8, replyMs, isTimed }),
)

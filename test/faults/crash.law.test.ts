import { it } from 'vitest'
import { paidGraphs, paidPlan, survives } from '../cli/run/crash-scenario.ts'
import { level } from '../helpers/house/level.ts'
import { argv } from '../helpers/runs/argv.ts'

// Ten or a hundred moments.
const tens = level(1, 10)

it.each([
  { kills: 7 * tens, what: 'a live run', plan: paidPlan, epochs: 3 * tens, replyMs: 40, isTimed: false },
  {
    kills: 3 * tens,
    what: 'a live run of graphs',
    plan: paidGraphs,
    epochs: tens,
    replyMs: 40,
    isTimed: false,
    branches: 5,
  },
  {
    kills: 3 * tens,
    what: 'a run whose checks and graders start processes',
    plan: argv`${paidPlan.map((word) => (word === 'answers' ? 'answers,duration-text' : word))}
      --allow-unsandboxed`,
    epochs: Math.ceil(1.2 * tens),
    replyMs: 60,
    // The duration of checks is measured, so it differs between runs.
    isTimed: true,
  },
])(
  '$what survives kill -9 at $kills random moments under load: no answered call repeated, no line lost or doubled',
  {
    timeout: 400_000,
  },
  ({ kills, plan, epochs, replyMs, isTimed, branches }) =>
    survives({
      kills,
      seed: 3,
      plan: [...plan, '--epochs', String(epochs)],
      parallel: 8,
      ...(branches !== undefined && { branches }),
      replyMs,
      isTimed,
    }),
)

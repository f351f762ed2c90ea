// Measures the cost of a start: help, and a run of one trial.
import { bench, each, inTurn, measure } from './measure.mjs'
import { makeRow } from './row.mjs'
import { runTrials } from './simulated-run.mjs'

export async function start(rounds) {
  const { bare, help, trial } = await inTurn(rounds, {
    bare: () => measure({ args: ['-e', '0'] }),
    help: () => measure({ args: [bench, '--help'] }),
    trial: () => runTrials({ epochs: 1 }),
  })
  const row = (what, ours, atMost) =>
    makeRow(what, 'ms', each('cpuMs', ours), 'node -e 0', each('cpuMs', bare), { atMost })
  return [row('bench --help, CPU', help, 3), row('a run of one trial, CPU', trial, 12)]
}

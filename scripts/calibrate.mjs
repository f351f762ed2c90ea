// npm run calibrate: does the harness call equal methods different, and do its intervals hold the truth? Dev-mode experiments
// with known truth through the whole pipeline. Options: --experiments N (1,000 of each world), --only TEXT. Exit code 1 when a
// rate is outside of its acceptance band.
import { tmpdir } from 'node:os'
import { mostErrors } from './calibration/band.mjs'
import { laboratory } from './calibration/experiment.mjs'
import { truthOf, worlds } from './calibration/worlds.mjs'
import { scriptOptions } from './script-options.mjs'

const values = scriptOptions('npm run calibrate [-- --experiments N --only TEXT]', {
  experiments: { type: 'string', default: '1000' },
  only: { type: 'string', default: '' },
})
const experiments = Number(values.experiments)
const chosen = worlds.filter(({ name }) => name.includes(values.only))
if (!Number.isSafeInteger(experiments) || experiments < 20 || chosen.length === 0) {
  process.stderr.write(
    `calibrate: --experiments is a number of at least 20, --only a part of: ${worlds.map(({ name }) => name).join('; ')}\n`,
  )
  process.exit(2)
}
const most = mostErrors(experiments)
// Away from any checkout: each run would ask git for its state.
process.chdir(tmpdir())

/** Whether an interval contains the value; a missing limit excludes nothing. */
const holds = ({ lower, upper }, value) => (lower ?? -Infinity) <= value && (upper ?? Infinity) >= value

/** Returns the errors of an experiment, by the truth of its world. */
function errorsIn({ pairs, methods }, { first, other }) {
  const [pair] = pairs
  const [a, b] = [
    methods.find(({ label }) => label === pair.a),
    methods.find(({ label }) => label === pair.b),
  ]
  const [truthA, truthB] = [a, b].map(({ label }) => (label === 'm0' ? first : other))
  return {
    ...(first === other && { 'falsely better': pairs.some(({ verdict }) => verdict?.word === 'better') }),
    'difference of success missed': !holds(pair.outcome, truthA - truthB),
    'success rate missed': !holds(b.success, truthB),
    'ratio of tokens missed': !holds(pair.spent.tokens.ratio, 1),
    'ratio of costs missed': !holds(pair.spent.costUsd.ratio, 1),
    'ratio on the typical task missed': !holds(pair.spent.tokens.typical, 1),
    'ratio of costs per success missed': !holds(pair.costPerSuccess, truthB / truthA),
  }
}

let outside = 0
for (const world of chosen) {
  const truth = truthOf(world)
  const { experiment, end } = laboratory(world, worlds.indexOf(world) * 1_000_000)
  const errors = {}
  let found = 0
  try {
    for (let number = 1; number <= experiments; number++) {
      const comparison = await experiment(number)
      for (const [what, is] of Object.entries(errorsIn(comparison, truth)))
        errors[what] = (errors[what] ?? 0) + (is ? 1 : 0)
      if (comparison.pairs.some(({ verdict }) => verdict?.word === 'better' && verdict.method === 'm0'))
        found++
    }
  } finally {
    end()
  }
  process.stdout.write(`${world.name}\n`)
  for (const [what, times] of Object.entries(errors)) {
    const kept = times <= most
    if (!kept) outside++
    process.stdout.write(
      `  ${what.padEnd(34)} ${String(times).padStart(4)} of ${experiments}, accepted: at most ${most}${kept ? '' : '  OUTSIDE'}\n`,
    )
  }
  if (world.effect)
    process.stdout.write(`  ${'effect found'.padEnd(34)} ${String(found).padStart(4)} of ${experiments}\n`)
}
process.stdout.write(
  outside === 0 ? 'all rates are within their bands\n' : `${outside} rate(s) outside of their band\n`,
)
process.exitCode = outside === 0 ? 0 : 1

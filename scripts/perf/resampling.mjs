// Measures the cost of a bootstrap over tasks, beside SciPy's on the same numbers: all pairs of 8 methods in 2 metrics.
import { execa } from 'execa'
import { percentileInterval, replicateMeans } from '../../dist/src/analysis/resampling/bootstrap.js'
import { seededRandom } from '../../dist/src/base/random.js'
import { pathOf, timeFunction } from './measure.mjs'
import { makeRow, missingRow } from './row.mjs'

const methods = 8
const tasks = 500
const resamples = 10_000
const what = 'bootstrap of 28 pairs, 2 metrics, 500 tasks, 10,000 times, CPU'

export async function resampling(rounds) {
  const python = await pythonWithScipy()
  if (!python) return [missingRow(what, 'get SciPy with `apt-get install python3-scipy`')]
  const columns = makeColumns()
  const input = JSON.stringify(columns.map((column) => [...column]))
  // One thread on either side.
  const env = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' }
  const { stdout } = await execa(python, [pathOf('resampling.py'), String(rounds)], { input, env })
  const scipy = JSON.parse(stdout)
  const differs = ({ lower, upper }, [low, high]) =>
    Math.max(Math.abs(lower - low), Math.abs(upper - high)) > (high - low) / 10
  if (bootstrap(columns).some((interval, i) => differs(interval, scipy.intervals[i])))
    throw new Error("an interval differs from SciPy's by more than a tenth of its width")
  const ours = await timeFunction(rounds, () => bootstrap(columns))
  const against = `scipy.stats.bootstrap ${scipy.version}`
  return [makeRow(what, 'ms', ours, against, scipy.cpuMs, { atLeast: 4 })]
}

/** Success of five epochs and tokens, with difficulties and sizes of tasks that all methods share. */
function makeColumns() {
  const random = seededRandom('perf/resampling')
  const difficulty = Array.from({ length: tasks }, random)
  const size = Array.from({ length: tasks }, () => 500 + 4000 * random() ** 3)
  return Array.from({ length: methods }, (_, method) => [
    Float64Array.from(difficulty, (hard) => Math.round(5 * Math.min(1, random() * 0.6 + hard * 0.5)) / 5),
    Float64Array.from(size, (tokens) => Math.round(tokens * (1 + method / 10) * (0.8 + 0.4 * random()))),
  ]).flat()
}

/** An interval for each pair of methods in each metric; columns of the two metrics take turns. */
function bootstrap(columns) {
  const replicates = replicateMeans(columns, resamples, seededRandom('bootstrap'))
  return replicates.flatMap((ours, a) =>
    replicates
      .filter((_, b) => b > a && b % 2 === a % 2)
      .map((theirs) =>
        percentileInterval(
          ours.map((mean, i) => mean - theirs[i]),
          0.95,
        ),
      ),
  )
}

async function pythonWithScipy() {
  for (const python of ['python3', '/usr/bin/python3'])
    if ((await execa(python, ['-c', 'from scipy.stats import bootstrap'], { reject: false })).exitCode === 0)
      return python
}

// Resamples 28 pairs of 8 methods in 2 metrics over 500 tasks, 10,000 times. Argument: bootstrap, flips, or both.
// Prints the CPU milliseconds of that part, this process's alone, and one interval, so that both sides can be compared.
import { flipP, flippedMeans } from '../../dist/src/analysis/resampling/flipped-means.js'
import { percentileInterval } from '../../dist/src/analysis/resampling/percentile-interval.js'
import { replicateMeans } from '../../dist/src/analysis/resampling/replicate-means.js'
import { seededRandom } from '../../dist/src/random.js'

const part = process.argv[2]
const methods = 8
const tasks = 500
const resamples = 10_000

/** Success of five epochs and tokens, with difficulties and sizes of tasks that all methods share; [method][metric]. */
const random = seededRandom('perf/resampling')
const difficulty = Array.from({ length: tasks }, random)
const size = Array.from({ length: tasks }, () => 500 + 4000 * random() ** 3)
const data = Array.from({ length: methods }, (_, method) => [
  Float64Array.from(difficulty, (hard) => Math.round(5 * Math.min(1, random() * 0.6 + hard * 0.5)) / 5),
  Float64Array.from(size, (tokens) => Math.round(tokens * (1 + method / 10) * (0.8 + 0.4 * random()))),
])
const columns = data.flat()
const pairs = [0, 1].flatMap((metric) =>
  data.flatMap((_, a) => data.slice(a + 1).map((_, next) => [2 * a + metric, 2 * (a + 1 + next) + metric])),
)
const minus = (a, b) => a.map((value, index) => value - b[index])
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

// What python3 is given: the same numbers, one line.
if (part === 'data') {
  process.stdout.write(JSON.stringify(columns.map((column) => [...column])))
  process.exit()
}

const started = process.cpuUsage()
const intervals = []
let hits = 0
if (part !== 'flips') {
  const replicates = replicateMeans(columns, resamples, seededRandom('bootstrap'))
  for (const [a, b] of pairs) intervals.push(percentileInterval(minus(replicates[a], replicates[b]), 0.95))
}
if (part !== 'bootstrap') {
  const flipped = flippedMeans(columns, resamples, seededRandom('flips'))
  for (const [a, b] of pairs) {
    const observed = mean(minus(columns[a], columns[b]))
    if (flipP(minus(flipped[a], flipped[b]), observed, 1e-9) < 0.05) hits++
  }
}
const { user, system } = process.cpuUsage(started)
process.stdout.write(
  JSON.stringify({ cpuMs: (user + system) / 1000, pairs: pairs.length, first: intervals[0] ?? null, hits }),
)

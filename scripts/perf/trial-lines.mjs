// The lines about trials without a model: what one costs, how many go through, whether many cost more each.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interleaved, measure, spread, temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { promptfoo, promptfooEnvironment, promptfooVersion } from './peers.mjs'
import { makeRow, missingRow } from './row.mjs'
import { countLines, longRuns, ourTrials, shortRuns, slopes } from './trials.mjs'

const cpu = ({ cpuMs }) => cpuMs
const wall = ({ wallMs }) => wallMs
const milliseconds = (samples) => Math.round(spread(samples.map(cpu)).median)
const microseconds = (values) => values.map((ms) => ms * 1000)

export function slope() {
  const { ours1k, floor1k, ours10k, floor10k } = shortRuns()
  return [
    makeRow({
      line: 'slope',
      what: 'CPU per further trial, 1,000 to 10,000',
      unit: 'us',
      ours: microseconds(slopes(ours1k, ours10k, 9_000, cpu)),
      against: 'p-map',
      reference: microseconds(slopes(floor1k, floor10k, 9_000, cpu)),
      atMost: 4,
      note: `the whole process at 1,000 trials: ${milliseconds(ours1k)} ms, the floor ${milliseconds(floor1k)} ms`,
    }),
  ]
}

export function throughput() {
  const { ours10k, floor10k } = shortRuns()
  const row = (what, value) =>
    makeRow({
      line: 'throughput',
      what,
      unit: 'ms',
      ours: ours10k.map(value),
      against: 'p-map',
      reference: floor10k.map(value),
      inverse: true,
      atLeast: 0.2,
    })
  const stepsAndRecords = ({ bytes }) => (bytes['steps.jsonl'] + bytes['records.jsonl']) / 10_000
  return [
    row('10,000 trials, whole process, CPU', cpu),
    row('10,000 trials, whole process, wall', wall),
    makeRow({
      line: 'throughput',
      what: 'steps and record of a trial on disk',
      unit: 'bytes',
      ours: ours10k.map(stepsAndRecords),
      note: `the record alone: ${Math.round(ours10k[0].bytes['records.jsonl'] / 10_000)} bytes`,
    }),
  ]
}

/** Tests times providers, one assertion, as in promptfoo's own documentation; the cheapest of its ways to write. */
export function peer() {
  const what = `10,000 trials against promptfoo ${promptfooVersion}`
  const program = promptfoo()
  if (!program) return [missingRow('peer', what, 'peer not installed: npm run bench:peers')]
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'promptfoo.json'), JSON.stringify(promptfooConfig(2_500)))
  const flags = [
    '-c',
    'promptfoo.json',
    '-j',
    '4',
    '--no-cache',
    '--no-progress-bar',
    '--no-table',
    '--no-share',
  ]
  const theirs = () => {
    const sample = measure({
      node: nodeOf(24),
      args: [program, 'eval', ...flags, '--no-write', '-o', 'out.jsonl'],
      cwd: folder,
      env: { ...promptfooEnvironment, PROMPTFOO_CONFIG_DIR: join(folder, 'config') },
    })
    const written = countLines(join(folder, 'out.jsonl'))
    if (written !== 10_000) throw new Error(`promptfoo wrote ${written} results of 10,000`)
    return sample
  }
  // Before and after theirs, which takes a quarter of a minute: the machine may be another by then.
  const ourRuns = (rounds) => interleaved(rounds, { ours: () => ourTrials(10_000) }).ours
  const before = ourRuns(5)
  const samples = interleaved(1, { theirs })
  const ours = [...before, ...ourRuns(4)]
  const row = (what, value) =>
    makeRow({
      line: 'peer',
      what,
      unit: 'ms',
      ours: ours.map(value),
      against: 'promptfoo',
      reference: samples.theirs.map(value),
      inverse: true,
      atLeast: 60,
    })
  return [row(`${what}, CPU`, cpu), row(`${what}, wall`, wall)]
}

function promptfooConfig(tests) {
  return {
    prompts: ['{{question}}'],
    providers: ['a', 'b', 'c', 'd'].map((label) => ({ id: 'echo', label })),
    tests: Array.from({ length: tests }, (_, i) => ({
      vars: { question: `What is ${i} times 23? Answer with the number alone.` },
      assert: [{ type: 'equals', value: `What is ${i} times 23? Answer with the number alone.` }],
    })),
  }
}

export function linear() {
  const { ours1k, ours10k } = shortRuns()
  const { ours100k } = longRuns()
  return [
    makeRow({
      line: 'linear',
      what: 'CPU per further trial, 10,000 to 100,000, against 1,000 to 10,000',
      unit: 'us',
      ours: microseconds(fromMedian(ours10k, ours100k, 90_000, cpu)),
      against: 'ours',
      reference: microseconds(slopes(ours1k, ours10k, 9_000, cpu)),
      atMost: 1.2,
      note: '"linear" is read as at most a fifth more per trial',
    }),
  ]
}

export function memory() {
  const { ours10k } = shortRuns()
  const { ours100k } = longRuns()
  const peak = ({ rssMiB }) => rssMiB
  return [
    makeRow({
      line: 'memory',
      what: 'peak at 10,000 trials',
      unit: 'MiB',
      ours: ours10k.map(peak),
      atMost: 120,
    }),
    makeRow({
      line: 'memory',
      what: 'peak per further trial, 10,000 to 100,000',
      unit: 'KiB',
      ours: fromMedian(ours10k, ours100k, 90_000, ({ rssMiB }) => rssMiB * 1024),
      atMost: 2,
    }),
  ]
}

/** Slopes from the median of one set of runs to each run of another, which has fewer rounds. */
function fromMedian(from, to, trials, value) {
  const start = spread(from.map(value)).median
  return to.map((sample) => (value(sample) - start) / trials)
}

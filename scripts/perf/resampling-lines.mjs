// The lines about what it costs to resample many pairs of methods, beside scipy where python3 has it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { interleaved } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow, missingRow } from './row.mjs'

const rounds = 5
const program = fileURLToPath(new URL('resampling.mjs', import.meta.url))
const peer = fileURLToPath(new URL('resampling.py', import.meta.url))
const what = '28 pairs, 2 metrics, 500 tasks, 10,000 times, CPU'

export function resampling() {
  const ours = (part) => () => output(nodeOf(24).path, [program, part])
  const python = pythonWithScipy()
  const data = ours('data')()
  const subjects = {
    both: ours('both'),
    bootstrap: ours('bootstrap'),
    ...(python && { scipy: () => output(python, [peer], data) }),
  }
  interleaved(1, subjects)
  const samples = interleaved(rounds, subjects)
  const results = Object.fromEntries(
    Object.entries(samples).map(([name, texts]) => [name, texts.map((text) => JSON.parse(text))]),
  )
  if (results.both.some(({ pairs, first }) => pairs !== 56 || !first)) throw new Error('it resampled less')
  const cpu = (name) => results[name].map(({ cpuMs }) => cpuMs)
  const rows = [
    makeRow({
      line: 'resampling',
      what: `bootstrap and sign flips: ${what}`,
      unit: 'ms',
      ours: cpu('both'),
      atMost: 700,
    }),
  ]
  const against = 'scipy.stats.bootstrap'
  if (!python) return [...rows, missingRow('resampling', against, 'python3 has no scipy >= 1.7')]
  const { version, first } = results.scipy[0]
  return [
    ...rows,
    makeRow({
      line: 'resampling',
      what: `bootstrap: ${what}`,
      unit: 'ms',
      ours: cpu('bootstrap'),
      against: `${against} ${version}`,
      reference: cpu('scipy'),
      inverse: true,
      atLeast: 8,
      note: `first interval ${interval(results.bootstrap[0].first)}, SciPy's ${interval(first)}`,
    }),
  ]
}

function pythonWithScipy() {
  const probe = ['-c', 'from scipy.stats import bootstrap']
  return ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, probe).status === 0)
}

function output(command, args, input = '') {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 1e8,
    // One thread on either side.
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
  })
  if (error) throw error
  if (status !== 0) throw new Error(stderr.slice(-2000))
  return stdout
}

const interval = ({ lower, upper }) => `${lower.toFixed(4)} to ${upper.toFixed(4)}`

// Runs whole processes, in turn, and times functions.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { Bench } from 'tinybench'

/** Path of the built command. */
export const bench = pathOf('../../dist/bench/cli.cjs')

/** A file beside this one. */
export function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url))
}

/**
 * Runs a Node program to its end: `{ cpuMs, peakMiB, sandboxes }`, the CPU of the whole process tree and the memory of
 * its largest process; `sandboxes` tells whether what ran inside sandboxes is counted. Throws with the end of stderr
 * where it ends with an exit code that is not allowed.
 */
export async function measure({ node = process.execPath, args, cwd, env, exitCodes = [0] }) {
  const usage = join(temporaryFolder(), 'usage.json')
  const wrapped = [pathOf('whole-tree.py'), usage, node, ...args]
  const options = { cwd, env, stdin: 'ignore', stdout: 'ignore', reject: false }
  const { code, exitCode, stderr, shortMessage } = await execa('python3', wrapped, options)
  if (code === 'ENOENT') throw new Error('needs python3, `apt-get install python3`')
  if (!exitCodes.includes(exitCode)) throw new Error(`${shortMessage}\n${(stderr ?? '').slice(-2000)}`)
  return JSON.parse(readFileSync(usage, 'utf8'))
}

/**
 * Takes the subjects in turn, A B A B, so that whatever else the machine does hits all alike. `subjects` is an object
 * of functions; gives an object of arrays, one sample for each round.
 */
export async function inTurn(rounds, subjects) {
  const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, sample] of Object.entries(subjects)) samples[name].push(await sample())
  return samples
}

/** A field of all samples. */
export const each = (field, samples) => samples.map((sample) => sample[field])

/** Returns the growth of a field of samples per further unit, round by round. */
export const growth = (field, from, to, units) =>
  to.map((sample, round) => (sample[field] - from[round][field]) / units)

/** Times a function by tinybench: milliseconds of CPU of each call, after one that warms up. */
export async function timeFunction(rounds, subject) {
  const now = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const calls = { iterations: rounds, time: 0, warmupIterations: 1, warmupTime: 0 }
  const timed = new Bench({ ...calls, now, retainSamples: true, throws: true }).add('ours', subject)
  const [{ result }] = await timed.run()
  return result.latency.samples
}

const scratch = mkdtempSync(join(tmpdir(), 'bench-perf-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** A new folder, removed when this process ends. */
export const temporaryFolder = () => mkdtempSync(join(scratch, 'part-'))

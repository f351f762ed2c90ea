// Runs of many trials of one answer-matching task: ours, and the floor's.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleaved, measure, temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'

/** The command as built. */
export const bench = fileURLToPath(new URL('../../dist/bench/cli.cjs', import.meta.url))

const floor = fileURLToPath(new URL('floor.mjs', import.meta.url))

/** 1: some of the simulated agent's calls fail, by its profile, and their trials end in error. */
export const benchExitCodes = [0, 1]

const newline = 0x0a

/** Trials at once, on both sides. */
const parallel = '4'

const instruction = '# A product\n\nWhat is 17 times 23? Answer with the number alone.\n'
const yaml = `id: product
version: 1
title: Multiply two numbers
output: answer
language: text
graders:
  - kind: exact
licence: MIT
source: orchestration-bench
properties:
  difficulty: 0.3
`

/** Folder of a task of its own: a benchmark over a built-in task would change when the task does. */
export function taskFolder() {
  const folder = join(temporaryFolder(), 'arithmetic', 'product')
  mkdirSync(join(folder, 'solution'), { recursive: true })
  writeFileSync(join(folder, 'task.yaml'), yaml)
  writeFileSync(join(folder, 'instruction.md'), instruction)
  writeFileSync(join(folder, 'solution', 'answer.txt'), '391\n')
  return folder
}

/** Runs `count` trials of the baseline method with a simulated agent into a new run folder. */
export function runTrials(count, out) {
  const plan = ['--tasks', `native:${taskFolder()}`, '--methods', 'baseline', '--epochs', String(count)]
  const args = [bench, ...plan, '--parallel', parallel, '--out', out]
  const sample = measure({ node: nodeOf(24), args, exitCodes: benchExitCodes })
  const recorded = countLines(join(out, 'records.jsonl'))
  if (recorded !== count) throw new Error(`${recorded} of ${count} trials were recorded`)
  return sample
}

/** Lines of a file: a run that did less than it was asked for measures nothing. */
export function countLines(path) {
  return readFileSync(path).reduce((sum, byte) => sum + (byte === newline ? 1 : 0), 0)
}

/** The same into a folder that is removed; tells the bytes of its files, too. */
export function ourTrials(count) {
  const out = join(temporaryFolder(), 'run')
  const sample = runTrials(count, out)
  const bytes = Object.fromEntries(readdirSync(out).map((name) => [name, statSync(join(out, name)).size]))
  rmSync(out, { recursive: true })
  return { ...sample, bytes }
}

/** Runs the floor's trials. */
function floorTrials(count) {
  return measure({ node: nodeOf(24), args: [floor, String(count), join(temporaryFolder(), 'records.jsonl')] })
}

let short
let long

/** 1,000 and 10,000 trials of both sides, 21 rounds after one for warming caches (nine differ by a third from run to run); run once, used by several lines. */
export function shortRuns() {
  const subjects = {
    ours1k: () => ourTrials(1_000),
    floor1k: () => floorTrials(1_000),
    ours10k: () => ourTrials(10_000),
    floor10k: () => floorTrials(10_000),
  }
  if (!short) {
    interleaved(1, subjects)
    short = interleaved(21, subjects)
  }
  return short
}

/** 100,000 trials of ours, three times. */
export function longRuns() {
  long ??= interleaved(3, { ours100k: () => ourTrials(100_000) })
  return long
}

/** What `value` grows by per trial from one set of runs to another, round by round. */
export function slopes(from, to, trials, value) {
  return to.map((sample, round) => (value(sample) - value(from[round])) / trials)
}

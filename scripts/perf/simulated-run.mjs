// Runs the simulated agent on tasks with an answer to match: what the harness does without a model.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bench, measure, temporaryFolder } from './measure.mjs'

const instruction = '# A product\n\nWhat is 17 times 23? Answer with the number alone.\n'
const yaml = (id) => `id: ${id}
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

/** A folder with so many tasks of its own: a measurement over a built-in task would change when the task does. */
export function taskFolder(count = 1) {
  const suite = join(temporaryFolder(), 'arithmetic')
  for (let i = 0; i < count; i++) {
    const folder = join(suite, `product-${i}`)
    mkdirSync(join(folder, 'solution'), { recursive: true })
    writeFileSync(join(folder, 'task.yaml'), yaml(`product-${i}`))
    writeFileSync(join(folder, 'instruction.md'), instruction)
    writeFileSync(join(folder, 'solution', 'answer.txt'), '391\n')
  }
  return suite
}

/**
 * Runs every method on every task so many times, four trials at once, and tells what the whole process tree used. The
 * run folder is removed, unless the caller names one.
 */
export async function runTrials({ node, epochs, tasks = 1, methods = ['baseline'], out }) {
  const folder = out ?? join(temporaryFolder(), 'run')
  const plan = [
    '--tasks',
    `native:${taskFolder(tasks)}`,
    '--methods',
    methods.join(),
    '--epochs',
    String(epochs),
  ]
  // Exit code 1: some of the simulated agent's calls fail, by its profile, and their trials end in error.
  const args = [bench, ...plan, '--parallel', '4', '--out', folder]
  const sample = await measure({ node, args, exitCodes: [0, 1] })
  checkLines(join(folder, 'records.jsonl'), tasks * methods.length * epochs)
  if (!out) rmSync(folder, { recursive: true })
  return sample
}

/** Throws where a file has another number of lines: a run that did less than it was asked for measures nothing. */
export function checkLines(path, expected) {
  const lines = existsSync(path)
    ? readFileSync(path).reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0)
    : 0
  if (lines !== expected) throw new Error(`${path} has ${lines} lines instead of ${expected}`)
}

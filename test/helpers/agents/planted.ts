import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../runs/cli.ts'

const strategy = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}

export default defineStrategy({
  name: 'planted',
  summary: 'Solves as many tasks as it is told to.',
  roles: { worker: 'produce' },
  options: z.strictObject({ skill: z.int().min(0).max(10).default(5), asks: z.int().positive().default(1) }),
  async run({ instruction, options, ask }) {
    for (let i = 0; i < options.asks; i++) await ask('worker', 'Work.')
    const number = Number(/number (\\d+)/.exec(instruction)[1])
    return { answer: number % 10 < options.skill ? String(number) : 'no idea', stopReason: 'done' }
  },
})
`

const agent = `
export const paid = true
export const simulated = false
export default ({ trial }) => ({
  text: 'Answer: 0',
  tokens: { input: 100 + parseInt(trial.id.slice(0, 2), 16), output: 20, cached: 0 },
  costUsd: 0.01,
  durationMs: 1000,
})
`

/**
 * Puts tasks, a strategy and a live agent into a folder, so that a method solves as many tenths of the tasks as its
 * option `skill` says. Gives the arguments that run it; methods are `LABEL=skill` pairs.
 */
export function plantedRun(folder: string, methods: Readonly<Record<string, string>>, tasks = 10): string[] {
  for (let number = 0; number < tasks; number++) {
    const task = join(folder, 'suite', `number-${number}`)
    mkdirSync(join(task, 'solution'), { recursive: true })
    writeFileSync(
      join(task, 'task.yaml'),
      `id: number-${number}\nversion: 1\ntitle: Say ${number}\noutput: answer\ngraders:\n  - { kind: numeric, answer: ${number} }\nlicence: MIT\nsource: written for a test\nproperties: {}\n`,
    )
    writeFileSync(join(task, 'instruction.md'), `Say the number ${number}\n`)
    writeFileSync(join(task, 'solution/answer.txt'), `${number}\n`)
  }
  writeFileSync(join(folder, 'planted.mjs'), strategy)
  writeFileSync(join(folder, 'agent.mjs'), agent)
  const labelled = Object.entries(methods).map(([label, options]) => `${label}=./planted.mjs[${options}]`)
  return [
    ...['--mode', 'live', '--agents', 'scripted:agent.mjs', '--tasks', 'native:suite', '--quiet'],
    ...['--methods', labelled.join(','), '--allow-unsandboxed'],
  ]
}

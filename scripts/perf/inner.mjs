// Times inner parts of the loop with tinybench, on a step and a record of a real trial. Argument: a run folder.
// Prints JSON: for each part its operations per second.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Bench } from 'tinybench'
import { digest } from '../../dist/src/canonical.js'
import { openBlobs } from '../../dist/src/loop/blobs.js'
import { parseFileBlocks } from '../../dist/src/loop/file-blocks.js'
import { packStep } from '../../dist/src/loop/journal.js'
import { makePlan } from '../../dist/src/loop/plan.js'
import { seededRandom } from '../../dist/src/random.js'
import { TrialRecord } from '../../dist/src/schema/record.js'

const folder = process.argv[2]
const lines = (name) => readFileSync(join(folder, name), 'utf8').trim().split('\n')
const manifest = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
const step = JSON.parse(lines('steps.jsonl').find((line) => line.includes('"kind":"ask"')))
const recordLine = lines('records.jsonl')[0]
const record = JSON.parse(recordLine)
const blobs = openBlobs(join(folder, 'blobs'))
const planInput = {
  tasks: manifest.tasks.map((task) => ({ ...task, limits: {} })),
  methods: manifest.methods,
  agents: manifest.agents,
  profile: null,
  limits: {},
  seed: 1,
  epochs: 10_000,
}
const cell = makePlan({ ...planInput, epochs: 1 }).at(0).cell
const source = 'export const add = (a, b) => a + b\n'.repeat(40)
const reply = ['one', 'two', 'three']
  .map((name) => `FILE: src/${name}.mjs\n\`\`\`js\n${source}\`\`\`\n`)
  .join('\n')

const parts = new Bench({ time: 400, warmupTime: 100 })
parts
  .add('plan of 10,000 trials', () => [...makePlan(planInput)])
  .add('canonical digest of a plan cell', () => digest(cell))
  .add('line of an ask step', () => JSON.stringify(packStep(step, blobs)))
  .add('line of a record', () => JSON.stringify(record))
  .add('record read and checked', () => TrialRecord.parse(JSON.parse(recordLine)))
  .add('file blocks of a reply with three files, 4 KiB', () => parseFileBlocks(reply))
  .add('seeded generator and its first number', () => seededRandom('trial/solver/1')())
await parts.run()

const results = parts.tasks.map(({ name, result }) => {
  if (result.state !== 'completed') throw new Error(`${name}: ${result.state} ${result.error ?? ''}`)
  return { what: name, perSecond: result.throughput.p50, microseconds: result.latency.p50 * 1000 }
})
process.stdout.write(JSON.stringify(results))

// Writes a run folder with many records. Arguments: a finished run folder whose records are repeated, how many, the new one.
import { createHash } from 'node:crypto'
import { closeSync, cpSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { seal } from '../../dist/src/loop/seal.js'

const [from, number, to] = process.argv.slice(2)
const count = Number(number)
const tasks = 100
const methods = ['A', 'B', 'C', 'D']

cpSync(from, to, { recursive: true })
const { sum: _, ...manifest } = JSON.parse(readFileSync(join(from, 'run.json'), 'utf8'))
const [method] = manifest.methods
writeFileSync(
  join(to, 'run.json'),
  JSON.stringify({
    ...manifest,
    tasks: Array.from({ length: tasks }, (_, task) => ({ ref: `many/${task}`, digest: '0'.repeat(64) })),
    methods: methods.map((label) => ({ ...method, label })),
    baseline: 'A',
    epochs: count / tasks / methods.length,
    trials: count,
  }),
)
for (const file of ['steps.jsonl', 'sessions.jsonl']) writeFileSync(join(to, file), '')
// Their trials have no steps, so they are bound to none.
const templates = readFileSync(join(from, 'records.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const { wall, ...record } = JSON.parse(line)
    return { ...record, wall: { startedAt: wall.startedAt, ms: wall.ms } }
  })
const file = openSync(join(to, 'records.jsonl'), 'w')
let lines = []
for (let index = 0; index < count; index++) {
  const record = {
    ...templates[index % templates.length],
    trial: createHash('sha256').update(String(index)).digest('hex').slice(0, 24),
    task: `many/${Math.floor(index / methods.length) % tasks}`,
    method: methods[index % methods.length],
    epoch: 1 + Math.floor(index / methods.length / tasks),
  }
  lines.push(`${seal(JSON.stringify(record), '}}')}\n`)
  if (lines.length < 1000 && index + 1 < count) continue
  writeSync(file, lines.join(''))
  lines = []
}
closeSync(file)

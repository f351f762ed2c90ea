// The floor under every harness: p-map over trials that do nothing, four at once, one record line written for each.
// Arguments: how many trials, the file to write.
import { openSync, writeSync } from 'node:fs'
import pMap from 'p-map'

const [count, path] = process.argv.slice(2)
const file = openSync(path, 'w')
const expected = '391'

async function trial(number) {
  const answer = '391'
  const record = {
    trial: number.toString(16).padStart(24, '0'),
    task: 'floor/answer-matching',
    method: 'baseline',
    agents: 'simulated',
    epoch: number,
    mode: 'dev',
    outcome: { status: 'completed', reason: '' },
    passed: answer === expected,
    score: 1,
    answer,
    tokens: 1200,
  }
  writeSync(file, `${JSON.stringify(record)}\n`)
}

await pMap(Array(Number(count)).keys(), trial, { concurrency: 4 })

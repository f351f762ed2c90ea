// The floor under every harness: p-map, four trials in parallel, each with one call of an agent that answers immediately, one
// comparison, one record line. It does what each trial needs and nothing else.
// Arguments: how many trials, the file to write.
import { openSync, writeSync } from 'node:fs'
import pMap from 'p-map'

const [count, path] = process.argv.slice(2)
const file = openSync(path, 'w')
const prompt = 'What is 17 times 23? Answer with the number alone.'
const expected = '391'

const agent = async (question) => ({ text: question === prompt ? '391' : '' })

async function trial(number) {
  const { text: answer } = await agent(prompt)
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

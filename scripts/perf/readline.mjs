// Sums up records by method as one would without a harness: readline and JSON.parse. Argument: a JSON lines file.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const methods = new Map()
let records = 0
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const { method, passed, spent, durationMs } = JSON.parse(line)
  const sums = methods.get(method) ?? { trials: 0, passed: 0, tokens: 0, costUsd: 0, calls: 0, durationMs: 0 }
  methods.set(method, sums)
  records++
  sums.trials++
  if (passed) sums.passed++
  sums.tokens += spent.input + spent.output
  sums.costUsd += spent.costUsd ?? 0
  sums.calls += spent.calls
  sums.durationMs += durationMs
}
if (records !== Number(process.argv[3])) throw new Error(`${records} records were read`)

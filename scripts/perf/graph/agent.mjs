// An agent that says the name of the step that asks. PERF_LATENCIES set: it takes the step's time, as a model would.
import { setTimeout as sleep } from 'node:timers/promises'
import { latencyOf, replyOf } from './shapes.mjs'

const waits = process.env.PERF_LATENCIES === '1'
export const paid = waits
export const simulated = false

export default async function worker({ prompt }, { signal }) {
  const id = /Do (s\d+)\./.exec(prompt)[1]
  if (waits) await sleep(latencyOf(id), undefined, { signal })
  return {
    text: replyOf(id),
    tokens: { input: 100, output: 10, cached: 0 },
    costUsd: 0.01,
    durationMs: latencyOf(id),
  }
}

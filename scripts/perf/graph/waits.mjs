// Waits as long as the agents of a graph take, by bare promises: no graph can take less. Prints milliseconds of wall time.
// Arguments: the shape, how many steps.
import { setTimeout as sleep } from 'node:timers/promises'
import { latencyOf, stepsOf } from './shapes.mjs'

const [shape, steps] = process.argv.slice(2)
const begin = performance.now()
const ended = new Map()
for (const { id, after } of stepsOf(shape, Number(steps))) {
  const ready = Promise.all(after.map((need) => ended.get(need)))
  ended.set(
    id,
    ready.then(() => sleep(latencyOf(id))),
  )
}
await Promise.all(ended.values())
process.stdout.write(`${performance.now() - begin}\n`)

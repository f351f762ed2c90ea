// Asks for a plan, changes a file by itself and by an agent, runs the checks, and writes the state.
import { readFileSync, writeFileSync } from 'node:fs'
import { open, readState, writeState } from './client.mjs'

const bench = open()
const hello = await bench.hello()
await bench.request({ label: { part: 'first' } })
const { reply: plan } = await bench.request({ ask: { role: 'planner', prompt: 'Plan it.' } })
writeFileSync('own.txt', 'by the program\n')
await bench.request({ ask: { role: 'solver', prompt: `Build: ${plan}` } })
const { reply: checked } = await bench.request({ check: true })
const built = readFileSync('built.txt', 'utf8')
writeFileSync('own.txt', 'changed again\n')
writeState({ ...readState(), plan, built, checked: checked.status, version: hello.hello.version })
console.log('planned')
bench.close()

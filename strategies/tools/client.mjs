// The clients of a stage, as one file without dependencies: `node bench.mjs ask ROLE PROMPT` and `node bench.mjs state FIELD`.
import { parseArgs } from 'node:util'
import { ask } from './stage-ask.ts'
import { state } from './stage-state.ts'

const usage = `usage: node bench.mjs ask ROLE [PROMPT|-] [--show NAME=FILE] [--shape FILE] [--system TEXT] [--work KIND] [--json]
       node bench.mjs state [FIELD] [--set FIELD=JSON] [--json]
`
const json = { json: { type: 'boolean' } }
const text = { type: 'string' }
const commands = {
  ask: {
    words: [1, 2],
    options: { ...json, show: { ...text, multiple: true }, shape: text, system: text, work: text },
    call: ([role, prompt], flags) => ask(role, prompt, { ...flags, show: flags.show ?? [] }),
  },
  state: {
    words: [0, 1],
    options: { ...json, set: { ...text, multiple: true } },
    call: ([field], flags) => state(field, { ...flags, set: flags.set ?? [] }),
  },
}

const [name, ...args] = process.argv.slice(2)
if (name === '--help' || args.includes('--help')) process.stdout.write(usage)
else if (!Object.hasOwn(commands, name ?? ''))
  refuse(name === undefined ? 'no command was given' : `${name} is unknown`)
else await call(commands[name])

async function call({ words: [least, most], options, call }) {
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    return refuse(error.message)
  }
  const { values, positionals } = parsed
  if (positionals.length < least) return refuse('ROLE is missing')
  if (positionals.length > most) return refuse(`${positionals[most]} is one word too many; quote texts`)
  try {
    process.exitCode = await call(positionals, values)
  } catch (error) {
    if (error.name !== 'UserError') throw error
    for (const line of error.message.split('\n')) process.stderr.write(`bench: ${line}\n`)
    process.exitCode = 2
  }
}

function refuse(message) {
  process.stderr.write(`bench: ${message}.\n${usage}`)
  process.exitCode = 2
}

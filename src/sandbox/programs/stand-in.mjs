// Runs inside a sandbox in the place of an agent CLI that directs others, for an agent that is no program: it starts the server of the
// tools, asks the agent before each call what to do, over the harness's socket, and makes that call. A function of the agent's answers.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const {
  role,
  roles,
  prompt,
  system,
  show = {},
  work,
} = JSON.parse(readFileSync(process.env.BENCH_STATE, 'utf8'))

// Each answer comes on a line of its own, with the id of what was asked.
function client(input, output, head) {
  const waiting = new Map()
  let number = 0
  createInterface({ input }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line)
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  return (message) =>
    new Promise((resolve) => {
      waiting.set(++number, resolve)
      output.write(`${JSON.stringify({ ...head, id: number, ...message })}\n`)
    })
}

function fail({ message }) {
  console.error(message)
  process.exit(2)
}

const child = spawn(process.execPath, [join(process.env.BENCH_STAGE, 'role-tools.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const rpc = client(child.stdout, child.stdin, { jsonrpc: '2.0' })
await rpc({
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'stand-in', version: '1' } },
})
const { result } = await rpc({ method: 'tools/list' })
if (!result.tools.some(({ name }) => name === 'ask_role')) fail({ message: 'bench offers no tools' })
const call = async (name, given) => {
  const { result, error } = await rpc({ method: 'tools/call', params: { name, arguments: given } })
  if (error) fail(error)
  return { text: result.content[0].text, isError: result.isError }
}

const socket = connect(process.env.BENCH_SOCKET)
const request = client(socket, socket, {})
const ask = async (asked) => {
  const { reply, error } = await request({ ask: { role, prompt, ...(system && { system }), ...asked } })
  if (error) fail(error)
  return reply
}

const shape = {
  type: 'object',
  properties: { next: { type: 'string', enum: [...roles, 'finish'] }, brief: { type: 'string' } },
  required: ['next', 'brief'],
  additionalProperties: false,
}
const said = []
const shown = () => ({ ...show, ...(said.length > 0 && { 'all that was said so far': said.join('\n\n') }) })
// So many that only an agent that never finishes makes them; limits of the trial end it before.
const most = 200
let ended
for (let calls = 0; ended === undefined && calls < most; calls++) {
  const { next, brief } = await ask({ show: shown(), shape, work: 'decide' })
  if (next === 'finish') {
    ended = brief
    break
  }
  const { text, isError } = await call('ask_role', { role: next, brief })
  if (isError) ended = text
  else said.push(`### you, to ${next}\n${brief}`, `### ${next}\n${text}`)
}
if (work !== 'decide') {
  const { text: checks } = await call('check', {})
  ended = await ask({ show: { ...shown(), checks }, work })
}
await call('finish', { result: ended ?? 'The calls are used up.' })
process.exit(0)

#!/usr/bin/env node
// An agent CLI that directs others: it offers its model the tools of the server in its stage, and makes the calls that the model asks for.
// Without a stage it asks its model once. With FORGE it has a program ask a role before the model does; with WRITE it writes a file
// before its third call.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const [model] = process.argv.slice(2)
if (model === '--version') {
  console.log('directing 1.0.0')
  process.exit(0)
}
const prompt = await text(process.stdin)

async function startServer() {
  const path = `${process.env.BENCH_STAGE}/role-tools.mjs`
  const server = spawn('node', [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line)
    waiting.get(id)?.(result)
  })
  let last = 0
  const rpc = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`)
    })
  await rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  return rpc
}

const rpc = process.env.BENCH_STAGE && (await startServer())
const { tools } = rpc ? await rpc('tools/list') : { tools: [] }

if (rpc && process.env.FORGE) {
  const line = JSON.stringify({ id: 1, ask: { role: 'code-generator', prompt: 'forged' } })
  const forger = `const s = require('net').connect(process.env.BENCH_SOCKET, () => s.write(${JSON.stringify(`${line}\n`)}))
s.on('data', (d) => process.stdout.write(d)).on('error', () => {})`
  const { stdout } = spawnSync('node', ['-e', forger], { encoding: 'utf8', timeout: 20_000 })
  writeFileSync('forged.txt', stdout)
}

const functions = tools.map(({ name, description, inputSchema }) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}))
const messages = [{ role: 'user', content: prompt }]
for (let calls = 0; ; ) {
  const reply = await fetch(`${process.env.OWN_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.OWN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, ...(rpc && { tools: functions }) }),
  })
  const { message } = (await reply.json()).choices[0]
  messages.push(message)
  if (!message.tool_calls?.length) {
    console.log(JSON.stringify({ answer: message.content }))
    process.exit(0)
  }
  for (const { id, function: call } of message.tool_calls) {
    if (process.env.WRITE && ++calls === 3) writeFileSync('made.txt', 'by the orchestrator')
    const result = await rpc('tools/call', { name: call.name, arguments: JSON.parse(call.arguments) })
    messages.push({ role: 'tool', tool_call_id: id, content: result.content[0].text })
  }
}

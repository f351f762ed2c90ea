// Runs inside a sandbox, started by an agent that directs others: a server of MCP whose tools are requests on the harness's socket. It
// connects when it starts, since the socket serves its first connection alone.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const text = (description) => ({ type: 'string', description })
const tool = (name, description, properties, required) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required, additionalProperties: false },
})

const toolsFor = (roles) => [
  tool(
    'ask_role',
    'Has a role act by your brief. Returns what it says. Changes that it makes to files are in the workspace afterwards.',
    { role: { ...text('The role.'), enum: roles }, brief: text('What it is to do.') },
    ['role', 'brief'],
  ),
  tool(
    'read',
    'Returns the text of a file of the workspace; without a path the names of all files.',
    { path: text('Path of the file.') },
    [],
  ),
  tool('check', 'Runs the visible checks of the task. Returns what passed and what failed.', {}, []),
  tool(
    'finish',
    'Ends your work with its result. Nothing can be called after it.',
    { result: text('The result, or in a few words how the work ended.') },
    ['result'],
  ),
]

const requestOf = {
  ask_role: ({ role, brief }) => ({ ask: { role, prompt: brief } }),
  read: ({ path = '' }) => ({ read: path }),
  check: () => ({ check: true }),
  finish: ({ result }) => ({ finish: result }),
}

const socket = connect(process.env.BENCH_SOCKET)
const waiting = new Map()
let greeted
const hello = new Promise((resolve) => {
  greeted = resolve
})
createInterface({ input: socket }).on('line', (line) => {
  const { hello: roles, id, ...answer } = JSON.parse(line)
  if (roles) return greeted(roles)
  if (id === null) {
    greeted({ roles: [] })
    for (const end of waiting.values()) end(answer)
  }
  waiting.get(id)?.(answer)
})
socket.on('error', () => {})
socket.on('close', () => {
  greeted({ roles: [] })
  for (const end of waiting.values()) end({ error: { message: 'bench has closed the connection' } })
})

let number = 0
const request = (asked) =>
  new Promise((resolve) => {
    if (!socket.writable) return resolve({ error: { message: 'there is no connection to bench' } })
    const id = ++number
    waiting.set(id, (answer) => {
      waiting.delete(id)
      resolve(answer)
    })
    socket.write(`${JSON.stringify({ id, ...asked })}\n`)
  })

// A client may call several tools at once; the socket takes one request at a time.
let last = hello
const inTurn = (work) => {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

function faultOf({ properties, required }, given) {
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) return `there is no argument ${name}`
    if (typeof value !== 'string') return `${name} must be a text`
    const { enum: words } = properties[name]
    if (words && !words.includes(value)) return `${name} must be one of ${words.join(', ')}`
  }
  return undefined
}

const said = (words, isError = false) => ({ content: [{ type: 'text', text: words }], isError })

async function call({ name, arguments: given = {} }) {
  const found = toolsFor((await hello).roles).find((one) => one.name === name)
  if (!found) throw { code: -32602, message: `Unknown tool: ${name}` }
  const fault = faultOf(found.inputSchema, given)
  if (fault) return said(`The call was not made: ${fault}.`, true)
  const { error, reply } = await inTurn(() => request(requestOf[name](given)))
  if (error) return said(error.message, true)
  if (name === 'read' && reply === null) return said(`There is no file ${given.path}.`, true)
  if (name === 'finish') return said('The work is finished. Say so in one word and stop.')
  return said(typeof reply === 'string' ? reply : JSON.stringify(reply, null, 2))
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': async () => ({ tools: toolsFor((await hello).roles) }),
  'tools/call': call,
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

async function answer(line) {
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return send({ id: null, error: { code: -32700, message: 'Parse error' } })
  }
  const { id, method, params = {} } = message ?? {}
  if (id === undefined || id === null) return // a notification
  if (typeof method !== 'string') return
  const work = Object.hasOwn(methods, method) ? methods[method] : undefined
  try {
    if (!work) throw { code: -32601, message: 'Method not found' }
    send({ id, result: await work(params ?? {}) })
  } catch ({ code = -32603, message: why = 'Internal error' }) {
    send({ id, error: { code, message: why } })
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => line.trim() !== '' && answer(line))
  .on('close', () => process.exit(0))

import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'

/** Whether there is somebody to ask. */
export const canAsk = () => process.env.BENCH_SOCKET !== undefined

/** Asks a role. `show` holds texts by name; empty ones are left out. With a `shape`, a JSON Schema, the reply is data. */
export function ask(role, prompt, { show = {}, shape } = {}) {
  const shown = Object.fromEntries(
    Object.entries(show).filter(([, text]) => text !== undefined && text !== ''),
  )
  return request({ ask: { role, prompt, show: shown, ...(shape && { shape }) } })
}

/** Runs the task's visible checks on the files as they are now. */
export const check = () => request({ check: true })

/** Runs a tool on a copy of the files as they are now, apart from this stage. Returns how it ended. */
export const run = (wanted) => request({ run: wanted })

/** Writes down what a tool's report saves. */
export const tellSaving = (saving) => request({ saving })

async function request(content) {
  const socket = createConnection(process.env.BENCH_SOCKET)
  const lost = (why) => new Error(`bench cannot be reached at $BENCH_SOCKET: ${why}`)
  const failed = new Promise((_, reject) => socket.on('error', ({ message }) => reject(lost(message))))
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  // An interface of lines fails with its input, too; `failed` tells of it.
  const nextLine = () => Promise.race([lines.next().catch(() => failed), failed])
  try {
    const { value: hello } = await nextLine()
    const version = hello && JSON.parse(hello).hello?.version
    if (version !== 1) throw lost(`it speaks version ${version} of the protocol, and this program version 1`)
    socket.write(`${JSON.stringify({ id: 1, ...content })}\n`)
    const { value: line } = await nextLine()
    if (line === undefined) throw lost('the connection was closed before an answer')
    const { reply, error } = JSON.parse(line)
    if (error) throw new Error(error.message)
    return reply
  } finally {
    socket.destroy()
  }
}

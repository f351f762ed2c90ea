// Runs inside an agent's sandbox: forwards 127.0.0.1 at a port to the harness's socket, and starts the agent.
// node forward.mjs SOCKET PORT -- PROGRAM ARG...
import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { constants } from 'node:os'

const [socket, port, , program, ...args] = process.argv.slice(2)

const server = createServer((inner) => {
  const outer = connect(socket)
  inner.pipe(outer)
  outer.pipe(inner)
  inner.on('error', () => outer.destroy())
  outer.on('error', () => inner.destroy())
})
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' })
  child.on('error', (error) => {
    process.stderr.write(`${program}: ${error.message}\n`)
    process.exit(127)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
})

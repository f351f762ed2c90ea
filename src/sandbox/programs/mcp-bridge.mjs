// Runs inside a sandbox: starts the server that the state file describes, and joins its standard input and output with the harness's
// socket. The first byte on the socket says how the start went: `+`, or `-` and the reason on the rest of the line.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'

// For how long output is read that a server left in its pipe, once it has ended; ms.
const drainMs = 200

const { command, env } = JSON.parse(readFileSync(process.env.BENCH_STATE, 'utf8'))
const [program, ...args] = command
const folder = join(process.cwd(), 'server')
const workspace = join(process.cwd(), 'files')
for (const path of [folder, workspace]) mkdirSync(path, { recursive: true })
// Files are copied without their modes. A script beside the server is started by its path.
if (program.includes('/') && !program.startsWith('/'))
  try {
    chmodSync(join(folder, program), 0o755)
  } catch {} // the start reports it

const { BENCH_SOCKET, BENCH_STATE: _, BENCH_STAGE: __, ...fixed } = process.env
const socket = connect(BENCH_SOCKET, () => {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...fixed, BENCH_WORKSPACE: workspace, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const codeOf = (code, signal) => (signal ? 128 + constants.signals[signal] : code)
  child.on('spawn', () => {
    socket.write('+')
    socket.pipe(child.stdin)
    child.stdout.pipe(socket)
  })
  child.on('error', ({ code, message }) => socket.end(`-${code ?? message}\n`, () => process.exit(127)))
  // A process that the server left behind may hold its output open.
  child.on('exit', (...how) => setTimeout(() => process.exit(codeOf(...how)), drainMs))
  child.on('close', (...how) => socket.end(() => process.exit(codeOf(...how))))
  child.stdin.on('error', () => {}) // it closed its input
  socket
    .on('error', () => {})
    .on('close', () => {
      child.kill('SIGKILL')
      process.exit(0)
    })
})

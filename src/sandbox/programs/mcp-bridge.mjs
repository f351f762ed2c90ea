// Runs inside a sandbox: starts the server that the state file describes, and joins its standard input and output with the harness's
// socket. The first byte on the socket says how the start went: `+`, or `-` and the reason on the rest of the line.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'

// For how long output is read that a server left in its pipe, once it has ended; ms.
const drainMs = 200

const { command, env, seesWorkspace } = JSON.parse(readFileSync(process.env.BENCH_STATE, 'utf8'))
const [program, ...args] = command
const folder = join(process.cwd(), 'server')
const workspace = join(process.cwd(), 'files')
for (const path of [folder, ...(seesWorkspace ? [workspace] : [])]) mkdirSync(path, { recursive: true })
// Files are copied without their modes. A script beside the server is started by its path.
if (program.includes('/') && !program.startsWith('/'))
  try {
    chmodSync(join(folder, program), 0o755)
  } catch {} // the start reports it

const { BENCH_SOCKET, BENCH_STATE: _, BENCH_STAGE: __, ...fixed } = process.env
const socket = connect(BENCH_SOCKET, () => {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...fixed, ...(seesWorkspace && { BENCH_WORKSPACE: workspace }), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let exitCode = 0
  const leave = () => process.exit(exitCode)
  child.on('spawn', () => {
    socket.write('+')
    socket.pipe(child.stdin)
    child.stdout.pipe(socket, { end: false })
  })
  child.on('error', ({ code, message }) => socket.end(`-${code ?? message}\n`, () => process.exit(127)))
  child.on('exit', (code, signal) => {
    exitCode = signal ? 128 + constants.signals[signal] : code
    // A process that the server left behind may hold its output open.
    setTimeout(leave, drainMs)
  })
  // All of its output was read. A server may close it and go on.
  child.stdout.on('end', () => setTimeout(() => socket.end(), drainMs))
  child.on('close', () => socket.end(leave))
  child.stdin.on('error', () => {}) // it closed its input
  socket
    .on('error', () => {})
    .on('close', () => {
      child.kill('SIGKILL')
      leave()
    })
})

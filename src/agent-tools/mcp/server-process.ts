import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { longestTimer } from '../../base/longest-timer.ts'
import { packageRoot } from '../../base/package-root.ts'
import type { ProgramEnd, SandboxRun, StageFolder } from '../../sandbox/sandbox.ts'
import type { Files } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

/** What a server is started with. */
export interface ServerStart {
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** The files in its working directory. */
  files: Files
  /** The trial's files, if it sees them. */
  workspace?: Files | undefined
  sandbox: SandboxRun
  signal?: AbortSignal | undefined
}

/** A server's program in the sandbox. */
export interface ServerProcess extends Pick<StageFolder, 'level' | 'hidePaths'> {
  /** Joined with the standard input and output of the server. */
  socket: Socket
  /** Why the server could not be started, such as `ENOENT`; absent if it was. */
  notStarted?: string
  /** Replaces a file of the copy of the trial's files; null removes it. */
  write(path: string, content: string | null): void
  /** How the program ended; undefined if it was killed. Never rejects. */
  ended: Promise<ProgramEnd | undefined>
  /** Ends the program and every process that it started, and removes its folders. */
  stop(): Promise<void>
}

/** How long the program may take to end by itself when its socket is closed; ms. */
const endMs = 500

/** Bytes kept of a server's standard error. The sandbox ends a server that writes 64 times as much. */
const keptErrorBytes = 64 * 1024

const bridge = 'mcp-bridge.mjs'

/**
 * Starts a server in the sandbox. Rejects with `InfrastructureError` if the sandbox starts no program, and with the signal's
 * reason if aborted.
 */
export async function startServerProcess(start: ServerStart): Promise<ServerProcess> {
  const killer = new AbortController()
  const { open, connected } = awaitBridge()
  const { command, env, files, workspace, sandbox, signal } = start
  const run = sandbox({
    files: { ...below('server', files), ...below('files', workspace ?? {}) },
    command: ['node', `{stage}/${bridge}`],
    stage: {
      files: { [bridge]: bridgeText() },
      state: JSON.stringify({ command, env, seesWorkspace: workspace !== undefined }),
      open,
    },
    // What a call or a start may take is limited where it is made.
    timeoutMs: longestTimer,
    maxOutputBytes: keptErrorBytes,
    signal: signal ? AbortSignal.any([killer.signal, signal]) : killer.signal,
  })
  const ended = run.catch(() => undefined)
  const first = await Promise.race([connected, run])
  if (!('socket' in first))
    throw new InfrastructureError(
      `no MCP server can be started in the sandbox: ${shorten(first.stderr.trim())}`,
    )
  const { socket, folder } = first
  const { level, hidePaths, write } = folder
  const notStarted = await readStart(socket)
  return {
    level,
    hidePaths,
    socket,
    ended,
    ...(notStarted !== undefined && { notStarted }),
    write: (path, content) => write(`files/${path}`, content),
    async stop() {
      socket.destroy()
      await Promise.race([ended, setTimeout(endMs, undefined, { ref: false })])
      killer.abort()
      await ended
    },
  }
}

function awaitBridge() {
  let connect: (bridge: { socket: Socket; folder: StageFolder }) => void = () => {}
  const connected = new Promise<{ socket: Socket; folder: StageFolder }>((resolve) => {
    connect = resolve
  })
  const open = (folder: StageFolder) => {
    let hasBridge = false
    const onConnection = (socket: Socket) => {
      // The bridge is the first. Any other would be the server itself.
      if (hasBridge) return void socket.destroy()
      hasBridge = true
      connect({ socket, folder })
    }
    return { onConnection, waitedMs: () => 0, end: async () => {} }
  }
  return { open, connected }
}

const bridgeText = () => readFileSync(join(packageRoot(), 'src/sandbox/programs', bridge), 'utf8')

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

/** Reads the line or the byte by which the bridge says how the start went. What follows stays in the socket. */
function readStart(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const finish = (reason: string | undefined) => {
      socket.off('readable', read).off('end', onEnd).off('close', onEnd)
      resolve(reason)
    }
    const onEnd = () => finish(text.slice(1).trim() || 'it ended at once')
    const read = () => {
      for (let byte = socket.read(1); byte !== null; byte = socket.read(1)) {
        text += byte.toString('latin1')
        if (text === '+') return finish(undefined)
      }
    }
    socket.on('readable', read).on('end', onEnd).on('close', onEnd)
  })
}

import { chmodSync, chownSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { InfrastructureError } from '../../text/errors.ts'
import { replaceFolderPaths } from '../folders/private-folder.ts'
import { stagePathsIn, stateName } from '../folders/stage-folder.ts'
import { removeInside, writeInside } from '../folders/write-inside.ts'
import type { StageHost, StageParts } from '../sandbox.ts'
import type { Program } from './program.ts'

const maxConnections = 16

/** The longest path of a socket, on Linux and elsewhere; bytes. */
const longestPath = process.platform === 'linux' ? 107 : 103

/** A stage whose socket listens. */
export interface OpenStage {
  host: StageHost
  /** Stops listening and cuts every connection. */
  close(): Promise<void>
}

/** Opens the socket of a prepared stage. Only the user that the program runs as can connect. */
export async function openStage(
  { folder, launcher: { uid, level } }: Program,
  parts: StageParts,
): Promise<OpenStage> {
  const { base, workspace } = folder
  const { stateFolder, socket } = stagePathsIn(base)
  // Node would cut a longer path, and listen at another.
  if (Buffer.byteLength(socket) > longestPath)
    throw socketError(socket, `its path has more than ${longestPath} bytes`)
  const host = parts.open({
    workspace,
    state: stateFolder,
    stateName,
    level,
    hidePaths: (text) => replaceFolderPaths(text, folder),
    write: (path, content) =>
      content === null ? removeInside(workspace, path) : writeInside(workspace, path, content, uid),
  })
  const sockets = new Set<Socket>()
  // A client may close its side after its request, and still read the answer.
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    sockets.add(connection)
    connection.on('close', () => sockets.delete(connection)).on('error', () => {})
    host.onConnection(connection)
  })
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.on('error', ({ message }) => reject(socketError(socket, message)))
    server.listen(socket, resolve)
  })
  chmodSync(socket, 0o600)
  if (uid !== undefined) chownSync(socket, uid, uid)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const connection of sockets) connection.destroy()
    })
  return { host, close }
}

const socketError = (socket: string, why: string) =>
  new InfrastructureError(
    `cannot open the socket of a stage at ${socket}: ${why}. Set TMPDIR to a folder with a short path.`,
  )

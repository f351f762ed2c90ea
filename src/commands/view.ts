import { existsSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { basename, dirname, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { ServerType } from '@hono/node-server'
import { serve } from '@hono/node-server'
import { unjoinedNote } from '../loop/join/unjoined.ts'
import { withoutSecrets } from '../sandbox/machine/run-tool.ts'
import { startProcess } from '../sandbox/machine/start-process.ts'
import { type Problem, problemAt, UserError } from '../text/errors.ts'
import { openRun } from './open/open-run.ts'
import { reportNote } from './terminal/report-error.ts'
import { parseWholeNumber } from './values/parse-values.ts'
import { hrefOfRun } from './view/choose-trials.ts'
import { newToken } from './view/guard.ts'

/** The flags of `bench view`. */
export interface ViewFlags {
  port?: string
  host?: string
  control?: boolean
  /** False: `--no-open` was given. */
  open?: boolean
}

/** A server that shows runs. */
interface Viewer {
  /** The address with the token that opens it. */
  address: string
  close(): void
}

const usualHost = '127.0.0.1'

/** `bench view [RUN]`: shows runs in the browser until Ctrl-C. RUN is a run, or a folder that holds runs. */
export default async function view(run: string | undefined, flags: ViewFlags): Promise<number> {
  // Before all else is loaded: V8's nursery stays small, which takes a fifth less memory and no more time.
  setFlagsFromString('--semi-space-growth-factor=1')
  const { root, name } = placeOf(run)
  const viewer = await openViewer(root, name, flags)
  process.stdout.write(`${viewer.address}\n`)
  announce(viewer, flags)
  await untilSignal()
  viewer.close()
  return 0
}

/**
 * Shows a run while it works, and after it until Ctrl-C. `work` is given a function that hears the run folder, and returns the exit
 * code. A run that never began ends at once.
 */
export async function showWhile(work: (begun: (folder: string) => void) => Promise<number>): Promise<number> {
  let opening: Promise<Viewer | undefined> | undefined
  // Who presses Ctrl-C during the run ends both.
  const signal = untilSignal()
  const code = await work((folder) => {
    const path = resolve(folder)
    opening = openViewer(dirname(path), basename(path), {}).catch((error: Error) => {
      reportNote(`the page cannot be shown: ${error.message}`)
      return undefined
    })
    void opening.then((viewer) => {
      if (!viewer) return
      process.stderr.write(`page: ${viewer.address}\n`)
      announce(viewer, {})
    })
  })
  const viewer = await opening
  if (viewer) await signal
  viewer?.close()
  return code
}

/** Says how the page ends, and opens the browser at a terminal. */
function announce({ address }: Viewer, { open }: ViewFlags): void {
  process.stderr.write('Ctrl-C ends the page. Whoever has its address can read the runs.\n')
  if (open !== false && process.stdout.isTTY && !process.env.CI) openBrowser(address)
}

const untilSignal = () =>
  new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end())
  })

/** Returns the folder that holds the runs, and the run that is shown first. Throws `UserError` if RUN is neither. */
function placeOf(run: string | undefined): { root: string; name: string | undefined } {
  if (run === undefined) return { root: resolve('results'), name: undefined }
  const isFolder = statSync(run, { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder && !existsSync(resolve(run, 'run.json'))) return { root: resolve(run), name: undefined }
  const folder = resolve(openRun(run).folder)
  reportNote(unjoinedNote(folder))
  return { root: dirname(folder), name: basename(folder) }
}

/** Starts a server on a folder of runs, which shows the run `name` first. Throws `UserError` if it cannot listen. */
export async function openViewer(root: string, name: string | undefined, flags: ViewFlags): Promise<Viewer> {
  const problems: Problem[] = []
  const port = parseWholeNumber(problems, '--port', flags.port, 0, 0)
  if (port > 65_535) problems.push(problemAt(`--port ${port}`, 'is no port', 'Write a number up to 65535.'))
  const host = flags.host ?? usualHost
  if (['0.0.0.0', '::', ''].includes(host))
    problems.push(
      problemAt(`--host ${host}`, 'is every address of this machine', 'Name the one that people type.'),
    )
  if (problems.length > 0) throw new UserError(problems)
  const token = newToken()
  let bound = port
  const names = [...new Set([host, ...(flags.host === undefined ? ['localhost'] : [])])]
  const { createApp } = await import('./view/app.ts')
  const app = createApp(root, {
    token,
    control: flags.control ? newToken() : undefined,
    hosts: () => names.map((one) => `${one.includes(':') ? `[${one}]` : one.toLowerCase()}:${bound}`),
    cookie: () => `bench-${bound}`,
  })
  const server = await listen(app.fetch, host, port)
  bound = (server.address() as AddressInfo).port
  const first = name === undefined ? '/' : hrefOfRun(name)
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${first}?token=${token}`,
    close() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}

function listen(
  fetch: Parameters<typeof serve>[0]['fetch'],
  hostname: string,
  port: number,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    // The methods of a run in this process need the fetch that Node has.
    const server = serve({ fetch, hostname, port, overrideGlobalObjects: false }, () => resolve(server))
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const what =
        code === 'EADDRINUSE'
          ? 'is in use by another program'
          : code === 'EACCES'
            ? 'needs more rights than you have'
            : `cannot be listened to (${code ?? message})`
      const fix =
        code === 'EADDRINUSE' ? 'Leave out --port, and a free one is taken.' : 'Give another host or port.'
      reject(new UserError(problemAt(`${hostname}:${port}`, what, fix)))
    })
  })
}

/** Opens an address in the person's browser; where there is none, the address has been printed. */
function openBrowser(address: string): void {
  const [program = '', ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
  const child = startProcess(program, [...args, address], {
    env: withoutSecrets(),
    stdio: 'ignore',
    detached: true,
  })
  child.on('error', () => {})
  child.unref()
}

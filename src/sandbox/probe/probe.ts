import type { StdioOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { packageRoot } from '../../base/package-root.ts'
import { hasFilter } from '../filter/seccomp.ts'
import { createPrivateFolder, type PrivateFolder } from '../folders/private-folder.ts'
import type { Launcher } from '../launcher.ts'
import { defaultLimits } from '../limits.ts'
import { openFileLimit } from '../machine/open-files.ts'
import { startProcess } from '../machine/start-process.ts'
import { createOutputFile, type OutputFile } from '../process/ending.ts'
import { endProcessTree, isRunning, waitForExit } from '../process/process-tree.ts'
import { isInside } from '../tools/toolchain.ts'
import { callAttacks, probeSharedMemory } from './probe-calls.ts'

/** One attack and its result. */
export interface ProbeFinding {
  attack: string
  held: boolean
  /** What stopped the attack; what it did if nothing stopped it. */
  detail: string
}

/** Small limits keep the attacks small. Memory is an exception: Node 24 reserves half a GiB before it starts. */
const limits = { ...defaultLimits, processes: 48, fileBytes: 4 * 1024 ** 2 }

/** Processes that the attack starts at most; more than the limit allows. */
const mostForks = 64

/** Returns descriptors that the stand-in inherits. Node closes inherited ones only up to the first gap above 16. */
function leftOpen(): readonly number[] {
  // To pass them on takes as many descriptors above them.
  const most = Math.floor(openFileLimit() / 2)
  const fitting = [63, 200].filter((fd) => fd < most)
  return fitting.length > 0 ? fitting : [most - 1]
}

const timeoutMs = 20_000

/**
 * Runs bounded attacks inside a sandbox and returns which of them it stops. Throws `Error` with the wrapper's message if
 * nothing runs inside.
 */
export async function probe(launcher: Omit<Launcher, 'level'>): Promise<ProbeFinding[]> {
  const sharing = probeSharedMemory(launcher)
  // If nothing starts, both fail, and the error of the program inside says more.
  sharing.catch(() => {})
  return [...(await probeFromInside(launcher)), { attack: 'shared-memory', ...(await sharing) }]
}

async function probeFromInside(launcher: Omit<Launcher, 'level'>): Promise<ProbeFinding[]> {
  const folder = createPrivateFolder(
    { 'probe.mjs': readFileSync(program('probe.mjs'), 'utf8') },
    launcher.uid,
  )
  try {
    const listener = await listen()
    try {
      return await attackFrom(folder, launcher, listener.port)
    } finally {
      listener.close()
    }
  } finally {
    await folder.remove()
  }
}

async function attackFrom(
  folder: PrivateFolder,
  launcher: Omit<Launcher, 'level'>,
  port: number,
): Promise<ProbeFinding[]> {
  const files = ['stdout', 'stderr', 'status'].map((name) => createOutputFile(folder.base, name))
  const [stdout, stderr, status] = files as [OutputFile, OutputFile, OutputFile]
  const secret = randomUUID()
  const places = [tmpdir(), homedir(), '/usr'].map((place) => join(place, `bench-probe-${secret}`))
  const attack = JSON.stringify({
    port,
    places,
    secret,
    entries: homeEntries(launcher.visibleFolders),
    forks: mostForks,
    bytes: limits.memoryBytes + 256 * 1024 ** 2,
    fileBytes: limits.fileBytes,
    raw: rawAttacks(),
    prefixes: launcher.showsSystem ? ['/usr', '/usr/local', ...launcher.visibleFolders] : [],
  })
  const command = [process.execPath, 'probe.mjs', attack]
  const launch = launcher.launch(folder, { files: {}, command }, limits)
  // A process stands in for the harness, so that it can be killed. It holds a secret, and a folder that its caller left open.
  const startedAt = performance.now()
  const opened = [openSync('/', 'r'), ...(launch.openFilter ? [launch.openFilter()] : [])]
  const [root, filter = 'ignore'] = opened
  const stdio: StdioOptions = ['ignore', stdout.fd, stderr.fd, status.fd, filter]
  for (const fd of leftOpen()) stdio[fd] = root
  const passed = [JSON.stringify(launch.env), launch.openFilter ? '5' : '4']
  const host = startProcess(
    process.execPath,
    [program('probe-host.mjs'), startModule(), ...passed, launch.file, ...launch.args],
    { cwd: launch.cwd, env: { BENCH_PROBE_SECRET: secret }, detached: true, stdio },
  )
  for (const fd of opened) closeSync(fd)
  const ended = new Promise<void>((resolve) => host.on('exit', () => resolve()).on('error', () => resolve()))
  try {
    const found = await readFirstLine(stdout, ended)
    if (found === 'silent') throw new Error(`the probe did not answer in ${timeoutMs / 1000} s`)
    if (found === 'ended') throw new Error(stderr.text(2000).trim() || 'the probe ended without output')
    const findings = Object.entries(parseFindings(found.line)).map(judge(places))
    const outlived = await attackOutliving(launcher, status.text(4096), () => host.kill('SIGKILL'))
    return [...findings, outlived]
  } finally {
    if (host.pid !== undefined)
      await waitForExit(endProcessTree({ leader: host.pid, startedAt, marker: folder.base }), 1000)
    await launch.cleanUp?.()
    for (const file of files) file.close()
    for (const place of places) rmSync(place, { force: true })
  }
}

const Found = z.union([z.string(), z.null(), z.object({ untried: z.string() })])
type Found = z.infer<typeof Found>

function parseFindings(line: string): Record<string, Found> {
  try {
    return z.record(z.string(), Found).parse(JSON.parse(line))
  } catch {
    throw new Error(
      `the probe printed ${JSON.stringify(line.slice(0, 80))} instead of the results of the attacks`,
    )
  }
}

function judge(places: readonly string[]): (found: [string, Found]) => ProbeFinding {
  return ([attack, detail]) => {
    if (typeof detail === 'object' && detail !== null)
      return { attack, held: false, detail: `not tried: ${detail.untried}` }
    const held = detail !== null && (attack !== 'write-outside' || !places.some((place) => existsSync(place)))
    return { attack, held, detail: held && detail !== null ? detail : 'the attack succeeded' }
  }
}

/** Kills the process that started the sandbox, and checks that the sandbox ends with it. */
async function attackOutliving(
  launcher: Omit<Launcher, 'level'>,
  status: string,
  killHost: () => void,
): Promise<ProbeFinding> {
  const attack = 'outlive-harness'
  const init = launcher.readStatus?.(status).init
  killHost()
  if (init === undefined) return { attack, held: false, detail: 'not known' }
  await waitForExit(new Set([init]), 1000)
  return isRunning(init)
    ? { attack, held: false, detail: 'the sandbox kept running' }
    : { attack, held: true, detail: 'the sandbox ended with the process that started it' }
}

function rawAttacks() {
  if (!hasFilter(process.arch)) return { untried: `the probe has no program for ${process.arch} processors` }
  const { program, ...attacks } = callAttacks(process.arch)
  return { program: program.toString('base64'), ...attacks }
}

/** Waits for the first printed line; `ended` if the process ended without one, `silent` after the timeout. */
async function readFirstLine(
  stdout: OutputFile,
  ended: Promise<void>,
): Promise<{ line: string } | 'ended' | 'silent'> {
  let over = false
  ended.then(() => {
    over = true
  })
  for (let waited = 0; waited < timeoutMs; waited += 2) {
    const text = stdout.text(8192)
    if (text.includes('\n')) return { line: text.slice(0, text.indexOf('\n')) }
    if (over) return 'ended'
    await setTimeout(2)
  }
  return 'silent'
}

/** Returns the entries of the home folder, except those that lead to visible folders. */
function homeEntries(visibleFolders: readonly string[]): string[] {
  const home = homedir()
  const entries = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : []
  return entries.filter((entry) => !visibleFolders.some((shown) => isInside(shown, entry)))
}

function listen(): Promise<{ port: number; close(): void }> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        close: () => server.close(),
      })
    })
  })
}

const program = (name: string) => join(packageRoot(), 'src/sandbox/programs', name)
const startModule = () => join(packageRoot(), 'dist/bench/start-process.js')

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
import { createOutputFile, type OutputFile } from '../process/output.ts'
import { endProcessTree, isRunning, waitForExit } from '../process/process-tree.ts'
import { isInside } from '../tools/toolchain.ts'
import { callAttacks } from './probe-calls.ts'
import { probeSharedMemory } from './probe-memory.ts'

/** One attack that was really tried, and what became of it. */
export interface ProbeFinding {
  attack: string
  held: boolean
  /** What the attack met; what it did where it was not held. */
  detail: string
}

/** Small, so that the attacks stay small; but for memory, of which Node 24 reserves half a GiB before it starts. */
const limits = { ...defaultLimits, processes: 48, fileBytes: 4 * 1024 ** 2 }

/** More than the limit, and never more than these. */
const mostForks = 64

/** Longest for all attacks together; ms. */
const patience = 20_000

/**
 * Runs bounded attacks inside a sandbox and tells which of them it holds. Throws `Error` with the wrapper's own words
 * when nothing runs inside at all.
 */
export async function probe(launcher: Omit<Launcher, 'level'>): Promise<ProbeFinding[]> {
  const sharing = probeSharedMemory(launcher)
  // Where nothing starts both fail, and what the program inside met says more.
  sharing.catch(() => {})
  return [...(await probeFromInside(launcher)), { attack: 'shared-memory', ...(await sharing) }]
}

async function probeFromInside(launcher: Omit<Launcher, 'level'>): Promise<ProbeFinding[]> {
  const folder = createPrivateFolder({ 'probe.mjs': probeProgram() }, launcher.uid)
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
  // In the harness's place stands a process that can be killed; it has a secret, and passes on what it was told to.
  const env = Object.entries(launch.env).map(([name, value]) => `${name}=${value}`)
  const inside = ['/usr/bin/env', '-i', ...env, launch.file, ...launch.args]
  const startedAt = performance.now()
  const filter = launch.openFilter?.()
  const host = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', ...inside], {
    cwd: launch.cwd,
    env: { BENCH_PROBE_SECRET: secret },
    detached: true,
    stdio: ['ignore', stdout.fd, stderr.fd, status.fd, filter ?? 'ignore'],
  })
  if (filter !== undefined) closeSync(filter)
  const ended = new Promise<void>((resolve) => host.on('exit', () => resolve()).on('error', () => resolve()))
  try {
    const found = await readFirstLine(stdout, ended)
    if (found === 'silent') throw new Error(`no answer in ${patience / 1000} s`)
    if (found === 'ended') throw new Error(stderr.text(2000).trim() || 'it ended and printed nothing')
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

/** What an attack met, null where it met nothing, or why it could not be tried. */
const Found = z.union([z.string(), z.null(), z.object({ untried: z.string() })])
type Found = z.infer<typeof Found>

/** What the probe says of its attacks. Throws `Error` where something else was printed in its stead. */
function parseFindings(line: string): Record<string, Found> {
  try {
    return z.record(z.string(), Found).parse(JSON.parse(line))
  } catch {
    throw new Error(`it printed ${JSON.stringify(line.slice(0, 80))} and not what became of the attacks`)
  }
}

function judge(places: readonly string[]): (found: [string, Found]) => ProbeFinding {
  return ([attack, detail]) => {
    if (typeof detail === 'object' && detail !== null)
      return { attack, held: false, detail: `not tried: ${detail.untried}` }
    const held = detail !== null && (attack !== 'write-outside' || !places.some((place) => existsSync(place)))
    return { attack, held, detail: held && detail !== null ? detail : 'it worked' }
  }
}

/** Kills the process that started the sandbox, and looks whether the sandbox ends with it. */
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
    ? { attack, held: false, detail: 'it runs on' }
    : { attack, held: true, detail: 'it ended with the process that started it' }
}

/** Attacks by system calls in the form that the program inside takes, or why there are none. */
function rawAttacks() {
  if (!hasFilter(process.arch)) return { untried: `no program for ${process.arch}` }
  const { program, ...attacks } = callAttacks(process.arch)
  return { program: program.toString('base64'), ...attacks }
}

/** The first line that is printed; else whether it ended without one, or is silent still. */
async function readFirstLine(
  stdout: OutputFile,
  ended: Promise<void>,
): Promise<{ line: string } | 'ended' | 'silent'> {
  let over = false
  ended.then(() => {
    over = true
  })
  for (let waited = 0; waited < patience; waited += 2) {
    const text = stdout.text(8192)
    if (text.includes('\n')) return { line: text.slice(0, text.indexOf('\n')) }
    if (over) return 'ended'
    await setTimeout(2)
  }
  return 'silent'
}

/** What really stands in the home, but for the ways to what has to be seen. */
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

const probeProgram = () => readFileSync(join(packageRoot(), 'src/sandbox/programs/probe.mjs'), 'utf8')

// Runs whole processes and tells what they used.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const preload = fileURLToPath(new URL('usage.cjs', import.meta.url))
const wholeTree = fileURLToPath(new URL('whole-tree.py', import.meta.url))

/**
 * Runs a Node program to its end: `{ cpuMs, childrenMs, wallMs, rssMiB }`. `cpuMs` is user + system time of all its
 * threads from its first to its exit event; `childrenMs` that of the child processes it waited for (null where the system
 * does not tell). Throws with the end of its stderr when it ends with another exit code than those allowed.
 */
export function measure({ node, args, ...options }) {
  const preloaded = ['--require', preload, ...args]
  const { usage, wallMs } = run(() => [node.path, ...preloaded], options)
  const { cpuMs, childrenMs, rssKiB } = usage
  return { cpuMs, childrenMs, wallMs, rssMiB: rssKiB / 1024 }
}

/** The same: `cpuMs` of it and of all that came of it, waited for or not, also inside of sandboxes. Linux and python3. */
export function measureTree({ node, args, ...options }) {
  const { usage, wallMs } = run((usageFile) => ['python3', wholeTree, usageFile, node.path, ...args], options)
  return { cpuMs: usage.cpuMs, wallMs }
}

function run(commandFor, { cwd, env = {}, exitCodes = [0] }) {
  const scratch = temporaryFolder()
  const usageFile = join(scratch, 'usage.json')
  const stderrFile = join(scratch, 'stderr')
  const stderr = openSync(stderrFile, 'w')
  const [file, ...args] = commandFor(usageFile)
  try {
    const started = performance.now()
    const { status, signal, error } = spawnSync(file, args, {
      cwd,
      env: {
        ...process.env,
        // Where a machine adds certificates of its own, Node 20 reads them at each start: more than all else that it does.
        NODE_EXTRA_CA_CERTS: undefined,
        ...env,
        BENCH_USAGE_FILE: usageFile,
        BENCH_USAGE_PARENT: String(process.pid),
      },
      stdio: ['ignore', 'ignore', stderr],
    })
    const wallMs = performance.now() - started
    if (error) throw error
    if (!exitCodes.includes(status)) {
      const text = readFileSync(stderrFile, 'utf8').slice(-2000)
      throw new Error(`${[file, ...args].join(' ')} ended with ${signal ?? status}:\n${text}`)
    }
    return { usage: JSON.parse(readFileSync(usageFile, 'utf8')), wallMs }
  } finally {
    closeSync(stderr)
    rmSync(scratch, { recursive: true })
  }
}

/**
 * Takes the subjects in turn, A B A B, so that whatever else the machine does hits all alike. `subjects` is an object
 * of functions; gives an object of arrays, one sample per round.
 */
export function interleaved(rounds, subjects) {
  const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, sample] of Object.entries(subjects)) samples[name].push(sample())
  return samples
}

/** Median, least and greatest of some numbers. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  return { median, min: sorted[0], max: sorted.at(-1) }
}

/** A fresh folder, removed when this process ends if not before. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-perf-'))
  folders.add(folder)
  return folder
}

const folders = new Set()
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

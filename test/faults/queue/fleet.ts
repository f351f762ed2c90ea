import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { program, soon } from '../../helpers/runs/cli.ts'

/** A process of bench that a test kills, suspends and starts again under the same name. */
interface Member {
  name: string
  child: ChildProcess
  /** In PID and host namespaces of its own: what runs there looks to others like another machine. */
  isIsolated: boolean
}

/** The processes that work on one run. */
export interface Fleet {
  members: Map<string, Member>
  /** Starts a process, or starts it again. */
  start(name: string, args: readonly string[], options?: { isIsolated?: boolean }): Member
  /** Sends a signal to a process and all that it started. */
  signal(name: string, signal: NodeJS.Signals): void
  /** Waits for the end of a process, and returns its exit code; null after a signal. */
  ended(name: string): Promise<number | null>
  /** All that a process has printed, over its starts. */
  said(name: string): string
  /** The block that a process holds by its lock; undefined if it has none at the moment. */
  heldBy(name: string): number | undefined
}

/** Opens a fleet for the run in a folder. All of its processes end with the test; `logs` gets what they print. */
export function openFleet(run: string, logs: string, env: Readonly<Record<string, string>>): Fleet {
  const members = new Map<string, Member>()
  const end = ({ child }: Member, signal: NodeJS.Signals) => {
    // The whole group: bubblewrap passes nothing on.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, signal)
  }
  onTestFinished(() => {
    for (const member of members.values()) end(member, 'SIGKILL')
  })
  const member = (name: string) => {
    const found = members.get(name)
    if (!found) throw new Error(`${name} was not started`)
    return found
  }
  const logOf = (name: string) => join(logs, `${name}.log`)
  return {
    members,
    start(name, args, { isIsolated = false } = {}) {
      const apart = [
        'bwrap',
        '--dev-bind',
        '/',
        '/',
        '--unshare-pid',
        '--unshare-uts',
        '--hostname',
        name,
        '--proc',
        '/proc',
        '--',
      ]
      const [file = '', ...rest] = [...(isIsolated ? apart : []), process.execPath, program, ...args]
      const { BENCH_DEBUG: _, FORCE_COLOR: __, ...inherited } = process.env
      const child = spawn(file, rest, {
        env: { ...inherited, ORCHESTRATION_BENCH_CACHE: inject('cache'), ...env },
        cwd: logs,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (text) => existsSync(logs) && appendFileSync(logOf(name), text))
      const started = { name, child, isIsolated }
      members.set(name, started)
      return started
    },
    signal: (name, signal) => end(member(name), signal),
    async ended(name) {
      const { child } = member(name)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return child.exitCode
    },
    said: (name) => (existsSync(logOf(name)) ? readFileSync(logOf(name), 'utf8') : ''),
    heldBy(name) {
      const { child, isIsolated } = member(name)
      return locksOf(run).find(({ pid, host }) =>
        isIsolated ? host === name : host === hostname() && pid === child.pid,
      )?.block
    },
  }
}

/** Returns who holds which block of a run at the moment. */
export function locksOf(run: string): { block: number; pid: number; host: string; text: string }[] {
  const blocks = join(run, 'blocks')
  if (!existsSync(blocks)) return []
  return readdirSync(blocks).flatMap((block) => {
    try {
      const text = readFileSync(join(blocks, block, 'lock'), 'utf8')
      const { pid, host, started } = JSON.parse(text)
      return [{ block: Number(block), pid, host, text: `${host} ${pid} ${started}` }]
    } catch {
      return []
    }
  })
}

/** Waits until something holds; rejects after some time, so that a test that hangs says where. */
export async function waitFor<Found>(
  what: string,
  find: () => Found | undefined | false,
  forMs = 60_000,
): Promise<Found> {
  const until = performance.now() + forMs
  for (;;) {
    const found = find()
    if (found !== undefined && found !== false) return found
    if (performance.now() > until) throw new Error(`waited ${forMs / 1000} s in vain: ${what}`)
    await soon(20)
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { program, soon } from '../../helpers/runs/cli.ts'
import { type BillingServer, startBillingServer } from '../../helpers/servers/billing-server.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'

/** A process of bench that a test kills, suspends and starts again under the same name. */
interface Member {
  name: string
  child: ChildProcess
  /** In PID and host namespaces of its own: what runs there looks to others like another machine. */
  isIsolated: boolean
}

/** The processes that work on one run. */
interface Fleet {
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
function openFleet(run: string, logs: string, env: Readonly<Record<string, string>>): Fleet {
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

/** A run of one task a block, which workers do, with a PostgreSQL and a paid model on loopback. */
export interface FleetRun {
  folder: string
  share: string
  logs: string
  queue: string
  secrets: { password: string; key: string }
  postgres: Postgres
  provider: BillingServer
  fleet: Fleet
  /** Starts a worker that waits for blocks; one whose name begins with `far` is isolated. */
  work(name: string): void
  /** Goes on with the run, with a new coordinator. */
  resume(...args: string[]): void
  /** Ends all workers, as Ctrl-C does. Returns their exit codes; null for those in bubblewrap, which ends by the signal itself. */
  endWorkers(): Promise<(number | null)[]>
  /** What a test that failed has to say: nobody can ask the processes any more. */
  story(): Promise<string>
}

/** A lease of its workers; ms. */
export const leaseMs = 3000
/** Calls of a block: one by `baseline` and five by `self-consistency`, twice. */
export const callsOfBlock = 12

/** Starts the coordinator of a run of so many blocks, with these limits, and waits until workers can begin. */
export async function startFleetRun(blocks: number, limits: readonly string[]): Promise<FleetRun> {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const provider = await startBillingServer(() => 150)
  const [share, logs] = [tempFolder(), tempFolder()]
  const folder = join(share, 'run')
  const questions = Array.from({ length: blocks }, (_, i) => `What is ${i + 2} minus ${i + 1}?,1`)
  writeFileSync(join(share, 'questions.csv'), ['question,answer', ...questions].join('\n'))
  const queue = `postgres://bench@127.0.0.1:${postgres.port}/bench`
  const key = 'sk-not-a-real-key-of-this-fleet'
  const fleet = openFleet(folder, logs, {
    ...{ PGPASSWORD: postgres.password, OPENAI_COMPATIBLE_BASE_URL: provider.url },
    OPENAI_COMPATIBLE_API_KEY: key,
  })
  const workers = new Set<string>()
  let isOver = false
  const work = (name: string) => {
    workers.add(name)
    const args = argv`work --queue ${queue} --share ${share} --parallel 2 --lease ${leaseMs / 1000} --trust-code --keep`
    const { child } = fleet.start(name, args, { isIsolated: name.startsWith('far') })
    // Whoever starts while the server is away is told so at once, and started again, as a service manager does.
    const isRefused = () => fleet.said(name).trimEnd().endsWith('and the host and port in the URL.')
    child.once('exit', (code) => code === 2 && !isOver && isRefused() && work(name))
  }
  fleet.start('coordinator', [
    ...argv`--tasks csv:${join(share, 'questions.csv')} --methods baseline,self-consistency --epochs 2 --mode live --yes`,
    ...argv`--agents openai-compatible:m --no-config --keep-going --queue ${queue} --share ${share} --out ${folder}`,
    ...limits,
  ])
  await waitFor('the run is put', () => fleet.said('coordinator').includes('bench work'))
  return {
    ...{ folder, share, logs, queue, postgres, provider, fleet, work },
    secrets: { password: postgres.password, key },
    resume: (...args) => void fleet.start('coordinator', ['--resume', folder, '--queue', queue, ...args]),
    async endWorkers() {
      isOver = true
      for (const name of workers) fleet.signal(name, 'SIGINT')
      return Promise.all([...workers].map((name) => fleet.ended(name)))
    },
    story: async () =>
      [
        ...[...fleet.members.keys()].flatMap((name) => [
          `== ${name}, which holds block ${fleet.heldBy(name)}`,
          ...fleet.said(name).split('\n').slice(-12),
        ]),
        await postgres.sql('select * from orchestration_bench.bench_limit'),
        await postgres.sql('select * from orchestration_bench.bench_allowance where reserved > 0'),
        ...postgres.log().split('\n').slice(-20),
      ].join('\n'),
  }
}

/** Waits until a block has another holder than now, or the run has its lines. */
export async function takenAgain(run: string, block: number): Promise<void> {
  const holder = () => locksOf(run).find((lock) => lock.block === block)?.text
  const before = holder()
  await waitFor(`block ${block} is taken again`, () => {
    if (existsSync(join(run, 'joined', `${block}`)) || !existsSync(join(run, 'blocks'))) return true
    const now = holder()
    return now !== undefined && now !== before
  })
}

/** Returns who holds which block of a run at the moment. */
function locksOf(run: string): { block: number; pid: number; host: string; text: string }[] {
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

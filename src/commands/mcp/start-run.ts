import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ledgersOf } from '../../loop/join/blocks.ts'
import { sumRunBill } from '../../loop/record/run-bill.ts'
import { readManifest } from '../../loop/record/run-folder.ts'
import { formatUsd } from '../../reports/words/numbers.ts'
import { UserError } from '../../text/errors.ts'
import { type BenchProcess, type Printed, startBench } from './call-bench.ts'
import { checkRequest, type RunRequest } from './run-request.ts'

/** Starts runs for a client, and ends those that still work when the server ends: they can be resumed. */
export interface Starter {
  start(request: RunRequest): Promise<Printed>
  /** Asks a run that this server started to stop; calls in flight end normally. False: this server did not start it, or it has ended. */
  stop(name: string): boolean
  close(): Promise<void>
}

/** Each has processes of its own. */
const mostAtOnce = 4

interface Started {
  name: string
  process: BenchProcess
  /** Dollars that it may still spend; 0 for a run that costs nothing. */
  reserved: number
  isAskedToStop: boolean
  /** What it printed; undefined while it works. */
  printed?: Printed
}

/** Creates the starter of a server. `dollars`: what all its runs may spend together; null: only runs that cost nothing may start. */
export function createStarter(folder: string, dollars: number | null): Starter {
  const runs = new Map<string, Started>()
  let spent = 0
  const left = () =>
    (dollars ?? 0) - spent - [...runs.values()].reduce((sum, { reserved }) => sum + reserved, 0)
  const working = () => [...runs.values()].filter(({ printed }) => printed === undefined)
  const settle = (path: string, run: Started, printed: Printed) => {
    if (run.reserved > 0) spent += spentBy(path) ?? run.reserved
    run.reserved = 0
    run.printed = printed
  }
  return {
    async start(request) {
      const path = join(folder, request.name)
      const isFree = checkRequest(request, dollars !== null)
      const cost = isFree ? 0 : Math.min(left(), request.max_cost ?? Number.POSITIVE_INFINITY)
      if (!isFree && cost < 0.01)
        throw new UserError({
          where: 'start_run',
          what: `may spend no more: ${formatUsd(Math.max(0, left()))} are left of --allow-spend ${dollars}`,
          fix: 'Wait until other runs have ended, or ask the person who started bench mcp for more.',
        })
      if (working().some(({ name }) => name === request.name) || existsSync(path))
        throw new UserError({
          where: `name ${request.name}`,
          what: `is taken in ${folder}`,
          fix: 'Use another name.',
        })
      if (working().length >= mostAtOnce)
        throw new UserError({
          where: 'start_run',
          what: `${mostAtOnce} runs of this server work already`,
          fix: 'Wait until one has ended, or end one with stop_run.',
        })
      const process = startRun(path, request, isFree ? null : cost)
      const run: Started = { name: request.name, process, reserved: cost, isAskedToStop: false }
      runs.set(request.name, run)
      const ended = process.ended.then(({ code, stdout, stderr }) => {
        const isError = code === 2 || code === null
        settle(path, run, { text: `${stdout}${stderr && `\n${stderr}`}`, isError })
      })
      await Promise.race([ended, wait(request.wait_seconds * 1000)])
      return (
        run.printed ?? { text: `${request.name} works on; call progress for how far it is.`, isError: false }
      )
    },
    stop(name) {
      const run = working().find((one) => one.name === name)
      if (run) askToStop(run)
      return run !== undefined
    },
    async close() {
      const open = working()
      open.forEach(askToStop)
      await Promise.all(open.map(({ process }) => process.ended))
    },
  }
}

/** Asks once: a second signal would cut off its calls in flight. */
function askToStop(run: Started): void {
  if (!run.isAskedToStop) run.process.kill('SIGINT')
  run.isAskedToStop = true
}

function startRun(path: string, request: RunRequest, dollars: number | null): BenchProcess {
  const { tasks, methods, agents, epochs, sample, seed, parallel } = request
  const flags = Object.entries({ tasks, methods, agents, epochs, sample, seed, parallel }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]),
  )
  const mode =
    dollars === null ? ['--dev', '--no-config'] : ['--mode=live', '--yes', `--max-cost=${dollars.toFixed(6)}`]
  // The server asks its runs to end; a second signal, as of a client that ends a group of processes, would cut off their calls.
  return startBench(['run', ...flags, ...mode, '--quiet', '--approve=park', `--out=${path}`], {
    detached: true,
  })
}

/** Returns what a run spent in dollars, void calls included; null if it is unknown. */
function spentBy(path: string): number | null {
  try {
    readManifest(path)
    const dollars = Object.values(sumRunBill(...ledgersOf(path))).map(({ costUsd }) => costUsd)
    return dollars.reduce<number | null>(
      (sum, value) => (sum === null || value === null ? null : sum + value),
      0,
    )
  } catch {
    // Without a folder it was refused before it began; a folder that cannot be read tells nothing.
    return existsSync(path) ? null : 0
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

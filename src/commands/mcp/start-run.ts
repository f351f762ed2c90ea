import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { execa, type ResultPromise } from 'execa'
import { z } from 'zod'
import { sumRunBill } from '../../loop/record/run-bill.ts'
import { readManifest } from '../../loop/record/run-folder.ts'
import { formatUsd } from '../../reports/words/numbers.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { benchProgram, type Printed } from './call-bench.ts'

/** What a client may ask of a run: the settings of `bench run` that name neither programs nor places outside of the current folder. */
export const RunRequest = z.strictObject({
  name: z.string().describe('the name of the new run folder'),
  tasks: z
    .string()
    .default('all')
    .describe('tasks, as for bench run --tasks; NAME:PATH only below this folder'),
  methods: z.string().describe('methods, comma-separated, such as baseline,sequential[maxInner=2]'),
  agents: z
    .string()
    .optional()
    .describe('who answers (default: simulated agents, which cost nothing); others need --allow-spend'),
  epochs: z.int().positive().max(1000).optional(),
  sample: z.int().positive().optional().describe('only a sample of so many tasks'),
  seed: z.int().min(0).optional(),
  parallel: z.int().positive().max(64).optional(),
  max_cost: z.number().positive().optional().describe('dollars at which a paid run stops'),
  wait_seconds: z
    .number()
    .min(0)
    .max(100)
    .default(60)
    .describe('how long to wait for the end; the run goes on after it'),
})
export type RunRequest = z.infer<typeof RunRequest>

/** Starts runs for a client, and ends those that still work when the server ends: they can be resumed. */
export interface Starter {
  start(request: RunRequest): Promise<Printed>
  /** Asks a run that this server started to stop; calls in flight end normally. False: this server did not start it, or it has ended. */
  stop(name: string): boolean
  close(): Promise<void>
}

interface Started {
  process: ResultPromise
  /** Dollars that it may still spend; 0 for a run that costs nothing. */
  reserved: number
  /** What it printed; undefined while it works. */
  printed?: Printed
}

/** Creates the starter of a server. `dollars`: what all its runs may spend together; null: only runs that cost nothing may start. */
export function createStarter(folder: string, dollars: number | null): Starter {
  const runs = new Map<string, Started>()
  let spent = 0
  const left = () =>
    (dollars ?? 0) - spent - [...runs.values()].reduce((sum, { reserved }) => sum + reserved, 0)
  const settle = (path: string, run: Started, printed: Printed) => {
    if (run.reserved > 0) spent += spentBy(path) ?? run.reserved
    run.reserved = 0
    run.printed = printed
  }
  return {
    async start(request) {
      const path = join(folder, request.name)
      const isFree = requestProblems(request, dollars !== null)
      const cost = isFree ? 0 : Math.min(left(), request.max_cost ?? Number.POSITIVE_INFINITY)
      if (!isFree && cost < 0.01)
        throw new UserError({
          where: 'start_run',
          what: `may spend no more: ${formatUsd(Math.max(0, left()))} are left of --allow-spend ${dollars}`,
          fix: 'Wait until other runs have ended, or ask the person who started bench mcp for more.',
        })
      if (existsSync(path))
        throw new UserError({
          where: `name ${request.name}`,
          what: `is taken in ${folder}`,
          fix: 'Use another name.',
        })
      const process = startBench(path, request, isFree ? null : cost)
      const run: Started = { process, reserved: cost }
      runs.set(request.name, run)
      const ended = process.then(({ stdout, stderr, exitCode }) => {
        settle(path, run, { text: `${stdout}${stderr && `\n${stderr}`}`, isError: exitCode === 2 })
      })
      await Promise.race([ended, wait(request.wait_seconds * 1000)])
      return (
        run.printed ?? { text: `${request.name} works on; call progress for how far it is.`, isError: false }
      )
    },
    stop(name) {
      const run = runs.get(name)
      return run !== undefined && run.printed === undefined && run.process.kill('SIGINT')
    },
    async close() {
      const open = [...runs.values()].filter(({ printed }) => printed === undefined)
      for (const { process } of open) process.kill('SIGINT')
      await Promise.all(open.map(({ process }) => process))
    },
  }
}

function startBench(path: string, request: RunRequest, dollars: number | null): ResultPromise {
  const { tasks, methods, agents, epochs, sample, seed, parallel } = request
  const flags = Object.entries({ tasks, methods, agents, epochs, sample, seed, parallel }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]),
  )
  const mode =
    dollars === null ? ['--dev', '--no-config'] : ['--mode=live', '--yes', `--max-cost=${dollars.toFixed(6)}`]
  return execa(
    process.execPath,
    [benchProgram(), 'run', ...flags, ...mode, '--quiet', '--approve=park', `--out=${path}`],
    {
      reject: false,
      stdin: 'ignore',
      maxBuffer: 64_000_000,
      env: { NO_COLOR: '1', COLUMNS: '120' },
      // It asks its own calls to end; a second signal would cut them off.
      cleanup: false,
    },
  )
}

/** Returns what a run spent in dollars, void calls included; null if it is unknown. */
function spentBy(path: string): number | null {
  try {
    readManifest(path)
    const dollars = Object.values(sumRunBill(path)).map(({ costUsd }) => costUsd)
    return dollars.reduce<number | null>(
      (sum, value) => (sum === null || value === null ? null : sum + value),
      0,
    )
  } catch (error) {
    // It was refused before it began.
    if (error instanceof UserError) return existsSync(path) ? null : 0
    throw error
  }
}

const free = /^(?:[\w-]+=)?(?:simulated|oracle|no-op)$/
const methodForm = /^(?:[\w.-]+=)?[a-z][a-z0-9-]*(?:\[[^[\]/\\]*\])?$/

/** Returns whether a run costs nothing. Throws `UserError` with all that a client may not ask for. */
function requestProblems(
  { name, tasks, methods, agents = 'simulated' }: RunRequest,
  maySpend: boolean,
): boolean {
  const problems: Problem[] = []
  if (!/^\w[\w.-]{0,99}$/.test(name) || name.includes('..'))
    problems.push({
      where: 'name',
      what: 'is no name of a folder',
      fix: 'Use letters, digits, dots and dashes.',
    })
  for (const method of splitOutsideBrackets(methods))
    if (!methodForm.test(method) || method.includes('..'))
      problems.push({
        where: `methods ${method}`,
        what: 'is no name of a built-in method',
        fix: 'Use a name from list_methods, with options in brackets. A client cannot start code of a file.',
      })
  for (const place of tasks.split(',').flatMap((word) => /^[\w-]+:([^:?]+)/.exec(word)?.[1] ?? pathIn(word)))
    if (!isBelowHere(place))
      problems.push({
        where: `tasks ${place}`,
        what: 'is no file below the current folder',
        fix: 'Use a path below it.',
      })
  const named = agents.split(',').map((agent) => agent.trim())
  const isFree = named.every((agent) => free.test(agent) || recordedFile(agent) !== undefined)
  for (const agent of named) {
    const file = recordedFile(agent)
    if (file !== undefined && !isBelowHere(file))
      problems.push({
        where: `agents ${agent}`,
        what: 'is no file below the current folder',
        fix: 'Use a path below it.',
      })
    if (/^(?:[\w-]+=)?scripted:/.test(agent))
      problems.push({
        where: `agents ${agent}`,
        what: 'is a program of a file',
        fix: 'A person starts it: bench run.',
      })
  }
  if (!isFree && !maySpend)
    problems.push({
      where: `agents ${agents}`,
      what: 'may cost money or start programs',
      fix: 'Use simulated, oracle, no-op or recorded:FILE, or ask the person to start bench mcp --allow-spend USD.',
    })
  if (problems.length > 0) throw new UserError(problems)
  return isFree
}

const recordedFile = (agent: string): string | undefined => /^(?:[\w-]+=)?recorded:([^:]+)$/.exec(agent)?.[1]
const splitOutsideBrackets = (text: string): string[] => text.split(/,(?![^[]*\])/).map((word) => word.trim())
/** A word that is no name of a task or suite is a path. */
const pathIn = (word: string): string[] => (/^[./~]|\.\./.test(word.trim()) ? [word.trim()] : [])

function isBelowHere(path: string): boolean {
  if (isAbsolute(path) || path.split(/[/\\]/).includes('..') || !existsSync(path)) return false
  return realpathSync(path).startsWith(realpathSync('.') + sep)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

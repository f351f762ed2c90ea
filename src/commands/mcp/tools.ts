import { basename } from 'node:path'
import { z } from 'zod'
import { queryNames } from '../../history/queries.ts'
import { readManifest } from '../../loop/record/run-folder.ts'
import { trialsDone } from '../compare/interim-look.ts'
import { runState, stateText } from '../runs.ts'
import { type BenchTool, changing, flags, page, pageOf, run, text, tool } from './bench-tool.ts'
import { callBench } from './call-bench.ts'
import { type NamedRuns, namedRuns } from './run-names.ts'
import { RunRequest } from './run-request.ts'
import type { Starter } from './start-run.ts'
import { setState, trialTools } from './trial-tools.ts'

/** What a server serves: the folder of runs, whether a client may change stopped trials, and who starts runs. */
export interface Served {
  folder: string
  control: boolean
  starter: Starter
}

/** Returns the tools of a server; those that change something only where the person allowed it. */
export function toolsFor({ folder, starter, control }: Served): BenchTool[] {
  const runs = namedRuns(folder)
  return [
    ...resultTools(runs),
    ...trialTools(runs),
    ...nameTools(),
    ...startTools(starter),
    ...(control ? [setState(runs)] : []),
  ]
}

function resultTools({ folder, has, path, opened, peeking, peek, method }: NamedRuns): BenchTool[] {
  return [
    tool(
      'list_runs',
      'List the runs, the newest first: methods, tasks, trials, and how far each is.',
      page,
      async ({ offset, limit }, signal) => {
        const printed = await callBench(['runs', folder, '--json'], signal)
        if (printed.isError) return printed
        const runs = newestFirst(JSON.parse(printed.text) as ListedRun[]).map((listed) =>
          has(listed.run)
            ? listed
            : { run: listed.run, problem: 'is or holds a link, which no tool follows' },
        )
        return { ...printed, text: JSON.stringify(pageOf('runs', runs, { offset, limit })) }
      },
    ),
    tool(
      'progress',
      'Tell how far a run is and what it spent, without results by method.',
      { run },
      async (args) => ({ text: progressOf(path(args.run)), isError: false }),
    ),
    changing(
      'peek',
      'Open the results of a live run that is not whole, for this session. The look is noted in the run, and voids its tests for a fixed number of tasks if it goes on.',
      { run },
      async (args) => {
        peek(args.run)
        return { text: `the look at ${args.run} is noted; its results can be read now`, isError: false }
      },
    ),
    tool(
      'summary',
      'The first screen of a report: the methods, who wins, by how much, at what price, how sure.',
      { run },
      ({ run }, signal) => callBench(['report', opened(run), '--section=screen', ...peeking(run)], signal),
    ),
    tool(
      'history',
      'What all runs say together, by agent, week, role or task. Live runs that are not whole are left out.',
      { query: z.enum(queryNames).default('agents'), task: text('with the query task: the task') },
      ({ query, task }, signal) =>
        callBench(
          ['history', `--in=${folder}`, '--json', '--', query, ...(task === undefined ? [] : [task])],
          signal,
        ),
    ),
    tool(
      'report',
      'The report of a run: all tables, or one section.',
      {
        run,
        format: z.enum(['text', 'markdown', 'csv', 'json', 'latex']).default('text'),
        section: text('only this section: methods, tasks, comparison, coordination, mechanisms, …'),
        baseline: text('the method that the others are compared with'),
      },
      ({ run, ...options }, signal) =>
        callBench(['report', opened(run), ...flags(options), ...peeking(run)], signal),
    ),
    tool(
      'compare',
      'Compare two methods, of one run or of two: by the tasks that both have.',
      {
        run,
        method_a: z.string(),
        method_b: z.string(),
        run_b: text('the run of method_b (default: run)'),
      },
      ({ run, run_b = run, method_a, method_b }, signal) =>
        callBench(
          [
            'compare',
            `${opened(run)}:${method(run, method_a)}`,
            `${opened(run_b)}:${method(run_b, method_b)}`,
            ...peeking(run, run_b),
          ],
          signal,
        ),
    ),
  ]
}

function nameTools(): BenchTool[] {
  return [
    tool('list_methods', 'List the methods that can be run, with their roles and options.', {}, (_, signal) =>
      callBench(['methods'], signal),
    ),
    tool(
      'list_tasks',
      'List the built-in tasks, or show one.',
      {
        selection: z
          .string()
          .regex(/^[\w*][\w*,/-]*$/)
          .optional()
          .describe('all, a suite, a glob or a task'),
      },
      ({ selection }, signal) => callBench(['tasks', 'list', ...(selection ? [selection] : [])], signal),
    ),
  ]
}

function startTools(starter: Starter): BenchTool[] {
  return [
    changing(
      'start_run',
      'Start a run. Without --allow-spend only agents that cost nothing and are no programs may answer.',
      RunRequest.shape,
      (args) => starter.start(args),
    ),
    changing(
      'stop_run',
      'Ask a run that this server started to stop; it can be resumed.',
      { run },
      async (args) =>
        starter.stop(args.run)
          ? { text: `${args.run} stops when its calls in flight have ended`, isError: false }
          : { text: `${args.run} was not started here, or has ended`, isError: true },
    ),
  ]
}

function progressOf(path: string): string {
  const manifest = readManifest(path)
  const { state, errors } = runState(path, manifest)
  return `${stateText({ state, errors })}: ${trialsDone(path, manifest)}`
}

type ListedRun = { run: string; createdAt?: string }

const newestFirst = (runs: readonly ListedRun[]): ListedRun[] =>
  runs
    .map((listed) => ({ ...listed, run: basename(listed.run) }))
    .sort((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? 1 : -1))

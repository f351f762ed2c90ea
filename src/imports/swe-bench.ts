import { basename, dirname, resolve } from 'node:path'
import { z } from 'zod'
import type { Problem } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import {
  amount,
  type Finding,
  type ForeignTrial,
  gradeOf,
  type Importer,
  type ImportOptions,
  noTokens,
} from './foreign-trial.ts'
import { readRest, shaped } from './read-document.ts'

const Ids = z.array(z.string())

const Report = z.looseObject({
  schema_version: z.number().nullish(),
  total_instances: z.number().nullish(),
  resolved_instances: z.number().nullish(),
  submitted_ids: Ids.optional(),
  resolved_ids: Ids,
  unresolved_ids: Ids.optional(),
  empty_patch_ids: Ids.optional(),
  error_ids: Ids.optional(),
  incomplete_ids: Ids.optional(),
})

const Submission = z.looseObject({
  resolved: Ids,
  no_generation: Ids.optional(),
  no_logs: Ids.optional(),
})

const Entry = z.looseObject({
  name: z.string(),
  resolved: z.number().nullish(),
  per_instance_details: z
    .record(
      z.string(),
      z.looseObject({
        resolved: z.boolean().nullish(),
        cost: z.number().nullish(),
        api_calls: z.number().nullish(),
      }),
    )
    .nullish(),
})

const Board = z.looseObject({
  leaderboards: z.array(z.looseObject({ name: z.string().optional(), results: z.array(z.unknown()) })),
})

/** SWE-bench: reports of its harness, results of submissions, and the public board or an entry of it. */
export const sweBench: Importer = {
  title: 'SWE-bench',
  wanted: 'a report MODEL.RUN.json, a results.json of a submission, or the JSON of the board',
  takes: ['taskList'],
  tested: ['2'],
  // Instances are named REPOSITORY-NUMBER.
  clusterOf: (task) => task.replace(/-\d+$/, ''),
  async *read(path, options) {
    const document = await readRest(path, [])
    if ('leaderboards' in document) {
      for (const { name, results } of shaped(Board, document, path).leaderboards) {
        const numbered = createNumbers()
        for (const [index, entry] of results.entries())
          yield* entryOf(entry, `${path}:${name ?? ''}[${index}]`, suiteOf(name), numbered)
      }
    } else if ('per_instance_details' in document) yield* entryOf(document, path, suiteOf(undefined))
    else if ('resolved_ids' in document) yield* reportOf(document, path, options)
    else yield* submissionOf(document, path, options)
  },
}

const suiteOf = (board: string | undefined) => (board ? `swe-bench-${board.toLowerCase()}` : 'swe-bench')

/** Numbers what has the name of something before it: two entries of a board with one name are two submissions. */
function createNumbers(): (name: string) => string {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}-${count}`
  }
}

const emptyTrial = (
  where: string,
  agent: string,
  task: string,
): Omit<ForeignTrial, 'state' | 'reason' | 'score'> => ({
  ...{ where, agent, model: null, suite: 'swe-bench', task },
  ...{ tokens: noTokens, costUsd: null, calls: null, durationMs: null },
})

function* entryOf(
  value: unknown,
  where: string,
  suite: string,
  numbered = createNumbers(),
): Generator<Finding> {
  const { name: written, resolved, per_instance_details: details } = shaped(Entry, value, where)
  const name = numbered(written)
  if (!isObject(details) || Object.keys(details).length === 0) {
    yield { leftOut: { where, what: `${name}: it has no results of instances` } }
    return
  }
  for (const [task, { resolved, cost, api_calls: calls }] of Object.entries(details))
    yield {
      trial: {
        ...emptyTrial(`${where} ${task}`, name, task),
        ...{ suite, ...gradeOf(resolved), costUsd: amount(cost), calls: amount(calls) },
      },
    }
  if (typeof resolved === 'number')
    yield { stated: { where, agent: name, model: null, what: 'success rate', value: resolved / 100 } }
}

/** The run behind the name of a model, with the dot before it. A dot between digits is of a version: gpt-4.1. */
const runOfName = /(?<=.)(?:(?<!\d)\.|\.(?!\d))(?:run[^.]*\.\d+|(?:[^.]|(?<=\d)\.(?=\d))*)$/i

/** In a report an error is no failure; an empty patch is one. */
function* reportOf(document: unknown, path: string, options: ImportOptions): Generator<Finding> {
  const { tasks, noteVersion } = options
  const report = shaped(Report, document, path)
  if (typeof report.schema_version === 'number') noteVersion(String(report.schema_version), path)
  const agent = basename(path)
    .replace(/\.json$/, '')
    .replace(runOfName, '')
  const states = new Map<string, Pick<ForeignTrial, 'state' | 'reason'>>()
  const note = (ids: readonly string[] | undefined, state: ForeignTrial['state'], reason: string) => {
    for (const id of ids ?? []) states.set(id, { state, reason })
  }
  note(tasks, 'not run', 'it was not submitted')
  note(report.submitted_ids, 'not graded', 'the report names no verdict')
  note(report.incomplete_ids, 'not run', 'it was not submitted')
  note(report.unresolved_ids, 'failed', '')
  note(report.empty_patch_ids, 'failed', 'the patch is empty')
  note(report.error_ids, 'error', 'the harness failed')
  note(report.resolved_ids, 'passed', '')
  const unclear = new Set<string>()
  for (const problem of unclearIds(report, states.keys(), { tasks, path })) {
    unclear.add(problem.id)
    yield { problem }
  }
  for (const [task, state] of states)
    if (!unclear.has(task)) yield { trial: { ...emptyTrial(path, agent, task), ...state, score: null } }
  const unnamed = (report.total_instances ?? 0) - states.size
  if (unnamed > 0)
    yield {
      leftOut: {
        where: path,
        what: `${unnamed} of ${report.total_instances} instances: ${tasks ? 'neither the report nor the task list names them' : 'the report does not name them (--task-list FILE does)'}`,
      },
    }
  if (typeof report.resolved_instances === 'number')
    yield { stated: { where: path, agent, model: null, what: 'passed', value: report.resolved_instances } }
}

/** The lists of a report of which an instance is in one alone. */
const verdicts = {
  ...{ resolved_ids: 'resolved', unresolved_ids: 'unresolved' },
  ...{ empty_patch_ids: 'without a patch', error_ids: 'in error' },
} as const

/** Returns the instances of which nobody can say what they are: those with two verdicts, and those that are not in the user's list. */
function* unclearIds(
  report: z.infer<typeof Report>,
  ids: Iterable<string>,
  { tasks, path }: { tasks: readonly string[] | undefined; path: string },
): Generator<Problem & { id: string }> {
  const found = new Map<string, string>()
  for (const [list, verdict] of Object.entries(verdicts) as [keyof typeof verdicts, string][])
    for (const id of new Set(report[list])) {
      const before = found.get(id)
      const what = `is ${before} and ${verdict}`
      if (before !== undefined)
        yield { id, where: `${path} ${id}`, what, fix: 'Keep it in one of the lists.' }
      else found.set(id, verdict)
    }
  if (tasks) yield* unlisted(ids, tasks, path)
}

/** Returns a problem for each instance that a list of all instances does not have. */
function* unlisted(ids: Iterable<string>, tasks: readonly string[], path: string) {
  const listed = new Set(tasks)
  for (const id of ids)
    if (!listed.has(id))
      yield {
        ...{ id, where: `${path} ${id}`, what: 'is not in the task list' },
        fix: 'Give the list of all instances of this benchmark: --task-list FILE',
      }
}

/** A submission names what was resolved; all others of the benchmark failed, so they have to be given. */
function* submissionOf(document: unknown, path: string, { tasks }: ImportOptions): Generator<Finding> {
  const { resolved, no_generation: nothing = [], no_logs: unknown = [] } = shaped(Submission, document, path)
  const folder = dirname(resolve(path))
  const agent = basename(basename(folder) === 'results' ? dirname(folder) : folder)
  if (!tasks) {
    yield {
      problem: {
        where: path,
        what: 'names the instances that were resolved, but not those that failed',
        fix: 'Give all instances, one a line: --task-list instances.txt',
      },
    }
    return
  }
  for (const problem of unlisted(new Set([...resolved, ...nothing, ...unknown]), tasks, path))
    yield { problem }
  for (const task of new Set(tasks)) {
    const base = emptyTrial(path, agent, task)
    if (resolved.includes(task)) yield { trial: { ...base, state: 'passed', reason: '', score: null } }
    else if (unknown.includes(task))
      yield { trial: { ...base, state: 'not graded', reason: 'it has no logs', score: null } }
    else
      yield {
        trial: {
          ...base,
          state: 'failed',
          reason: nothing.includes(task) ? 'nothing was generated' : '',
          score: null,
        },
      }
  }
}

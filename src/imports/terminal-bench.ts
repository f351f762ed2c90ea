import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import {
  amount,
  type Finding,
  gradeOf,
  type Importer,
  msBetween,
  readResult,
  words,
} from './foreign-trial.ts'
import { parseJson, readParts, readWhole, shaped } from './read-document.ts'

const Trial = z.looseObject({
  task_id: z.string(),
  trial_name: z.string(),
  is_resolved: z.boolean().nullish(),
  failure_mode: z.string().nullish(),
  total_input_tokens: z.number().nullish(),
  total_output_tokens: z.number().nullish(),
  instruction: z.string().nullish(),
})

const Metadata = z.looseObject({
  agent_name: z.string().nullish(),
  model_name: z.string().nullish(),
  dataset_name: z.string().nullish(),
  dataset_version: z.string().nullish(),
})

/** Runs of Terminal-Bench 1 (`tb run`): the `results.json` of runs and of their trials. */
export const terminalBench: Importer = {
  title: 'Terminal-Bench',
  wanted: 'a run folder of tb run, its results.json, or a folder of such runs',
  // Variants of a task are named TASK.easy, TASK.hard and so on.
  clusterOf: (task) => task.replace(/\..*$/, ''),
  async *read(path) {
    let facts: Awaited<ReturnType<typeof factsOf>> | undefined
    for await (const part of readParts(path, ['results'])) {
      if (part.list !== undefined) {
        const known = facts ?? (await factsOf(runOf(path)))
        facts = known
        const where = `${path}:results[${part.index}]`
        yield await readResult(where, () => trialOf(part.value, where, known))
        continue
      }
      if ('trial_name' in part.rest) {
        yield trialOf(part.rest, path, await factsOf(runOfTrial(path)))
        continue
      }
      facts ??= await factsOf(runOf(path))
      const { n_resolved: resolved, accuracy, pass_at_k: rates } = part.rest
      const row = { where: path, agent: facts.agent, model: facts.model }
      if (typeof resolved === 'number') yield { stated: { ...row, what: 'passed', value: resolved } }
      if (typeof accuracy === 'number') yield { stated: { ...row, what: 'success rate', value: accuracy } }
      for (const [k, value] of Object.entries(isObject(rates) ? rates : {}))
        if (typeof value === 'number') yield { stated: { ...row, what: `pass@${Number(k)}`, value } }
    }
  },
}

/** The folder of a run by its results: RUN/results.json, or RUN_results.json where somebody kept only the results. */
function runOf(path: string): string {
  const name = /^(.+?)_+results\.json$/.exec(basename(path))?.[1]
  return name === undefined ? dirname(resolve(path)) : join(dirname(resolve(path)), name)
}

/** The folder of a run, in which the results of a trial lie in RUN/TASK/TRIAL/results.json. */
const runOfTrial = (path: string) => dirname(dirname(dirname(resolve(path))))

/** Returns what is known of a run: by its metadata, and by the folders in which it lies. */
async function factsOf(run: string) {
  const path = join(run, 'run_metadata.json')
  const metadata: z.infer<typeof Metadata> = existsSync(path)
    ? shaped(Metadata, parseJson(await readWhole(path), path), path)
    : {}
  const board = boardFacts(run)
  return {
    run: basename(run),
    agent: board.agent ?? words(metadata.agent_name) ?? basename(dirname(run)),
    model: board.model ?? words(metadata.model_name),
    suite: words(metadata.dataset_name) ?? board.suite ?? 'terminal-bench',
    version: words(metadata.dataset_version) ?? board.version,
  }
}

/**
 * Reads the names of folders on the public board: DATASET@VERSION/DATE_AGENT_MODEL/…. Runs of one submission there have no metadata, or spell
 * their model in several ways.
 */
function boardFacts(run: string): Partial<Record<'suite' | 'version' | 'agent' | 'model', string>> {
  const folders = run.split(sep)
  const at = folders.findLastIndex((name) => /^terminal-bench[\w-]*[@:]/.test(name))
  const [suite, version] = folders[at]?.split(/[@:]/) ?? []
  const [, agent, model] = /^\d{8}_(.+)_([^_]+)$/.exec(folders[at + 1] ?? '') ?? []
  return at < 0
    ? {}
    : { ...(suite && version && { suite, version }), ...(agent && model && { agent, model }) }
}

function trialOf(value: unknown, where: string, facts: Awaited<ReturnType<typeof factsOf>>): Finding {
  const trial = shaped(Trial, value, where)
  const { run, agent, model, suite, version } = facts
  const failure = words(trial.failure_mode)
  const mode = failure === 'unset' || failure === 'none' ? null : failure
  const grade = gradeOf(trial.is_resolved)
  const tokens = (count: unknown) => amount(count) || null
  return {
    trial: {
      ...{
        where,
        id: `${agent}/${run}/${trial.trial_name}`,
        agent,
        model,
        suite,
        version,
        task: trial.task_id,
      },
      ...{ content: trial.instruction ?? undefined, ...grade },
      ...(mode !== null && { reason: mode }),
      ...(mode?.includes('timeout') && { limit: mode }),
      // Most agents report no tokens: 0 stands for unknown.
      tokens: {
        input: tokens(trial.total_input_tokens),
        output: tokens(trial.total_output_tokens),
        cached: null,
      },
      ...{ costUsd: null, calls: null },
      durationMs:
        msBetween(trial.agent_started_at, trial.agent_ended_at) ??
        msBetween(trial.trial_started_at, trial.trial_ended_at),
      startedAt: words(trial.trial_started_at) ?? undefined,
    },
  }
}

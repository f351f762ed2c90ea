import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { amount, type Finding, type Importer, msBetween, words } from './foreign-trial.ts'
import { gradeOf } from './grade.ts'
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
  async *read(path) {
    let facts: Awaited<ReturnType<typeof factsOf>> | undefined
    for await (const part of readParts(path, ['results'])) {
      if (part.list !== undefined) {
        facts ??= await factsOf(dirname(resolve(path)))
        yield trialOf(part.value, `${path}:results[${part.index}]`, facts)
        continue
      }
      if ('trial_name' in part.rest) {
        yield trialOf(part.rest, path, await factsOf(runOfTrial(path)))
        continue
      }
      facts ??= await factsOf(dirname(resolve(path)))
      const { n_resolved: resolved, accuracy } = part.rest
      const row = { where: path, agent: facts.agent, model: facts.model }
      if (typeof resolved === 'number') yield { stated: { ...row, what: 'passed', value: resolved } }
      if (typeof accuracy === 'number') yield { stated: { ...row, what: 'success rate', value: accuracy } }
    }
  },
}

/** The folder of a run, in which the results of a trial lie in RUN/TASK/TRIAL/results.json. */
const runOfTrial = (path: string) => dirname(dirname(dirname(resolve(path))))

/** Returns what is known of a run: by its metadata, else its agent by the name of the folder in which its runs lie. */
async function factsOf(run: string) {
  const path = join(run, 'run_metadata.json')
  const metadata: z.infer<typeof Metadata> = existsSync(path)
    ? shaped(Metadata, parseJson(await readWhole(path), path), path)
    : {}
  return {
    run: basename(run),
    agent: words(metadata.agent_name) ?? basename(dirname(run)),
    model: words(metadata.model_name),
    suite: words(metadata.dataset_name) ?? 'terminal-bench',
    version: words(metadata.dataset_version) ?? undefined,
  }
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

import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import {
  amount,
  type Finding,
  type Grade,
  gradeOf,
  type Importer,
  type ImportOptions,
  msBetween,
  noScore,
  words,
} from './foreign-trial.ts'
import { fieldsOfMarks, simulatedProblem } from './own-marks.ts'
import { readParts, shaped } from './read-document.ts'
import { readTrajectory } from './trajectory.ts'

const Times = z.looseObject({ started_at: z.string().nullish(), finished_at: z.string().nullish() })

const Trial = z.looseObject({
  id: z.string().nullish(),
  task_name: z.string(),
  trial_name: z.string(),
  source: z.string().nullish(),
  task_checksum: z.string().nullish(),
  agent_info: z.looseObject({
    name: z.string(),
    model_info: z.looseObject({ name: z.string(), provider: z.string().nullish() }).nullish(),
  }),
  agent_result: z
    .looseObject({
      n_input_tokens: z.number().nullish(),
      n_cache_tokens: z.number().nullish(),
      n_output_tokens: z.number().nullish(),
      cost_usd: z.number().nullish(),
      metadata: z.unknown().optional(),
    })
    .nullish(),
  verifier_result: z.looseObject({ rewards: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  exception_info: z
    .looseObject({ exception_type: z.string().nullish(), exception_message: z.string().nullish() })
    .nullish(),
  agent_execution: Times.nullish(),
  ...Times.shape,
})
type Trial = z.infer<typeof Trial>

/** Jobs of Harbor: the `result.json` of trials, and of the job for its totals. */
export const harbor: Importer = {
  title: 'Harbor',
  wanted: 'a job folder, or a folder of jobs',
  takes: ['score'],
  tested: ['ATIF-v1.2', 'ATIF-v1.3', 'ATIF-v1.4', 'ATIF-v1.5', 'ATIF-v1.6', 'ATIF-v1.7', 'ATIF-v1.8'],
  async *read(path, options) {
    for await (const part of readParts(path, ['trial_results'])) {
      if (part.list !== undefined) {
        const trial = trialOf(part.value, `${path}:trial_results[${part.index}]`, options)
        const { trial_name: name } = part.value as { trial_name: string }
        yield withStory(trial, join(dirname(path), basename(name)), options)
      } else if ('trial_name' in part.rest)
        yield withStory(trialOf(part.rest, path, options), dirname(path), options)
      else if (typeof part.rest.n_total_trials === 'number')
        yield {
          stated: { where: path, agent: null, model: null, what: 'trials', value: part.rest.n_total_trials },
        }
    }
  },
}

/** Adds the transcript in the folder of a trial, if it has one. */
function withStory(
  found: Finding,
  folder: string,
  { noteVersion }: Pick<ImportOptions, 'noteVersion'>,
): Finding {
  if (!('trial' in found)) return found
  const file = ['agent/trajectory.json', 'trajectory.json']
    .map((name) => join(folder, name))
    .find((name) => lstatSync(name, { throwIfNoEntry: false })?.isFile())
  return file === undefined ? found : { ...found, story: () => readTrajectory(file, noteVersion) }
}

function trialOf(value: unknown, where: string, options: ImportOptions): Finding {
  const trial = shaped(Trial, value, where)
  const { agent_info: agent, agent_result: spent, exception_info: exception } = trial
  const model = agent.model_info
  const broke = exception ? (words(exception.exception_type) ?? 'exception') : undefined
  const isTimeout = broke !== undefined && /timeout/i.test(broke)
  const simulated = simulatedProblem(spent?.metadata, where)
  if (simulated) return simulated
  return {
    trial: {
      ...{ where, id: `${trial.id ?? ''} ${trial.trial_name}` },
      ...{ agent: agent.name, model: model ? [model.provider, model.name].filter(Boolean).join('/') : null },
      ...{ suite: words(trial.source) ?? 'harbor', task: trial.task_name },
      content: trial.task_checksum ?? undefined,
      ...gradeOfTrial(trial, broke, { ...options, where }),
      ...(isTimeout && { limit: broke }),
      tokens: {
        input: amount(spent?.n_input_tokens),
        output: amount(spent?.n_output_tokens),
        cached: amount(spent?.n_cache_tokens),
      },
      ...{ costUsd: amount(spent?.cost_usd), calls: null },
      durationMs:
        msBetween(trial.agent_execution?.started_at, trial.agent_execution?.finished_at) ??
        msBetween(trial.started_at, trial.finished_at),
      startedAt: trial.started_at ?? undefined,
      ...fieldsOfMarks(spent?.metadata),
    },
  }
}

/** A reward counts also where something broke after it; without one, what broke is why there is no verdict. */
function gradeOfTrial(
  trial: Trial,
  broke: string | undefined,
  { score, where }: ImportOptions & { where: string },
): Grade {
  const rewards = trial.verifier_result?.rewards ?? {}
  const names = Object.keys(rewards)
  if (score !== undefined && names.length > 1 && !names.includes(score)) throw noScore(where, score, names)
  const name = names.length === 1 ? names[0] : (score ?? 'reward')
  if (name !== undefined && Object.hasOwn(rewards, name)) {
    const grade = gradeOf(rewards[name])
    return broke !== undefined && grade.reason === '' ? { ...grade, reason: broke } : grade
  }
  if (broke !== undefined)
    return {
      // A limit of the agent is nothing outside of it. bench export writes AgentLimit.
      state: /^Agent(.*Timeout|Limit$)/.test(broke) ? 'not graded' : 'error',
      reason: [broke, words(trial.exception_info?.exception_message)].filter(Boolean).join(': '),
      score: null,
    }
  return {
    state: 'not graded',
    reason:
      names.length > 0 ? `its rewards are ${names.join(', ')}; choose one with --score` : 'it has no reward',
    score: null,
  }
}

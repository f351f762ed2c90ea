import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { amount, type StoryPart, words } from './foreign-trial.ts'
import { parseJson, readWhole, shaped } from './read-document.ts'
import { messageText, withThoughts } from './story.ts'

const Content = z.union([z.string(), z.array(z.unknown())]).nullish()

const Result = z.looseObject({
  source_call_id: z.string().nullish(),
  content: Content,
  subagent_trajectory_ref: z
    .array(
      z.looseObject({
        session_id: z.string().nullish(),
        trajectory_id: z.string().nullish(),
        trajectory_path: z.string().nullish(),
      }),
    )
    .nullish(),
})

const Step = z.looseObject({
  source: z.enum(['system', 'user', 'agent']),
  message: Content,
  model_name: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        tool_call_id: z.string(),
        function_name: z.string(),
        arguments: z.unknown().optional(),
      }),
    )
    .nullish(),
  observation: z.looseObject({ results: z.array(Result) }).nullish(),
  metrics: z
    .looseObject({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      cached_tokens: z.number().nullish(),
      cost_usd: z.number().nullish(),
    })
    .nullish(),
  is_copied_context: z.boolean().nullish(),
})

const Trajectory = z.looseObject({
  schema_version: z.string(),
  session_id: z.string().nullish(),
  trajectory_id: z.string().nullish(),
  agent: z.looseObject({ name: z.string(), model_name: z.string().nullish() }),
  steps: z.array(Step),
  continued_trajectory_ref: z.string().nullish(),
  subagent_trajectories: z.array(z.unknown()).nullish(),
})
type Trajectory = z.infer<typeof Trajectory>

/** Trajectories that one story tells: more of them refer to each other in a circle. */
const mostTrajectories = 1000

/** What is known while a story is read: where it lies, the files that were read, and how many agents it has. */
interface Reading {
  path: string
  root: Trajectory
  files: Set<string>
  agents: number
  noteVersion(version: string, where: string): void
}

/**
 * Reads a trajectory in ATIF, with those of its subagents, which stand in it or in files beside it, and those files in which it goes on. Only
 * files of its own folder are read, and no links. Throws `UserError` for what is no trajectory.
 */
export async function readTrajectory(
  path: string,
  noteVersion: Reading['noteVersion'],
): Promise<StoryPart[]> {
  const root = await readFile(path)
  return tell(root, '', { path, root, files: new Set([path]), agents: 0, noteVersion })
}

async function readFile(path: string): Promise<Trajectory> {
  return shaped(Trajectory, parseJson(await readWhole(path), path), path)
}

async function tell(trajectory: Trajectory, branch: string, reading: Reading): Promise<StoryPart[]> {
  reading.noteVersion(trajectory.schema_version, reading.path)
  const parts: StoryPart[] = []
  const place = branch === '' ? {} : { branch }
  for (const step of trajectory.steps) {
    // The beginning of a trajectory that goes on repeats what the one before it tells.
    if (step.is_copied_context) continue
    const text = messageText(step.message)
    if (step.source !== 'agent') {
      if (text !== '') parts.push({ ...place, kind: step.source, text })
    } else parts.push({ ...place, ...replyOf(step, trajectory) })
    for (const result of step.observation?.results ?? []) {
      const content = messageText(result.content)
      const call = result.source_call_id ?? null
      const refs = result.subagent_trajectory_ref ?? []
      if (content !== '' || refs.length === 0)
        parts.push({ ...place, kind: 'result', call, name: null, text: content, failed: false })
      for (const ref of refs) {
        const sub = await subagentOf(ref, trajectory, reading)
        if (!sub) continue
        const name = `${sub.agent.name.replace(/[/#\s]+/g, '-')}-${++reading.agents}`
        parts.push(...(await tell(sub, branch === '' ? name : `${branch}/${name}`, reading)))
      }
    }
  }
  const next = fileBeside(trajectory.continued_trajectory_ref, reading)
  return next === undefined ? parts : [...parts, ...(await tell(await readFile(next), branch, reading))]
}

function replyOf(step: z.infer<typeof Step>, { agent }: Trajectory): StoryPart {
  const { metrics, tool_calls: calls } = step
  return {
    ...{ kind: 'reply', model: words(step.model_name) ?? words(agent.model_name) },
    text: withThoughts(words(step.reasoning_content), messageText(step.message)),
    calls: (calls ?? []).map((call) => ({
      ...{ id: call.tool_call_id, name: call.function_name },
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
    })),
    tokens: {
      input: amount(metrics?.prompt_tokens),
      output: amount(metrics?.completion_tokens),
      cached: amount(metrics?.cached_tokens),
    },
    costUsd: amount(metrics?.cost_usd),
  }
}

type Reference = NonNullable<z.infer<typeof Result>['subagent_trajectory_ref']>[number]

/** Returns the trajectory of a reference: one that its caller or the root holds, else a file beside it. */
async function subagentOf(ref: Reference, { subagent_trajectories: own }: Trajectory, reading: Reading) {
  if (reading.agents + reading.files.size > mostTrajectories) return undefined
  const held = [...(own ?? []), ...(reading.root.subagent_trajectories ?? [])]
  for (const value of held) {
    const sub = shaped(Trajectory, value, `${reading.path} subagent_trajectories`)
    const isSame =
      ref.trajectory_id != null ? sub.trajectory_id === ref.trajectory_id : sub.session_id === ref.session_id
    if (isSame) return sub
  }
  const file = fileBeside(ref.trajectory_path, reading)
  return file === undefined ? undefined : readFile(file)
}

/** Returns a file of the trajectory's own folder that was not read yet; undefined if there is none. */
function fileBeside(name: string | null | undefined, { path, files }: Reading): string | undefined {
  if (name == null || name === '') return undefined
  const file = join(dirname(path), basename(name))
  if (files.has(file) || files.size > mostTrajectories) return undefined
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  files.add(file)
  return file
}

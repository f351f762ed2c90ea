import { AgentError } from '../errors.ts'
import { itemIn, requestItem, splitReply } from '../formats/hand-off.ts'
import type { Format } from '../schema/format.ts'
import type { Workflow, WorkflowStage } from '../schema/workflow.ts'
import type { StrategyContext, StrategyResult } from '../strategy.ts'
import { endWith } from './end.ts'
import { mergeFiles } from './merge-files.ts'
import {
  type ChangeRequest,
  needsOf,
  profileOf,
  type StageOutput,
  type StageSetting,
  stagePrompt,
} from './stage-prompt.ts'
import { createWorkflowLog } from './workflow-log.ts'

type Context = StrategyContext<string, unknown>

/** What one run of a stage came to. */
interface StageRun {
  stage: WorkflowStage
  ms: number
  met: string[]
  unmet: string[]
  output: StageOutput | undefined
  failure: AgentError | undefined
}

/** The agents of a workflow, with all that they have handed on: runs stages, and remembers what came of them. */
export async function createTeam(context: Context, workflow: Workflow) {
  const { read, write } = await import('../formats/convert.ts')
  const outputs = new Map<string, StageOutput>()
  const failures: StageRun[] = []
  const log = createWorkflowLog(workflow, context.note)
  const isProducing = (stage: WorkflowStage) => profileOf(workflow, stage).work === 'produce'

  const inFormat = (output: StageOutput, format: Format) => {
    if (!output.tree) return undefined
    if (output.format === format) return output.handOff
    log.converted(output, format)
    return write(output.tree, format)
  }
  const outputOf = (stage: WorkflowStage, reply: string): StageOutput => {
    const { output_format: format } = profileOf(workflow, stage)
    const { handOff, rest } = isProducing(stage) ? splitReply(reply) : { handOff: reply, rest: '' }
    const found = read(handOff, format)
    const tree = 'tree' in found ? found.tree : undefined
    const asked = tree && stage.iterates ? itemIn(tree, requestItem) : undefined
    const request = asked ? write(asked, 'plain') : ''
    const problem = 'problem' in found ? found.problem : ''
    return { stage: stage.stage, agent: stage.agent, format, handOff, tree, problem, request, work: rest }
  }

  const run = async (door: Context, stage: WorkflowStage, change?: ChangeRequest): Promise<StageRun> => {
    const given = stage.after.flatMap((name) => outputs.get(name) ?? [])
    const iteration = log.runsOf(stage) + 1
    const setting: StageSetting = {
      workflow,
      stage,
      iteration,
      given,
      own: outputs.get(stage.stage),
      change,
      inFormat,
    }
    const { prompt, context } = stagePrompt(setting, door.instruction, door.workspace)
    const needs = needsOf(workflow, stage, given)
    const begin = door.now()
    door.note({ type: 'iteration', stage: stage.stage, run: iteration })
    try {
      const output = outputOf(stage, await door.ask(stage.agent, prompt, { context }))
      // What it hands on to the others is no part of its answer.
      if (isProducing(stage)) door.note({ type: 'candidate', answer: output.work })
      return { stage, ms: door.now() - begin, ...needs, output, failure: undefined }
    } catch (failure) {
      // No usable reply of one agent is what the others can do without; limits and aborts are not.
      if (!(failure instanceof AgentError)) throw failure
      return { stage, ms: door.now() - begin, ...needs, output: undefined, failure }
    }
  }
  const accept = (done: StageRun) => {
    const { stage, output } = done
    const before = outputs.get(stage.stage)
    log.ran(done)
    if (!output) failures.push(done)
    // What it asked for was asked of work that has changed since.
    if (output) outputs.set(stage.stage, output)
    else if (before) outputs.set(stage.stage, { ...before, request: '' })
  }
  const producers = workflow.stages.filter(isProducing)
  const lastProducer = producers.at(-1)

  return {
    /** Asks stages that do not need each other, side by side, and takes over what they changed. */
    async runSideBySide(stages: readonly WorkflowStage[]) {
      const [only] = stages
      if (stages.length === 1 && only) accept(await run(context, only))
      else {
        const done = await Promise.all(
          stages.map((stage) =>
            context.branch(stage.stage, async (door) => ({
              run: await run(door, stage),
              workspace: door.workspace,
            })),
          ),
        )
        for (const one of done) accept(one.run)
        const made = done.filter(({ run }) => run.output && isProducing(run.stage))
        log.conflicts.push(
          ...mergeFiles(
            context.workspace,
            made.map(({ workspace }) => workspace),
          ),
        )
        const answer = made.at(-1)?.run.output?.work
        if (made.length > 1 && answer !== undefined) context.note({ type: 'candidate', answer })
      }
      const gave = producers.some(({ stage }) => outputs.has(stage))
      const isLast = stages.some((stage) => stage === lastProducer)
      const first = failures.find(({ stage }) => isProducing(stage))
      // With nothing to hand in and nobody left to make it, the others would talk about nothing.
      if (isLast && !gave && first) throw first.failure
    },
    /** What a stage wants changed now; undefined: nothing, or nobody is there to change it. */
    requestOf(stage: WorkflowStage): ChangeRequest | undefined {
      const from = outputs.get(stage.stage)
      return from && from.request !== '' && outputs.has(stage.iterates?.toward ?? '')
        ? { from, text: from.request }
        : undefined
    },
    /** The stage that is asked revises its output, and the one that asked runs again. */
    async revise(stage: WorkflowStage, change: ChangeRequest) {
      const target = workflow.stages.find((one) => one.stage === stage.iterates?.toward)
      if (!target) return
      log.iterated()
      accept(await run(context, target, change))
      accept(await run(context, stage))
    },
    /** How the workflow ended, with what was handed in and what is to be recorded. */
    result(): StrategyResult {
      const open = workflow.stages.filter(({ stage }) => outputs.get(stage)?.request)
      const answer = producers.flatMap(({ stage }) => outputs.get(stage)?.work ?? []).at(-1)
      const last = new Map(failures.map(({ stage, failure }) => [stage.stage, failure?.message ?? '']))
      const halted = [...last].map(([stage, why]) => `${stage}: ${why}`).join('; ')
      const [stopReason, detail] =
        last.size > 0
          ? (['halted', `went on without a reply of ${halted}`] as const)
          : open.length > 0
            ? (['exhausted', `${open.map(({ stage }) => stage).join(', ')} still wanted changes`] as const)
            : (['done', `all stages of ${workflow.name} are through`] as const)
      return endWith(context, {
        ...(answer !== undefined && { answer }),
        stopReason,
        detail,
        state: { collaboration: log.record() },
      })
    },
  }
}

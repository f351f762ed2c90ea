import { itemIn, requestItem, splitReply } from '../../formats/hand-off.ts'
import type { Format } from '../../schema/method/format.ts'
import type { Workflow, WorkflowStage } from '../../schema/method/workflow.ts'
import type { StrategyContext } from '../../strategy.ts'
import { AgentError } from '../../text/errors.ts'
import { type ChangeRequest, needsOf, profileOf, type StageOutput, stagePrompt } from './stage-prompt.ts'
import type { WorkflowLog } from './workflow-log.ts'

/** The context of a strategy that runs a workflow, or of a branch of it. */
export type Context = StrategyContext<string, unknown>

/** What the agents of a workflow share: what they have handed on, which runs of stages failed, and the log. */
export interface TeamState {
  context: Context
  workflow: Workflow
  /** How hand-offs are read and written. */
  formats: Pick<typeof import('../../formats/convert.ts'), 'read' | 'write'>
  outputs: Map<string, StageOutput>
  failures: StageRun[]
  log: WorkflowLog
}

/** What one run of a stage came to. */
export interface StageRun {
  stage: WorkflowStage
  ms: number
  met: string[]
  unmet: string[]
  output: StageOutput | undefined
  failure: AgentError | undefined
}

/** Whether a stage makes part of the answer. */
export const isProducing = ({ workflow }: TeamState, stage: WorkflowStage): boolean =>
  profileOf(workflow, stage).work === 'produce'

/** Asks the agent of a stage, in the strategy's own branch or in one beside others. */
export async function runStage(
  team: TeamState,
  context: Context,
  stage: WorkflowStage,
  change?: ChangeRequest,
): Promise<StageRun> {
  const { workflow, outputs, log } = team
  const given = stage.after.flatMap((name) => outputs.get(name) ?? [])
  const iteration = log.runsOf(stage) + 1
  const setting = {
    ...{ workflow, stage, iteration, given, change },
    own: outputs.get(stage.stage),
    inFormat: (output: StageOutput, format: Format) => inFormat(team, output, format),
  }
  const { prompt, show } = stagePrompt(setting, context.instruction, context.workspace)
  const needs = needsOf(workflow, stage, given)
  const begin = context.now()
  context.label({ stage: stage.stage, run: iteration })
  try {
    const output = outputOf(team, stage, await context.ask(stage.agent, prompt, { show }))
    // What it hands on to the others is no part of its answer.
    if (isProducing(team, stage)) context.candidate(output.work)
    return { stage, ms: context.now() - begin, ...needs, output, failure: undefined }
  } catch (failure) {
    // No usable reply of one agent is what the others can do without; limits and aborts are not.
    if (!(failure instanceof AgentError)) throw failure
    return { stage, ms: context.now() - begin, ...needs, output: undefined, failure }
  }
}

function inFormat({ formats, log }: TeamState, output: StageOutput, format: Format): string | undefined {
  if (!output.tree) return undefined
  if (output.format === format) return output.handOff
  log.converted(output, format)
  return formats.write(output.tree, format)
}

function outputOf(team: TeamState, stage: WorkflowStage, reply: string): StageOutput {
  const { read, write } = team.formats
  const { output_format: format } = profileOf(team.workflow, stage)
  const { handOff, rest } = isProducing(team, stage) ? splitReply(reply) : { handOff: reply, rest: '' }
  const found = read(handOff, format)
  const tree = 'tree' in found ? found.tree : undefined
  const asked = tree && stage.iterates ? itemIn(tree, requestItem) : undefined
  const request = asked ? write(asked, 'plain') : ''
  const problem = 'problem' in found ? found.problem : ''
  return { stage: stage.stage, agent: stage.agent, format, handOff, tree, problem, request, work: rest }
}

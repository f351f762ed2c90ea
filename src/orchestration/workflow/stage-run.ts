import { findItem, requestItem, splitReply } from '../../formats/hand-off.ts'
import type { Format } from '../../schema/method/format.ts'
import type { Workflow, WorkflowStage } from '../../schema/method/workflow.ts'
import type { StrategyContext, Workspace } from '../../strategy.ts'
import { AgentError } from '../../text/errors.ts'
import { readHandOff } from './read-hand-off.ts'
import { type ChangeRequest, needsOf, profileOf, type StageOutput, stagePrompt } from './stage-prompt.ts'
import type { WorkflowLog } from './workflow-log.ts'

/** The context of a strategy that runs a workflow, or of one of its branches. */
export type Context = StrategyContext<string, unknown>

/** What the agents of a workflow share. */
export interface TeamState {
  workflow: Workflow
  /** Read and write hand-offs. */
  formats: Pick<typeof import('../../formats/convert.ts'), 'read' | 'write'>
  /** The last output of each stage, by name. */
  outputs: Map<string, StageOutput>
  failures: StageRun[]
  log: WorkflowLog
}

/** The result of one run of a stage. */
export interface StageRun {
  stage: WorkflowStage
  /** The files as the run left them. */
  workspace: Workspace
  /** Milliseconds of the branch's clock. */
  ms: number
  met: string[]
  unmet: string[]
  output: StageOutput | undefined
  failure: AgentError | undefined
}

/** Whether a stage makes a part of the work. */
export const isProducing = ({ workflow }: TeamState, stage: WorkflowStage): boolean =>
  profileOf(workflow, stage).work === 'produce'

/** Asks the agent of a stage, in the strategy's own branch or in another one. */
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
  if (change) log.iterated()
  const begin = context.now()
  const ran = () => ({ stage, workspace: context.workspace, ms: context.now() - begin, ...needs })
  context.label({ stage: stage.stage, run: iteration })
  try {
    const output = outputOf(team, stage, await context.ask(stage.agent, prompt, { show }))
    // The hand-off is not part of the answer.
    if (isProducing(team, stage)) context.candidate(output.work)
    return { ...ran(), output, failure: undefined }
  } catch (failure) {
    // The others can go on without one agent's reply. Limits end the method.
    if (!(failure instanceof AgentError)) throw failure
    return { ...ran(), output: undefined, failure }
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
  const found = readHandOff(read, handOff, format)
  const tree = 'tree' in found ? found.tree : undefined
  const asked = tree && stage.iterates ? findItem(tree, requestItem) : undefined
  const request = asked ? write(asked, 'plain') : ''
  const problem = 'problem' in found ? found.problem : ''
  return { stage: stage.stage, agent: stage.agent, format, handOff, tree, problem, request, work: rest }
}

import { z } from 'zod'
import { findItem, requestItem, splitReply } from '../formats/hand-off.ts'
import type { Element } from '../formats/tree.ts'
import { readData } from '../replies/data/read-data.ts'
import type { Format } from '../schema/method/format.ts'
import type { Workflow, WorkflowStage } from '../schema/method/workflow.ts'
import type { StrategyContext, StrategyResult, Workspace } from '../strategy.ts'
import { AgentError } from '../text/errors.ts'
import {
  type ChangeRequest,
  needsOf,
  profileOf,
  type StageOutput,
  stagePrompt,
} from './waves/stage-prompt.ts'
import { createWorkflowLog, type WorkflowLog } from './waves/workflow-log.ts'

/** Returns the agents of a workflow. Nothing has been asked yet. */
export async function createTeam({ note }: Pick<Context, 'note'>, workflow: Workflow) {
  const formats = await import('../formats/convert.ts')
  const log = createWorkflowLog(workflow, note)
  const team: TeamState = { workflow, formats, outputs: new Map(), failures: [], log }
  return {
    /** Paths to which stages side by side gave different contents. */
    conflicts: log.conflicts,
    /** Asks the agent of a stage, in the method's own context or in that of a branch. A change request is part of the prompt. */
    ask: (context: Context, stage: WorkflowStage, change?: ChangeRequest) =>
      runStage(team, context, stage, change),
    /** Keeps what a stage made, so that later stages read it. */
    keep: (run: StageRun) => keep(team, run),
    /** Whether a run made a part of the work. */
    hasWork: ({ output, stage }: StageRun) => output !== undefined && isProducing(team, stage),
    /** Throws the first failure if none of the stages that produce made anything, and none is left. */
    requireWork: (wave: readonly WorkflowStage[]) => requireWork(team, wave),
    /** Returns what a stage wants changed by an earlier one; undefined if it wants nothing. */
    changeFor: (stage: WorkflowStage) => changeFor(team, stage),
    /** Returns how the workflow ended, with the answer and the state for the record. */
    result: () => resultOf(team),
  }
}

function keep({ outputs, failures, log }: TeamState, run: StageRun): void {
  const { workspace: _, ...counted } = run // the log goes into the record
  const { stage, output } = run
  const before = outputs.get(stage.stage)
  log.ran(counted)
  if (!output) failures.push(run)
  // A request for changes was about work that has changed since.
  if (output) outputs.set(stage.stage, output)
  else if (before) outputs.set(stage.stage, { ...before, request: '' })
}

function requireWork(team: TeamState, wave: readonly WorkflowStage[]): void {
  const producers = producersOf(team)
  const gave = producers.some(({ stage }) => team.outputs.has(stage))
  const isLast = wave.some((stage) => stage === producers.at(-1))
  const first = team.failures.find(({ stage }) => isProducing(team, stage))
  if (isLast && !gave && first) throw first.failure
}

function changeFor(
  { workflow, outputs }: TeamState,
  { stage, iterates }: WorkflowStage,
): { target: WorkflowStage; change: ChangeRequest } | undefined {
  const from = outputs.get(stage)
  const target = workflow.stages.find((one) => one.stage === iterates?.toward)
  if (!from?.request || !target || !outputs.has(target.stage)) return undefined
  return { target, change: { from, text: from.request } }
}

function resultOf(team: TeamState): StrategyResult {
  const { outputs, log } = team
  const answer = producersOf(team)
    .flatMap(({ stage }) => outputs.get(stage)?.work ?? [])
    .at(-1)
  return {
    ...(answer !== undefined && { answer }),
    ...endOf(team),
    state: { collaboration: log.record() },
  }
}

function endOf({ workflow, outputs, failures }: TeamState): Pick<StrategyResult, 'stopReason' | 'detail'> {
  const open = workflow.stages.filter(({ stage }) => outputs.get(stage)?.request)
  const last = new Map(failures.map(({ stage, failure }) => [stage.stage, failure?.message ?? '']))
  const halted = [...last].map(([stage, why]) => `${stage}: ${why}`).join('; ')
  if (last.size > 0) return { stopReason: 'halted', detail: `went on without a reply of ${halted}` }
  if (open.length > 0)
    return {
      stopReason: 'exhausted',
      detail: `${open.map(({ stage }) => stage).join(', ')} still wanted changes`,
    }
  return { stopReason: 'done', detail: `all stages of ${workflow.name} are through` }
}

const producersOf = (team: TeamState) => team.workflow.stages.filter((stage) => isProducing(team, stage))

/** The context of a strategy that runs a workflow, or of one of its branches. */
type Context = StrategyContext<string, unknown>

interface TeamState {
  workflow: Workflow
  /** Read and write hand-offs. */
  formats: Pick<typeof import('../formats/convert.ts'), 'read' | 'write'>
  /** The last output of each stage, by name. */
  outputs: Map<string, StageOutput>
  failures: StageRun[]
  log: WorkflowLog
}

interface StageRun {
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
const isProducing = ({ workflow }: TeamState, stage: WorkflowStage): boolean =>
  profileOf(workflow, stage).work === 'produce'

/** Asks the agent of a stage, in the strategy's own branch or in another one. */
async function runStage(
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

const Items = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])

/**
 * Reads a hand-off with the reader of its format. JSON that this reader refuses is read like the data of every other reply: slips that
 * are forgiven there are forgiven here.
 */
export function readHandOff(
  read: (text: string, format: Format) => { tree: Element } | { problem: string },
  text: string,
  format: Format,
): { tree: Element } | { problem: string } {
  const found = read(text, format)
  if (format !== 'json' || 'tree' in found) return found
  const items = readData(text, Items)
  return 'data' in items ? read(JSON.stringify(items.data), format) : found
}

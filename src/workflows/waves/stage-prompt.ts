import type { AskOptions } from '../../ask.ts'
import { findItem, handOffRequest } from '../../formats/hand-off.ts'
import type { Element } from '../../formats/tree.ts'
import type { Format } from '../../schema/method/format.ts'
import { userRequest, type Workflow, type WorkflowStage } from '../../schema/method/workflow.ts'
import type { Workspace } from '../../strategy.ts'
import { filesContext, replyContext } from '../work-context.ts'

/** The output of a stage's last run. */
export interface StageOutput {
  stage: string
  agent: string
  format: Format
  /** The hand-off as the agent wrote it. */
  handOff: string
  /** The hand-off as data; undefined if it cannot be read. */
  tree: Element | undefined
  /** Why the hand-off cannot be read; empty if it can. */
  problem: string
  /** What the stage wants changed by an earlier one; empty if nothing. */
  request: string
  /** The rest of the reply: the work itself if the task wants an answer. */
  work: string
}

/** A request for changes, and the output that it came with. */
export interface ChangeRequest {
  from: StageOutput
  text: string
}

/** Everything that decides the prompt of a stage. */
interface StageSetting {
  workflow: Workflow
  stage: WorkflowStage
  /** The number of this run of the stage, from 1. */
  iteration: number
  /** The outputs of the stages that it depends on, in the order in which it lists them. */
  given: readonly StageOutput[]
  own: StageOutput | undefined
  change: ChangeRequest | undefined
  /** Returns an output in another format; undefined if it cannot be read. */
  inFormat(output: StageOutput, format: Format): string | undefined
}

/** Returns the prompt of a stage and the texts to show. It does not mention agents that gave nothing. */
export function stagePrompt(
  setting: StageSetting,
  instruction: string,
  workspace: Workspace,
): { prompt: string; show: NonNullable<AskOptions['show']> } {
  const { workflow, stage, iteration, given, own, change } = setting
  const profile = profileOf(workflow, stage)
  const isProducing = profile.work === 'produce'
  const show: Record<string, string> = {}
  // The prompt of a `produce` role begins with the task anyway.
  if (!isProducing) show.task = instruction
  for (const output of given) Object.assign(show, outputContext(output, setting, workspace))
  if (own) {
    show['your last output'] = own.handOff
    show['your last reply'] = isProducing ? replyContext(own.work, workspace) : ''
  }
  if (change) show[`changes that ${change.from.agent} asks for at stage ${change.from.stage}`] = change.text
  show.files = filesContext(workspace)
  const at = workflow.stages.findIndex((one) => one.stage === stage.stage) + 1
  const place =
    `You are ${stage.agent}, at stage ${stage.stage} (${at} of ${workflow.stages.length}) of the workflow ` +
    `${workflow.name}, iteration ${iteration}.`
  const words = handOffRequest({
    format: profile.output_format,
    items: profile.provides,
    apart: isProducing,
    mayAsk: given.some((output) => output.stage === stage.iterates?.toward),
  })
  return { prompt: `${profile.instructions}\n\n${place}\n${words}`, show }
}

function outputContext(
  output: StageOutput,
  { workflow, stage, inFormat }: StageSetting,
  workspace: Workspace,
) {
  const wanted = profileOf(workflow, stage).input_format
  const text = inFormat(output, wanted)
  const who = `${output.stage}, by ${output.agent}`
  const how = text === undefined ? `as it came, since it cannot be read as ${output.format}` : `in ${wanted}`
  const isWork = workflow.agents[output.agent]?.work === 'produce'
  return {
    [`output of ${who}, ${how}`]: text ?? output.handOff,
    [`reply of ${who}`]: isWork ? replyContext(output.work, workspace) : '',
  }
}

/** Returns what the agent of a stage reads, writes, needs and provides. */
export function profileOf({ agents }: Workflow, { agent }: WorkflowStage): Workflow['agents'][string] {
  const profile = agents[agent]
  if (!profile) throw new Error(`the workflow has no agent ${agent}`)
  return profile
}

/** Divides a stage's needs, also optional ones, by whether what it is given contains them. The request itself is always given. */
export function needsOf(
  workflow: Workflow,
  stage: WorkflowStage,
  given: readonly StageOutput[],
): { met: string[]; unmet: string[] } {
  const { needs, optional_needs } = profileOf(workflow, stage)
  const items = [...needs, ...optional_needs].filter((item) => item !== userRequest)
  const met = items.filter((item) => given.some((output) => holds(output, item)))
  return { met, unmet: items.filter((item) => !met.includes(item)) }
}

function holds({ stage, tree, handOff }: StageOutput, item: string): boolean {
  if (stage === item) return true
  return tree ? findItem(tree, item) !== undefined : handOff.toLowerCase().includes(item.toLowerCase())
}

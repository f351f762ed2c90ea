import { handOffWords, itemIn } from '../../formats/hand-off.ts'
import type { Element } from '../../formats/tree.ts'
import type { Format } from '../../schema/method/format.ts'
import { userRequest, type Workflow, type WorkflowStage } from '../../schema/method/workflow.ts'
import type { AskOptions, Workspace } from '../../strategy.ts'
import { filesContext, replyContext } from '../work-context.ts'

/** What a stage gave when it last ran. */
export interface StageOutput {
  stage: string
  agent: string
  format: Format
  /** As the agent wrote it. */
  handOff: string
  /** What it says; undefined where it cannot be read, and `problem` says why. */
  tree: Element | undefined
  problem: string
  /** What it wants changed by the stage before it; empty: nothing. */
  request: string
  /** The rest of the reply: the work itself, where the task wants an answer. */
  work: string
}

/** Who wants what changed, of the agent that is asked. */
export interface ChangeRequest {
  from: StageOutput
  text: string
}

/** All that decides what a stage is asked. */
export interface StageSetting {
  workflow: Workflow
  stage: WorkflowStage
  /** From 1: how often the stage has been asked by now, this time included. */
  iteration: number
  /** Those that it depends on and that gave something, in the order in which it lists them. */
  given: readonly StageOutput[]
  own: StageOutput | undefined
  change: ChangeRequest | undefined
  /** An output in a format, where it can be read. */
  inFormat(output: StageOutput, format: Format): string | undefined
}

/** The prompt of a stage and its context. Nobody who gave nothing is mentioned. */
export function stagePrompt(
  setting: StageSetting,
  instruction: string,
  workspace: Workspace,
): { prompt: string; show: NonNullable<AskOptions['show']> } {
  const { workflow, stage, iteration, given, own, change } = setting
  const profile = profileOf(workflow, stage)
  const isProducing = profile.work === 'produce'
  const show: Record<string, string> = {}
  // The door itself puts the task before a producing role's prompt.
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
  const words = handOffWords({
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

/** What the agent of a stage reads, writes, needs and provides. */
export function profileOf({ agents }: Workflow, { agent }: WorkflowStage): Workflow['agents'][string] {
  const profile = agents[agent]
  if (!profile) throw new Error(`the workflow has no agent ${agent}`)
  return profile
}

/** Its needs, optional ones too, by whether they stand in what it is given. The request itself always does. */
export function needsOf(
  workflow: Workflow,
  stage: WorkflowStage,
  given: readonly StageOutput[],
): { met: string[]; unmet: string[] } {
  const { needs, optional_needs } = profileOf(workflow, stage)
  const items = [...needs, ...optional_needs].filter((item) => item !== userRequest)
  const met = items.filter((item) => given.some((output) => stands(item, output)))
  return { met, unmet: items.filter((item) => !met.includes(item)) }
}

function stands(item: string, { stage, tree, handOff }: StageOutput): boolean {
  if (stage === item) return true
  return tree ? itemIn(tree, item) !== undefined : handOff.toLowerCase().includes(item.toLowerCase())
}

import type { Workflow, WorkflowStage } from '../schema/method/workflow.ts'
import type { StrategyResult } from '../strategy.ts'
import { endWith } from './end.ts'
import { mergeFiles } from './merge-files.ts'
import type { ChangeRequest } from './workflow/stage-prompt.ts'
import { type Context, isProducing, runStage, type StageRun, type TeamState } from './workflow/stage-run.ts'
import { createWorkflowLog } from './workflow/workflow-log.ts'

/** The agents of a workflow, with all that they have handed on: runs stages, and remembers what came of them. */
export async function createTeam(context: Context, workflow: Workflow) {
  const formats = await import('../formats/convert.ts')
  const log = createWorkflowLog(workflow, context.note)
  const team: TeamState = { context, workflow, formats, outputs: new Map(), failures: [], log }
  return {
    /** Asks stages that do not need each other, side by side, and takes over what they changed. */
    runSideBySide: (stages: readonly WorkflowStage[]) => runSideBySide(team, stages),
    /** What a stage wants changed now; undefined: nothing, or nobody is there to change it. */
    requestOf: (stage: WorkflowStage) => requestOf(team, stage),
    /** The stage that is asked revises its output, and the one that asked runs again. */
    revise: (stage: WorkflowStage, change: ChangeRequest) => revise(team, stage, change),
    /** How the workflow ended, with what was handed in and what is to be recorded. */
    result: () => resultOf(team),
  }
}

async function runSideBySide(team: TeamState, stages: readonly WorkflowStage[]): Promise<void> {
  const [only] = stages
  if (stages.length === 1 && only) accept(team, await runStage(team, team.context, only))
  else await runInBranches(team, stages)
  endWithNothing(team, stages)
}

/** Runs each stage in a branch of its own, and merges the files that they made. */
async function runInBranches(team: TeamState, stages: readonly WorkflowStage[]): Promise<void> {
  const { context, log } = team
  const done = await Promise.all(
    stages.map((stage) =>
      context.branch(stage.stage, async (context) => ({
        run: await runStage(team, context, stage),
        workspace: context.workspace,
      })),
    ),
  )
  for (const { run } of done) accept(team, run)
  const made = done.filter(({ run }) => run.output && isProducing(team, run.stage))
  const workspaces = made.map(({ workspace }) => workspace)
  log.conflicts.push(...mergeFiles(context.workspace, workspaces))
  const answer = made.at(-1)?.run.output?.work
  if (made.length > 1 && answer !== undefined) context.candidate(answer)
}

/** Takes over what a run of a stage came to. */
function accept({ outputs, failures, log }: TeamState, done: StageRun): void {
  const { stage, output } = done
  const before = outputs.get(stage.stage)
  log.ran(done)
  if (!output) failures.push(done)
  // What it asked for was asked of work that has changed since.
  if (output) outputs.set(stage.stage, output)
  else if (before) outputs.set(stage.stage, { ...before, request: '' })
}

/** With nothing to hand in and nobody left to make it, the others would talk about nothing: throws the first failure. */
function endWithNothing(team: TeamState, stages: readonly WorkflowStage[]): void {
  const producers = producersOf(team)
  const gave = producers.some(({ stage }) => team.outputs.has(stage))
  const isLast = stages.some((stage) => stage === producers.at(-1))
  const first = team.failures.find(({ stage }) => isProducing(team, stage))
  if (isLast && !gave && first) throw first.failure
}

function requestOf({ outputs }: TeamState, stage: WorkflowStage): ChangeRequest | undefined {
  const from = outputs.get(stage.stage)
  return from && from.request !== '' && outputs.has(stage.iterates?.toward ?? '')
    ? { from, text: from.request }
    : undefined
}

async function revise(team: TeamState, stage: WorkflowStage, change: ChangeRequest): Promise<void> {
  const { context, workflow, log } = team
  const target = workflow.stages.find((one) => one.stage === stage.iterates?.toward)
  if (!target) return
  log.iterated()
  accept(team, await runStage(team, context, target, change))
  accept(team, await runStage(team, context, stage))
}

function resultOf(team: TeamState): StrategyResult {
  const { context, outputs, log } = team
  const answer = producersOf(team)
    .flatMap(({ stage }) => outputs.get(stage)?.work ?? [])
    .at(-1)
  return endWith(context, {
    ...(answer !== undefined && { answer }),
    ...endOf(team),
    state: { collaboration: log.record() },
  })
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

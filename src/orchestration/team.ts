import type { Workflow, WorkflowStage } from '../schema/method/workflow.ts'
import type { StrategyResult } from '../strategy.ts'
import type { ChangeRequest } from './workflow/stage-prompt.ts'
import { type Context, isProducing, runStage, type StageRun, type TeamState } from './workflow/stage-run.ts'
import { createWorkflowLog } from './workflow/workflow-log.ts'

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

import { dataCleaner } from '../../replies/clean-data.ts'
import { weakestLevel } from '../../sandbox/level.ts'
import type { StageStep } from '../../schema/ledger/stage-step.ts'
import type { StageAgent, StageEnd, StageProgram } from '../../stage.ts'
import { digest } from '../../text/canonical-json.ts'
import { InfrastructureError, LimitError } from '../../text/errors.ts'
import { storedEdits } from '../ask/reply-edits.ts'
import { freeze, nextKey, openBranch } from '../branch/branch.ts'
import { runBranch } from '../branch/branch-group.ts'
import { Interrupted, takeBranchStep } from '../branch/recorded-steps.ts'
import { stageText } from '../branch/step-difference.ts'
import { enforceTrialLimits, reportAlerts } from '../branch/trial-limits.ts'
import type { Branch, Context } from '../branch/trial-state.ts'
import { adoptState, applyEdits, stateDigest } from '../branch/workspace.ts'
import { checkAgent, direct } from './direct.ts'
import { performRequest } from './perform-request.ts'
import { checkProgram, type StageCall } from './program.ts'
import { runProgram } from './run-program.ts'

/** Runs a stage as a branch of its own, and returns how it ended with that branch. A stage that is in the journal is not started. */
export async function stage(
  branch: Branch,
  id: string,
  given: StageProgram | StageAgent<Context>,
  contextOf: (branch: Branch) => Context,
): Promise<{ end: StageEnd; child: Branch }> {
  const roles = Object.keys(branch.trialState.plan.roles)
  const clean = dataCleaner(branch.trialState.run.redact)
  if ('directs' in given) checkAgent(id, given, roles)
  else checkProgram(id, given, roles)
  // Behind the branches that were opened before, and before those that are opened later.
  const at = branch.counter + 0.5
  const key = nextKey(branch, `stage("${id}")`)
  const child = openBranch(branch, id, branch.signal)
  child.stage = { id, at }
  // For a declaration its asks are those of the branch that called it, at the place of the call.
  child.openedAt = branch.openedAt
  const run = (program: StageProgram) => replayOrRun(child, callOf(child, key, id, clean(program)))
  const end = await runBranch(branch, child, () =>
    'directs' in given ? direct(child, given, contextOf(child), run) : run(given),
  )
  if (child.refused) {
    // The work so far is graded.
    adoptState(branch.state, child.state)
    throw child.refused.error
  }
  return { end, child }
}

function callOf({ state, trialState }: Branch, key: string, id: string, program: StageProgram): StageCall {
  const { command, files = {}, state: before, env = {}, timeoutMs, models } = program
  const roles = program.roles ?? Object.keys(trialState.plan.roles)
  const facts = {
    stage: id,
    command: [...command],
    programs: digest(files),
    files: stateDigest(state),
    before,
  }
  const own = models && { models: { ...models, folder: models.folder?.digest } }
  const hash = digest({ stage: facts, env, roles, timeoutMs: timeoutMs ?? null, ...own })
  return { key, hash, facts, program, roles }
}

async function replayOrRun(branch: Branch, call: StageCall): Promise<StageEnd> {
  const { key, hash, facts, program } = call
  enforceTrialLimits(branch, 'stage', key, 1, hash)
  const recorded = takeBranchStep(branch, key, 1, hash, () => stageText(facts))
  const known = recorded?.kind === 'stage' ? recorded : undefined
  if (!known?.log) return endOf(branch, await runProgram(branch, call, known))
  if (program.models) {
    const { repeatModelRequests } = await import('./model-requests.ts')
    repeatModelRequests(branch, known.asks, known.cut !== undefined)
  }
  for (const deed of known.log)
    if ('changes' in deed)
      applyEdits(branch.state, storedEdits(branch.trialState, key, deed.changes), 'folder')
    else await performRequest(branch, deed, program.files ?? {})
  if (known.cut === 'lost') throw new Interrupted()
  if (known.cut) throw new InfrastructureError(known.reason ?? 'the stage was cut off')
  return endOf(branch, known)
}

/** Adds a stage to the clock of its branch. Returns how it ended. */
function endOf(branch: Branch, step: StageStep): StageEnd {
  const { trialState } = branch
  branch.clock += step.durationMs
  trialState.journal.refusedRequests += step.refused?.total ?? 0
  trialState.journal.level = weakestLevel([trialState.journal.level, step.sandbox])
  reportAlerts(branch)
  const { exitCode, reason, after, output, asks, stdout, savings = [], limited, stage: id } = step
  trialState.journal.toolRuns.push({
    at: branch.clock,
    key: step.key,
    savings: savings.map((saving) => ({ stage: id, ...saving })),
  })
  if (limited)
    freeze(
      branch,
      new LimitError('timeMs', `${Math.round(branch.clock)} ms used; the stage "${id}" was cut off`),
    )
  // What an application printed is its answer, also if it then fails.
  if (exitCode !== null && stdout?.trim()) branch.state.answer = stdout.trim()
  const { failedAsk } = branch.stage ?? {}
  return {
    ...{ exitCode, state: after, output, asks },
    ...(reason !== undefined && { reason }),
    ...(stdout !== undefined && { stdout }),
    ...(failedAsk && { failedAsk }),
  }
}

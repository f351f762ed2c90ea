import { runChecks } from '../../graders/check.ts'
import { trackLevel, weakestLevel } from '../../sandbox/level.ts'
import type { CheckStep } from '../../schema/ledger/step.ts'
import type { Files } from '../../schema/task.ts'
import type { CheckResult } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { filesOf, type State, stateDigest } from '../files/workspace.ts'
import { stepHead } from '../journal/journal.ts'
import { type Branch, runEffect } from '../state/branch.ts'
import { redactRun } from '../state/redact-inputs.ts'
import { refuse, tellAlerts } from '../state/trial-limits.ts'
import { answerOf, Interrupted, type TrialState } from '../state/trial-state.ts'

/** What the task's visible checks say of files, without secrets. */
export async function visibleChecks(
  { task, run: { sandbox, redact } }: TrialState,
  files: Files,
  signal: AbortSignal,
  run = sandbox,
): Promise<CheckResult> {
  const result = await runChecks(task, files, redactRun(run, redact), signal)
  return redact ? { ...result, output: redact.text(result.output) } : result
}

/** Runs the task's visible checks on a copy of a state of the branch; a step like any other. */
export function check(trialState: TrialState, branch: Branch, state: State): Promise<CheckResult> {
  return runEffect(branch, 'check()', async (key) => {
    const { task } = trialState
    const files = stateDigest(state)
    const hash = digest({ check: task.spec.checks ?? null, task: task.digest, files })
    refuse(trialState, branch, 'check', key, 1, hash)
    const recorded = answerOf(
      trialState,
      branch,
      key,
      1,
      hash,
      () => `check of ${files ?? 'the untouched files'}`,
    )
    const step =
      recorded?.kind === 'check' ? recorded : await checkLive(trialState, branch, { key, hash, state, files })
    branch.clock += step.durationMs
    branch.bill.checks++
    trialState.level = weakestLevel([trialState.level, step.sandbox])
    tellAlerts(trialState, branch)
    const { status, passed, total, output } = step
    return { status, passed, total, output }
  })
}

async function checkLive(
  trialState: TrialState,
  branch: Branch,
  { key, hash, state, files }: { key: string; hash: string; state: State; files: string | null },
): Promise<CheckStep> {
  const { run, trial } = trialState
  if (branch.signal.aborted) throw new Interrupted()
  if (run.admission?.mayCheck(trial.cell.method.label) === false) {
    trialState.stopped = true
    throw new Interrupted()
  }
  const started = performance.now()
  const sandbox = trackLevel(run.sandbox)
  const result = await visibleChecks(trialState, filesOf(state), branch.signal, sandbox.run)
  const level = sandbox.weakest
  if (branch.signal.aborted) throw new Interrupted()
  // An agent that looks for itself at the same files need not run them again.
  trialState.peeked.set(files, Promise.resolve(result))
  const measured = Math.round(performance.now() - started)
  const step: CheckStep = {
    ...stepHead(trialState, 'check', key, hash, branch.clock),
    durationMs: result.status === 'none' ? 0 : run.mode === 'dev' ? run.checkMs : measured,
    ...(branch.iteration && { iteration: branch.iteration }),
    ...result,
    ...(level && { sandbox: level }),
  }
  run.journal?.step(step, trialState.mark)
  run.admission?.checked(trial.cell.method.label, step.durationMs)
  return step
}

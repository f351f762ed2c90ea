import { runChecks } from '../../graders/check.ts'
import { judgedKey, remember } from '../../graders/result-memory.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import { trackLevel, weakestLevel } from '../../sandbox/level.ts'
import type { CheckStep } from '../../schema/ledger/step.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { Files } from '../../schema/task.ts'
import type { CheckResult } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { runEffect } from '../branch/branch.ts'
import {
  Interrupted,
  requireMayRun,
  stepHead,
  takeBranchStep,
  writeTimedStep,
} from '../branch/recorded-steps.ts'
import { redactRun } from '../branch/redact-inputs.ts'
import { enforceTrialLimits, reportAlerts } from '../branch/trial-limits.ts'
import type { Branch, TrialState } from '../branch/trial-state.ts'
import { filesOf, type State, stateDigest } from '../branch/workspace.ts'

/** Runs the task's visible checks on files, and says at which level of the sandbox. Secrets are removed from the output. */
export async function runVisibleChecks(
  { plan: { task }, run }: TrialState,
  files: Files,
  signal: AbortSignal,
): Promise<{ result: CheckResult; level: SandboxLevel | undefined }> {
  const { sandbox, redact, memory } = run
  // Another branch or trial may wait for a result that is remembered.
  const until = memory ? run.signal : signal
  const judge = async (start = sandbox) => {
    const tracked = trackLevel(start)
    const result = await runChecks(task, files, redactRun(tracked.run, redact), until)
    return { result, level: tracked.weakest }
  }
  const work = { kind: 'check' as const, task, files, answer: undefined, run: sandbox, signal: until }
  // Elsewhere the time of a check is a fact of the trial, which a kept verdict does not have.
  const kept = run.mode === 'dev' || run.recorded ? run.verdicts : undefined
  const judgeOnce = () => (kept ? kept.judge(work, judge) : judge())
  const { result, level } = await (memory
    ? remember(memory.checks, judgedKey(task, files, undefined), judgeOnce)
    : judgeOnce())
  return { result: { ...result, output: dataCleaner(redact)(result.output) }, level }
}

/** Runs the task's visible checks on a copy of a branch's files, as a step. */
export function check(branch: Branch, state: State): Promise<CheckResult> {
  return runEffect(branch, 'check()', (key) => checkStep(branch, key, state))
}

/** Runs the task's visible checks on a copy of files as a step with this key. It counts, and is limited, like any other check. */
export async function checkStep(branch: Branch, key: string, state: State): Promise<CheckResult> {
  const { trialState } = branch
  const { task } = trialState.plan
  const files = stateDigest(state)
  const hash = digest({ check: task.spec.checks ?? null, task: task.digest, files })
  enforceTrialLimits(branch, 'check', key, 1, hash)
  const recorded = takeBranchStep(branch, key, 1, hash, () => `check of ${files ?? 'the untouched files'}`)
  const step = recorded?.kind === 'check' ? recorded : await checkLive(branch, { key, hash, state, files })
  branch.clock += step.durationMs
  branch.bill.checks++
  trialState.journal.level = weakestLevel([trialState.journal.level, step.sandbox])
  reportAlerts(branch)
  const { status, passed, total, output } = step
  return { status, passed, total, output }
}

async function checkLive(
  branch: Branch,
  { key, hash, state, files }: { key: string; hash: string; state: State; files: string | null },
): Promise<CheckStep> {
  const { trialState } = branch
  const { run } = trialState
  requireMayRun(branch)
  const started = performance.now()
  const { result, level } = await runVisibleChecks(trialState, filesOf(state), branch.signal)
  if (branch.signal.aborted) throw new Interrupted()
  // An agent that checks the same files itself reuses this result.
  trialState.checkResults.set(files, Promise.resolve(result))
  const measured = run.recorded ? 0 : Math.round(performance.now() - started)
  const step: CheckStep = {
    ...stepHead(trialState, 'check', key, hash, branch.clock),
    durationMs: result.status === 'none' ? 0 : run.mode === 'dev' ? run.checkMs : measured,
    ...(branch.iteration && { iteration: branch.iteration }),
    ...result,
    ...(level && { sandbox: level }),
  }
  writeTimedStep(trialState, step)
  return step
}

import { dataCleaner } from '../../replies/clean-data.ts'
import { runAgainIfKilled } from '../../sandbox/killed.ts'
import { weakestLevel } from '../../sandbox/level.ts'
import type { SandboxLimits } from '../../sandbox/limits.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import type { RunStep } from '../../schema/ledger/stage-step.ts'
import type { StageRun, StageRunEnd } from '../../schema/stage/protocol.ts'
import type { Files } from '../../schema/task.ts'
import { digest } from '../../text/canonical-json.ts'
import { LimitError } from '../../text/errors.ts'
import { hideVolatileParts } from '../../text/volatile-parts.ts'
import { freeze, runEffect } from '../branch/branch.ts'
import { readFolder } from '../branch/folder.ts'
import {
  divergence,
  Interrupted,
  requireMayRun,
  stepHead,
  takeBranchStep,
  writeTimedStep,
} from '../branch/recorded-steps.ts'
import { redactRun } from '../branch/redact-inputs.ts'
import { runText } from '../branch/step-difference.ts'
import { enforceTrialLimits, reportAlerts } from '../branch/trial-limits.ts'
import { type Branch, withheldText } from '../branch/trial-state.ts'
import { filesOf, stateDigest } from '../branch/workspace.ts'

/** Limits of a stage and of its tools, above those of tests: they start compilers and test runners. */
export const stageLimits: Partial<SandboxLimits> = {
  cpuSeconds: 3600,
  memoryBytes: 4 * 1024 ** 3,
  workspaceBytes: 2 * 1024 ** 3,
  processes: 256,
  fileBytes: 256 * 1024 ** 2,
  openFiles: 4096,
}

/** The longest time of a stage and of a tool, and the bytes kept of what they print, unless they say otherwise. */
export const stageDefaults = { timeoutMs: 600_000, outputBytes: 64 * 1024 }

/**
 * Runs a tool of a stage as a step, in a sandbox of its own: with a copy of the branch's files, without the state and the socket.
 * A journaled one is not run. `programs` are the read-only files of the stage.
 */
export function runTool(
  branch: Branch,
  asked: StageRun,
  programs: Files,
): Promise<StageRunEnd & { durationMs: number }> {
  return runEffect(branch, 'run', async (key) => {
    const hash = digest({ run: asked, files: stateDigest(branch.state) })
    enforceTrialLimits(branch, 'stage', key, 1, hash)
    const recorded = takeBranchStep(branch, key, 1, hash, () => runText(asked))
    const known = recorded?.kind === 'run' ? recorded : undefined
    const { end, step } =
      known && known.resultHash === undefined
        ? { end: known, step: known }
        : await runLive(branch, { key, hash, asked, programs, known })
    branch.clock += step.durationMs
    branch.trialState.journal.level = weakestLevel([branch.trialState.journal.level, step.sandbox])
    reportAlerts(branch)
    if (step.limited)
      throw freeze(
        branch,
        new LimitError('timeMs', `${Math.round(branch.clock)} ms used; a tool was cut off`),
      )
    const { exitCode, reason, stdout, stderr, files } = end
    const { durationMs } = step
    return { exitCode, ...(reason !== undefined && { reason }), stdout, stderr, files, durationMs }
  })
}

/** A run that is made now. `known` is its journaled step, if only the hash of its result is kept: it must end in the same way. */
interface LiveRun {
  key: string
  hash: string
  asked: StageRun
  programs: Files
  known: RunStep | undefined
}

async function runLive(branch: Branch, live: LiveRun): Promise<{ end: StageRunEnd; step: RunStep }> {
  const { trialState } = branch
  const { key, hash, asked, known } = live
  const { run, journal } = trialState
  requireMayRun(branch)
  const { result, end, limited } = await start(branch, live)
  if (branch.signal.aborted) throw new Interrupted()
  const resultHash = digest(end)
  if (known?.resultHash === resultHash) return { end, step: known }
  if (known) divergence(trialState, { key, attempt: 1, hash }, 'a tool now ends in another way than before')
  const step: RunStep = {
    ...stepHead(trialState, 'run', key, hash, branch.clock),
    durationMs: run.mode === 'dev' ? run.checkMs : Math.round(result.durationMs),
    ...(branch.iteration && { iteration: branch.iteration }),
    ...{ stage: branch.stage?.id ?? '', command: asked.command },
    ...(journal.secret ? { ...end, stdout: withheldText, stderr: withheldText, files: {}, resultHash } : end),
    ...(limited && { limited }),
    sandbox: result.level,
  }
  writeTimedStep(trialState, step)
  return { end, step }
}

async function start(
  branch: Branch,
  { asked, programs }: LiveRun,
): Promise<{ result: SandboxResult; end: StageRunEnd; limited: true | undefined }> {
  const { run } = branch.trialState
  const { trial } = branch.trialState.plan
  const { command, tools = [], files = {}, collect = [] } = asked
  const { timeoutMs: own = stageDefaults.timeoutMs, outputBytes = stageDefaults.outputBytes } = asked
  const { timeMs } = trial.cell.limits
  // In dev mode the trial's time is virtual.
  const left = timeMs === undefined || run.mode === 'dev' ? Number.POSITIVE_INFINITY : timeMs - branch.clock
  let there: Files = {}
  const start = runAgainIfKilled(redactRun(run.sandbox, run.redact))
  const result = await start({
    files: { ...filesOf(branch.state), ...files },
    tools: Object.fromEntries(tools.map((path) => [path, programs[path] ?? ''])),
    command,
    timeoutMs: Math.min(own, left),
    limits: stageLimits,
    maxOutputBytes: outputBytes,
    signal: branch.signal,
    onEnd: (workspace) => {
      there = collect.length === 0 ? {} : readFolder(workspace).files
    },
  })
  const { exitCode, killedBy, stdout, stderr } = result
  const reason = exitCode === null ? (result.reason ?? `was ended by ${killedBy}`) : undefined
  const steady = (text: string) => dataCleaner(run.redact)(hideTimes(text))
  const end = {
    exitCode,
    ...(reason !== undefined && { reason }),
    ...{ stdout: steady(stdout), stderr: steady(stderr) },
    files: Object.fromEntries(
      collect.flatMap((path) => {
        const text = Object.hasOwn(there, path) ? there[path] : undefined
        return text !== undefined && Buffer.byteLength(text) <= outputBytes ? [[path, steady(text)]] : []
      }),
    ),
  }
  return { result, end, limited: result.timedOut && left <= own ? true : undefined }
}

/** Two equal runs say the same: also in a report of JUnit, which has a time for each test. */
const hideTimes = (text: string): string =>
  hideVolatileParts(text)
    .replace(/\btime="[\d.]+"/g, 'time="0"')
    .replace(/\btimestamp="[^"]*"/g, 'timestamp=""')

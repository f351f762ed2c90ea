import { normalise } from '../../graders/expected.ts'
import { killedTwice, mayBeFromOutside } from '../../sandbox/killed.ts'
import type { SandboxCommand, SandboxResult } from '../../sandbox/sandbox.ts'
import type { StageStep } from '../../schema/ledger/stage-step.ts'
import { digest } from '../../text/canonical-json.ts'
import {
  brokenBy,
  divergence,
  Interrupted,
  isInterrupted,
  requireMayRun,
  stepHead,
  writeStep,
  writeTimedStep,
} from '../branch/recorded-steps.ts'
import { redactRun } from '../branch/redact-inputs.ts'
import { type Branch, withheldText } from '../branch/trial-state.ts'
import { filesOf } from '../branch/workspace.ts'
import type { ApplicationSession } from './application.ts'
import type { StageCall } from './program.ts'
import { stageDefaults, stageLimits } from './run-tool.ts'
import { openSession, type StageSession } from './session.ts'

/** Few methods ask models themselves, so the gateway is loaded where one does. */
const loadApplications = () => import('./application.ts')

type Session = StageSession & Partial<ApplicationSession>

type Ended = Pick<SandboxResult, 'exitCode' | 'killedBy' | 'reason' | 'level'> & {
  output: string
  stdout: string
  limited: boolean
  /** The program's own time; ms. */
  ranMs: number
}

/**
 * Starts a stage's program and answers it until it ends. Returns its step, which is written last. `withheld` is the journaled step
 * of a stage whose texts are withheld: the stage runs again, and must end as it did.
 */
export async function runProgram(
  branch: Branch,
  call: StageCall,
  withheld: StageStep | undefined,
): Promise<StageStep> {
  const { trialState } = branch
  requireMayRun(branch)
  const stopper = new AbortController()
  let failure: Error | undefined
  const stop = (error: Error) => {
    failure ??= error
    stopper.abort()
  }
  const { facts, roles, program } = call
  const session: Session = program.models
    ? (await loadApplications()).openApplication(branch, call, stop)
    : openSession(branch, { id: facts.stage, roles, programs: program.files ?? {} }, stop)
  let ended: Ended
  try {
    ended = await start(branch, call, session, stopper.signal)
    if (failure) throw failure
    if (branch.signal.aborted || isInterrupted(trialState)) throw new Interrupted()
    await session.close()
  } catch (error) {
    await session.close()
    const cause = failure ?? (branch.signal.aborted ? new Interrupted() : (error as Error))
    writeCut(branch, call, session, cause)
    throw cause
  }
  const step = stepOf(branch, call, session, ended)
  if (withheld?.resultHash !== undefined) {
    if (withheld.resultHash === step.resultHash) return { ...withheld, ...resultOf(session, ended) }
    divergence(
      trialState,
      { key: call.key, attempt: 1, hash: call.hash },
      `stage "${call.facts.stage}" now ends in another way than the one that is journaled by hash`,
    )
  }
  // The time of requests to models is counted with them.
  if (program.models) writeStep(trialState, step)
  else writeTimedStep(trialState, step)
  return { ...step, ...resultOf(session, ended) }
}

async function start(
  branch: Branch,
  { program, facts }: StageCall,
  session: Session,
  stopped: AbortSignal,
): Promise<Ended> {
  const { trialState } = branch
  const { run, journal } = trialState
  const { trial } = trialState.plan
  const { command, files = {}, state, env = {}, timeoutMs: own = stageDefaults.timeoutMs } = program
  const { timeMs } = trial.cell.limits
  // In dev mode the trial's time is virtual.
  const left = timeMs === undefined || run.mode === 'dev' ? Number.POSITIVE_INFINITY : timeMs - branch.clock
  let startedAt = 0
  const sandboxed: SandboxCommand = {
    files: filesOf(branch.state),
    command,
    env,
    stage: { files, state, open: session.open },
    timeoutMs: Math.min(own, left),
    limits: stageLimits,
    maxOutputBytes: stageDefaults.outputBytes,
    signal: AbortSignal.any([branch.signal, stopped]),
  }
  const inSandbox = redactRun(run.sandbox, run.redact)
  const once = async () => {
    const begun = await session.begin?.()
    startedAt = performance.now()
    return inSandbox({ ...sandboxed, ...begun })
  }
  let result = await once()
  if (mayBeFromOutside(result)) {
    const what = `stage "${facts.stage}"`
    journal.begunAnew.push(
      `trial ${trial.id}: ${what} was ended by ${result.killedBy}, which no limit of the sandbox explains, so it ran again`,
    )
    result = await once()
    // It is the method's own program, which no agent can kill while its code runs apart.
    if (mayBeFromOutside(result)) throw killedTwice(what, result)
    session.requireWhole()
  }
  const { hidePaths = (text: string) => text } = session
  const [stdout, stderr] = [hidePaths(result.stdout), hidePaths(result.stderr)]
  return {
    ...result,
    stdout,
    output: normalise(`${stdout}\n${stderr}`),
    limited: result.timedOut && left <= own,
    ranMs: Math.max(0, performance.now() - startedAt - session.waitedMs()),
  }
}

function resultOf(session: Session, { exitCode, killedBy, reason, output, stdout }: Ended) {
  const { log, state, refused } = session
  const after = state()
  const why = exitCode === null ? (reason ?? `was ended by ${killedBy}`) : undefined
  return {
    exitCode,
    ...(why !== undefined && { reason: why }),
    ...(after !== undefined && { after }),
    output,
    asks: countAsks(session),
    ...(refused && { stdout, refused: refused() }),
    ...savingsOf(log),
    log,
  }
}

/** Tokens are no text of a solution, so they are known where the log is withheld. */
function savingsOf(log: StageSession['log']): Pick<StageStep, 'savings'> {
  const savings = log.flatMap((deed) => ('saving' in deed ? [deed.saving] : []))
  return savings.length === 0 ? {} : { savings }
}

const countAsks = ({ log, asks }: Session) => asks?.() ?? log.filter((deed) => 'ask' in deed).length

function stepOf(branch: Branch, { key, hash, facts }: StageCall, session: Session, ended: Ended): StageStep {
  const { trialState } = branch
  const { run, journal } = trialState
  const result = resultOf(session, ended)
  const { after: _, log: __, ...known } = result
  return {
    ...stepHead(trialState, 'stage', key, hash, branch.clock),
    durationMs: run.mode === 'dev' ? run.checkMs : Math.round(ended.ranMs),
    ...facts,
    ...(journal.secret
      ? { ...known, before: withheldText, output: withheldText, resultHash: digest(result) }
      : result),
    ...(ended.limited && { limited: true as const }),
    sandbox: ended.level,
  }
}

/** Journals a stage that the harness ended while its trial goes on or gets a record: its asks are in the bill, so replay needs them. */
function writeCut(
  branch: Branch,
  { key, hash, facts }: StageCall,
  session: Session,
  { message }: Error,
): void {
  const { log } = session
  const { trialState } = branch
  const { run, phase } = trialState
  const { secret } = trialState.journal
  if (run.signal.aborted || phase === 'stopped') return
  const broken = brokenBy(trialState)
  const isLost = branch.lost && !broken
  run.journal?.step(
    {
      ...stepHead(trialState, 'stage', key, hash, branch.clock),
      ...facts,
      ...(secret && { before: withheldText }),
      exitCode: null,
      ...(!isLost && { reason: broken?.message ?? message }),
      output: '',
      asks: countAsks(session),
      ...savingsOf(log),
      ...(!secret && { log }),
      cut: isLost ? 'lost' : 'error',
    },
    trialState.journal.ledgerChecksum,
  )
}

import { availableParallelism } from 'node:os'
import type { ResultMemory } from '../../graders/result-memory.ts'
import type { RunEvent, Session } from '../../loop/branch/run-session.ts'
import type { AskPerson } from '../../loop/record/people.ts'
import type { WorkEnd } from '../../loop/work/work.ts'
import { temporaryFolderFault } from '../../sandbox/machine/temporary-folder.ts'
import { sweepLeftovers } from '../../sandbox/sweep.ts'
import type { ApprovalPolicy } from '../../schema/ledger/approval.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { setBlockTimeout } from '../../user-code/watchdog-state.ts'
import { type MergedOptions, resumeOnlyProblems } from '../config/merge-options.ts'
import { parseEndBlocked, readWhole } from '../config/run-options.ts'
import { findRunSecrets, redactOptions, unsetSecretProblem } from '../config/run-secrets.ts'
import {
  requireSandbox,
  type SandboxCheck,
  type SelectedSandbox,
  selectSandbox,
} from '../open/sandbox-option.ts'
import { parseApprovalPolicy } from '../people/approval-policy.ts'
import { checkOutputFile } from '../terminal/output-file.ts'
import { type Condition, parseConditions } from '../values/fail-if.ts'

const manyFolders = 50

/** What a run needs of its process. */
export interface RunTools {
  signal: AbortSignal
  onEvent(event: RunEvent): void
  /** Asks a person at the terminal; undefined without a terminal. */
  askPerson?: AskPerson | undefined
  /** Has the trials of an opened run done by others, and resolves at its end; without it they are done here. */
  letWork?: ((opened: OpenedRun, options: SessionOptions) => Promise<WorkEnd>) | undefined
  /** Results of graders and checks that trials with equal work share; only in a simulation that plans a run. */
  memory?: ResultMemory | undefined
}

/** The options of a session on a new or a resumed run. */
export interface SessionOptions {
  /** Command line and config file, redacted. */
  given: MergedOptions
  redact: Redactor | undefined
  /** The problems found so far. */
  problems: Problem[]
  parallel: number
  /** Who answers approvals, if that was given. */
  approve: ApprovalPolicy | undefined
  /** Asks a person at the terminal; undefined without a terminal. */
  askPerson: AskPerson | undefined
  conditions: readonly Condition[]
  sandbox: SelectedSandbox
  memory: ResultMemory | undefined
  signal: AbortSignal
  onEvent(event: RunEvent): void
  onWarning(message: string): void
}

/** A run that is ready to work on. */
export interface OpenedRun {
  session: Session
  manifest: RunManifest
}

/** Reads the options that new and resumed runs share, and removes folders that killed runs left in the temporary folder. */
export async function readSessionOptions(plain: MergedOptions, tools: RunTools): Promise<SessionOptions> {
  const { redact, unsuitable, unset } = findRunSecrets(plain.options.secret ?? [])
  const given = redact ? redactOptions(plain, redact) : plain
  const { options } = given
  const onWarning = (message: string) =>
    tools.onEvent({ type: 'warning', message: redact ? redact.text(message) : message })
  const onEvent = (event: RunEvent) =>
    event.type === 'warning' ? onWarning(event.message) : tools.onEvent(event)
  const problems = unset.map((name) => unsetSecretProblem(name, plain.config))
  if (unsuitable.length > 0)
    onWarning(`not redacted, because the value is too short or too common: ${unsuitable.join(', ')}`)
  const parallel = readWhole(problems, options, 'parallel', availableParallelism())
  const { askPerson } = tools
  const approve = parseApprovalPolicy(problems, options.approve, askPerson)
  const endMs = parseEndBlocked(problems, options.endBlocked)
  if (endMs !== undefined) setBlockTimeout(endMs)
  const conditions = parseConditions(options.failIf, problems)
  checkOutputFile(problems, '--junit', options.junit, { begun: options.out })
  checkOutputFile(problems, '--step-summary', options.stepSummary, { begun: options.out, isAdded: true })
  problems.push(...resumeOnlyProblems(options))
  const sandbox = selectSandbox(problems, options)
  await readyTemporaryFolder(problems, onWarning)
  const parts = { given, redact, problems, parallel, approve, askPerson, conditions, sandbox } as const
  return { ...parts, memory: tools.memory, signal: tools.signal, onEvent, onWarning }
}

async function readyTemporaryFolder(
  problems: Problem[],
  onWarning: SessionOptions['onWarning'],
): Promise<void> {
  const fault = temporaryFolderFault()
  if (fault?.full) onWarning(`${fault.missing}, so code cannot run. ${fault.remedy}`)
  else if (fault) problems.push({ where: 'TMPDIR', what: fault.missing, fix: fault.remedy })
  if (fault && !fault.full) return
  const swept = await sweepLeftovers()
  // A few leftover folders are normal on a busy machine.
  if (swept >= manyFolders) onWarning(`removed ${swept} temporary folders that your killed runs left behind`)
}

/** Checks that the selected sandbox is strong enough for the run, and says what is not as it should be. */
export async function checkSandbox(
  { sandbox, onWarning }: SessionOptions,
  run: Parameters<typeof requireSandbox>[1],
): Promise<SandboxCheck> {
  const checked = await requireSandbox(sandbox, run)
  checked.notes.forEach(onWarning)
  return checked
}

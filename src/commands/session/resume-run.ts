import { lastSession } from '../../loop/join/shared-session.ts'
import { assertNotLocked } from '../../loop/record/lock.ts'
import type { Approvals } from '../../loop/record/people.ts'
import { removeForeignLock, repairNotes, repairRunFolder } from '../../loop/record/repair.ts'
import { missingSessionsNote } from '../../loop/record/verify-ledger.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { resumedDevAgentProblems } from '../agents/dev-agents.ts'
import { missingRequirements } from '../agents/live-manifest.ts'
import { parseBudgets } from '../config/budget-options.ts'
import { parseKeepWorkspaces } from '../config/keep-option.ts'
import { fixedOptionProblems } from '../config/merge-options.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { findRunFolder } from '../open/named-runs.ts'
import { reopenRun } from '../open/reopen.ts'
import { defaultPolicy, resumedPolicy } from '../people/approval-policy.ts'
import { toolServers } from '../tools/tool-files.ts'
import { openVerdicts } from './kept-verdicts.ts'
import { limitsToGoOn } from './new-shard.ts'
import { checkResumed } from './run-settings.ts'
import { checkSandbox, type OpenedRun, type SessionOptions } from './session-options.ts'

/** What a run is to gain before it goes on. */
interface Gain {
  planned: OpenedRun['manifest']
  /** Writes it to the run folder. */
  write(): Promise<void>
}

/** Opens an existing run to continue it. A gain is written when all else is checked. Throws `UserError`. */
export async function resumeRun(run: string, options: SessionOptions, gain?: Gain): Promise<OpenedRun> {
  const { problems, onWarning } = options
  const asked = options.given.options
  const folder = findRunFolder(run)
  assertNotLocked(folder, { takeOver: asked.takeOver === true })
  problems.push(...fixedOptionProblems(asked))
  const typed = parseBudgets(problems, asked)
  refuse(problems)
  if (asked.takeOver) await removeForeignLock(folder)
  if (asked.repair) for (const note of repairNotes(await repairRunFolder(folder))) onWarning(note)
  const { session, manifest, agents } = await reopenRun(folder, {
    approvals: resumedApprovals(folder, options),
    sandbox: options.sandbox,
    signal: options.signal,
    secrets: asked.secret ?? [],
    trusted: asked.trustCode === true,
    goesOn: true,
    planned: gain?.planned,
    acceptChanges: asked.acceptChanges === true,
    onWarning,
    openVerdicts: ({ verdicts, cwd }) => openVerdicts({ ...asked, verdicts, cwd, goesOn: true }, onWarning),
  })
  if (manifest.mode === 'dev') problems.push(...resumedDevAgentProblems(folder, agents))
  refuse(problems)
  const { unset } = findRunSecrets(manifest.secrets ?? [])
  if (unset.length > 0)
    onWarning(
      `${unset.join(', ')}: redacted when this run started, but not set now. Texts that contain these values are sent and stored unredacted`,
    )
  const lost = missingSessionsNote(folder)
  if (lost !== undefined) onWarning(lost)
  const last = lastSession(folder)
  const isAllowed = (manifest.allowUnpriced || last?.allowUnpriced || asked.allowUnpriced) ?? false
  const changed = { ...limitsToGoOn(manifest, last, { typed, asked }, problems), isAllowed }
  const { budgets, warnings } = await checkResumed({ session, manifest }, options, changed)
  for (const note of [...changed.notes, ...warnings]) onWarning(note)
  const asBefore = last?.keepWorkspaces ?? manifest.keepWorkspaces
  const keepWorkspaces = await parseKeepWorkspaces(problems, asked.keepWorkspaces, asBefore)
  problems.push(...(await missingRequirements([...agents.values()])))
  refuse(problems)
  const { uniqueAgents: agentsAsked, tasks, strategies } = session
  const { sandboxed } = await checkSandbox(options, {
    ...{ agents: agentsAsked, tasks: tasks.values(), strategies: strategies.values() },
    servers: toolServers(manifest),
  })
  await gain?.write()
  const allowUnpriced = manifest.mode === 'live' ? isAllowed : undefined
  return { session: { ...session, budgets, allowUnpriced, keepWorkspaces, sandboxed }, manifest }
}

/** Returns who answers approvals: as the user says, else as in the last session. */
function resumedApprovals(folder: string, { approve, askPerson, onWarning }: SessionOptions): Approvals {
  if (approve) return { policy: approve, askPerson }
  const last = lastSession(folder)?.approve
  return { policy: last ? resumedPolicy(last, askPerson, onWarning) : defaultPolicy(askPerson), askPerson }
}

/** Throws a `UserError` if there is a problem. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new UserError([...problems])
}

import { join } from 'node:path'
import { openSettledBlock } from '../../loop/join/shared-session.ts'
import { orderBlocks } from '../../loop/plan/block-order.ts'
import { removeForeignLock } from '../../loop/record/repair.ts'
import { type WorkEnd, type WorkOptions, work } from '../../loop/work/work.ts'
import { openAllowances } from '../../queue/allowance.ts'
import type { Database } from '../../queue/database.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { resumedDevAgentProblems } from '../agents/dev-agents.ts'
import { missingRequirements } from '../agents/live-manifest.ts'
import type { RunOptions } from '../config/run-options.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { planFromManifest } from '../open/create-session.ts'
import { requireSameMachine } from '../open/machine-facts.ts'
import { reopenRun } from '../open/reopen.ts'
import { requireSandbox, selectSandbox } from '../open/sandbox-option.ts'
import { openVerdicts } from '../session/kept-verdicts.ts'
import { toolServers } from '../tools/tool-files.ts'
import { type AnnouncedRun, openRunQueues, type RunQueue } from './run-queues.ts'

/** What a worker does every block with. */
export interface WorkerOptions {
  share: string
  parallel: number
  leaseMs: number
  /** Options of the sandbox and `--trust-code`. */
  asked: Pick<RunOptions, 'sandbox' | 'allowUnsandboxed' | 'trustCode'>
  signal: AbortSignal
  onWarning(message: string): void
}

/** A run that this worker may do. */
export interface WorkerRun {
  folder: string
  manifest: RunManifest
  /** The queues of the blocks whose programs are here. */
  queues: readonly RunQueue[]
  /** Programs that are missing, so that blocks that need them are left to others. */
  missing: readonly string[]
  /** By which its folder is known again. */
  mark: string
  /** Plays a block as far as it goes; undefined if nothing is left of it to do. */
  play(block: number, how: Pick<WorkOptions, 'signal' | 'onEvent'>): Promise<WorkEnd | undefined>
  close(): Promise<void>
}

/**
 * Opens a run of the shared folder, once for all of its blocks. Throws `UserError` if this worker lacks a key, or differs from the machine where
 * the run began in what could change its results.
 */
export async function openWorkerRun(
  database: Database,
  announced: AnnouncedRun,
  options: WorkerOptions,
): Promise<WorkerRun> {
  const { share, asked, signal, onWarning, leaseMs } = options
  const folder = join(share, announced.folder)
  const problems: Problem[] = []
  const sandbox = selectSandbox(problems, asked)
  refuse(problems)
  const { session, manifest, agents } = await reopenRun(folder, {
    ...{ goesOn: true, trusted: asked.trustCode === true, sandbox, signal, onWarning },
    openVerdicts: ({ verdicts, cwd }) => openVerdicts({ verdicts, cwd, goesOn: true }, onWarning),
  })
  const { unset } = findRunSecrets(manifest.secrets ?? [])
  // A password of the database may come from elsewhere on each machine, such as ~/.pgpass.
  for (const name of unset.filter((name) => name !== 'PGPASSWORD'))
    problems.push({
      where: name,
      what: `is not set here, but its value is redacted in run ${manifest.id}`,
      fix: 'Set it.',
    })
  if (manifest.mode === 'dev') problems.push(...resumedDevAgentProblems(folder, agents))
  problems.push(...(await missingRequirements([...agents.values()])))
  refuse(problems)
  const { tasks, strategies, uniqueAgents } = session
  const gated = { agents: uniqueAgents, tasks: tasks.values(), strategies: strategies.values() }
  const checked = await requireSandbox(sandbox, { ...gated, servers: toolServers(manifest) })
  checked.notes.forEach(onWarning)
  const here = await requireSameMachine(manifest, tasks.values(), checked.sandboxed)
  const all = await openRunQueues(database, manifest, tasks, leaseMs)
  const queues = all.filter(({ requires }) => requires.every((name) => name in here.tools))
  const openAllowance = openAllowances(database, manifest, leaseMs)
  const order = orderBlocks(manifest.tasks, manifest.seed).map(({ ref }) => ref)
  return {
    ...{ folder, mark: announced.mark, manifest, queues },
    missing: [...new Set(all.flatMap(({ requires }) => requires))].filter((name) => !(name in here.tools)),
    async play(block, how) {
      const own = openSettledBlock(folder, block)
      if (!own) return undefined
      await removeForeignLock(own.folder)
      const { approve, keepGoing, allowUnpriced, keepWorkspaces, budgets } = own.settled
      const task = tasks.get(order[block - 1] ?? '')
      const part = task ? new Map([[task.ref, task]]) : new Map()
      const shard = { index: block, of: order.length }
      const budgetShare = openAllowance(block, onWarning)
      const opened = {
        ...{ ...session, folder: own.folder, tasks: part, shard, plan: planFromManifest(manifest, part) },
        ...{ approvals: { policy: approve }, allowUnpriced, keepWorkspaces, budgets, budgetShare },
        sandboxed: checked.sandboxed,
      }
      try {
        return await work(opened, { ...how, parallel: options.parallel, keepGoing })
      } finally {
        budgetShare.close()
      }
    },
    close: async () => void (await Promise.all(all.map(({ queue }) => queue.close()))),
  }
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new UserError([...problems])
}

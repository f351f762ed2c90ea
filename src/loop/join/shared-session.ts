import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { ApprovalPolicy } from '../../schema/ledger/approval.ts'
import type { PastSession } from '../../schema/ledger/session.ts'
import type { Budgets } from '../../schema/limits.ts'
import { blockFolders, isInBlocks } from '../record/in-blocks.ts'
import { readSessions } from '../record/sessions.ts'
import { openBlock } from './blocks.ts'

/** What a session of a run settles for all workers; another session may settle it otherwise. */
export interface SharedSession {
  /** The limits of the whole run. */
  budgets: Budgets
  /** How long earlier sessions of its coordinator have lasted. */
  pastMs: number
  approve: ApprovalPolicy
  keepGoing: boolean
  allowUnpriced?: boolean | undefined
  keepWorkspaces?: KeepWorkspaces | undefined
}

const sessionPath = (run: string) => join(run, blockFolders.joined, 'session.json')

/** Writes what workers read before each block. */
export const writeSession = (run: string, session: SharedSession): void =>
  writeAtomic(sessionPath(run), JSON.stringify(session), { durable: true })

/** Reads what the session of a run has settled; undefined if it has had none. */
export const readSession = (run: string): SharedSession | undefined =>
  existsSync(sessionPath(run)) ? JSON.parse(readFileSync(sessionPath(run), 'utf8')) : undefined

/** Opens a block of a run, as `openBlock`, and reads what its session has settled. Returns undefined if nothing is left to do. */
export function openSettledBlock(
  run: string,
  block: number,
): { folder: string; settled: SharedSession } | undefined {
  const folder = openBlock(run, block)
  const settled = folder === undefined ? undefined : readSession(run)
  return folder === undefined || !settled ? undefined : { folder, settled }
}

/** What a session settles, and the next one keeps unless a person says otherwise. */
export type SettledSession = Pick<PastSession, 'budgets' | 'shard' | 'approve' | 'keepWorkspaces'> & {
  allowUnpriced?: boolean | undefined
}

/** Reads what the last session of a run has settled: of a run in blocks its coordinator's, since a block may be of an earlier one. */
export const lastSession = (run: string): SettledSession | undefined =>
  isInBlocks(run) ? readSession(run) : readSessions(run).at(-1)

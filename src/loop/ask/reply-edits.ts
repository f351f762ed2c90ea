import type { AgentReply } from '../../agents/agent.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import { shortenRejected } from '../../replies/files.ts'
import { readWork } from '../../replies/read-work.ts'
import { withoutThoughts } from '../../replies/thoughts.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { ChangeSet } from '../../schema/method/change.ts'
import type { FileEdit } from '../../strategy.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { readFolder } from '../branch/folder.ts'
import type { Branch, TrialState } from '../branch/trial-state.ts'
import { applyEdits, editsTo, forkState } from '../branch/workspace.ts'
import type { Attempt } from './agent-request.ts'

/** A reply with the edits that it makes to the branch's files. */
export interface BranchReply {
  /** What is read of it: without thoughts, except in a turn that calls tools, which goes back to the model as it came. */
  text: string
  changeSet: ChangeSet | undefined
  edits: readonly FileEdit[]
}

type ReadAttempt = Pick<Attempt, 'work' | 'turn'>

interface FolderEdits {
  changeSet: ChangeSet
  edits: readonly FileEdit[]
}

/**
 * Reads the edits of a live reply: the changes in the agent's folder, or else the file blocks of its text. A failed reply has
 * no edits, and neither has one that is no work on the task.
 */
export function readReply(
  branch: Branch,
  { work, turn }: ReadAttempt,
  { text, error, toolCalls }: AgentReply,
  folder: string | undefined,
): BranchReply {
  const isNoAnswer = error !== undefined || toolCalls !== undefined
  const said = textOf(text, toolCalls)
  if (isNoAnswer || folder === undefined || work !== 'produce')
    return readTextReply(branch, { work, turn }, said, isNoAnswer)
  return { text: said, ...readFolderEdits(branch, folder, true) }
}

/** Reads the edits that turn the branch's files into those of a folder. With `keep` their contents are stored for replay. */
export function readFolderEdits(branch: Branch, folder: string, keep: boolean): FolderEdits {
  const { redact, journal } = branch.trialState.run
  const found = readFolder(folder)
  const { files, skipped, unread } = dataCleaner(redact)(found)
  const untouched = new Set([...unread, ...skipped.map(({ path }) => path)])
  const edits = editsTo(branch.state, files, untouched)
  // Resume needs the content of these edits, and no reply contains it.
  if (keep) for (const { content } of edits) if (content !== null) journal?.blobs.put(content)
  const changeSet = applyEdits(forkState(branch.state), edits, 'folder')
  if (skipped.length > 0) changeSet.rejected = shortenRejected([...(changeSet.rejected ?? []), ...skipped])
  return { changeSet, edits }
}

/** Reads the edits of a journaled reply: file blocks are parsed again, a folder's files come from the blobs. */
export function replayReply(branch: Branch, { turn }: ReadAttempt, step: AskStep): BranchReply {
  const text = textOf(step.reply ?? '', step.toolCalls)
  const isNoAnswer = step.error !== undefined || step.toolCalls !== undefined
  if (isNoAnswer || step.changeSet?.source !== 'folder')
    return readTextReply(branch, { work: step.work, turn }, text, isNoAnswer)
  return {
    text,
    changeSet: step.changeSet,
    edits: storedEdits(branch.trialState, step.key, step.changeSet),
  }
}

/** Returns a reply without thoughts; a turn that calls tools goes back to its model as it came. */
const textOf = (whole: string, toolCalls: AgentReply['toolCalls']) =>
  toolCalls ? whole : withoutThoughts(whole)

/** Returns the edits of a change set of a folder or a tool, with their contents from the blobs. */
export function storedEdits(
  { run: { blobs }, plan: { trial } }: TrialState,
  key: string,
  { changes }: ChangeSet,
): FileEdit[] {
  return changes.map(({ path, after }) => {
    const content = after === null ? null : blobs.get(after)
    if (content === undefined)
      throw new InfrastructureError(
        `[trial ${trial.id}, step ${key}] the run folder lacks blobs/${after}, the content of ${path}`,
      )
    return { path, content }
  })
}

/** Keeps the branch's current files and answer as the candidate of an ask. */
export function keepCandidate(branch: Branch, role: string, key: string): void {
  const { state } = branch
  const from = state.candidate
  state.candidate = key
  branch.trialState.candidates?.push({ key, role, at: branch.clock, from, state: forkState(state) })
}

function readTextReply(
  { trialState, state }: Branch,
  { work, turn }: ReadAttempt,
  text: string,
  isNoAnswer: boolean,
): BranchReply {
  const { task } = trialState.plan
  if (isNoAnswer || work !== 'produce' || task.spec.output === 'answer')
    return { text, changeSet: undefined, edits: [] }
  const { edits, rejected, notes } = readWork(task, text, turn !== undefined)
  if (edits.length + rejected.length + notes.length === 0) return { text, changeSet: undefined, edits }
  const changeSet = applyEdits(forkState(turn?.draft ?? state), edits, 'reply')
  if (rejected.length > 0) changeSet.rejected = [...(changeSet.rejected ?? []), ...rejected]
  if (notes.length > 0) changeSet.notes = notes
  return { text, changeSet, edits }
}

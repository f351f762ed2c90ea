import { dataCleaner } from '../../replies/clean-data.ts'
import { openFolderHandle } from '../../sandbox/folders/folder-handle.ts'
import { sizeLimits } from '../../sandbox/folders/paths.ts'
import { readPlainText } from '../../sandbox/folders/read-inside.ts'
import type { StageFolder, StageHost } from '../../sandbox/sandbox.ts'
import type { StageDeed } from '../../schema/ledger/stage-step.ts'
import type { StageAnswer, StageRequest } from '../../schema/stage/protocol.ts'
import type { Files } from '../../schema/task.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { readFolderEdits } from '../ask/reply-edits.ts'
import type { Branch } from '../branch/trial-state.ts'
import { adoptState, applyEdits, forkState, readFile, type State } from '../branch/workspace.ts'
import { createConnections } from './connection.ts'
import { performRequest, refusal, requestProblem } from './perform-request.ts'

/**
 * A stage that runs: what it has done so far, and what it has left. It may be opened once more, for a program that was killed: what
 * this does again is compared with the log, and what was answered is answered from it, in order.
 */
export interface StageSession extends Pick<StageHost, 'waitedMs'> {
  open(folder: StageFolder): StageHost
  /** Waits for the request in work. After that no other begins. */
  close(): Promise<void>
  log: StageDeed[]
  /** Throws `InfrastructureError` if a program that ran again did less than before. */
  requireWhole(): void
  /** The text of the state file at the end. */
  state(): string | undefined
}

/** How requests are done of an agent that directs others. */
interface Directing {
  /** Keeps what it requests, before that is done, and what it changed. */
  keep(deed: StageDeed): void
  /** Does a request; meanwhile the agent holds up nobody. */
  whileWaiting(request: StageRequest, work: () => Promise<StageAnswer>): Promise<StageAnswer>
}

interface SessionFacts {
  id: string
  roles: readonly string[]
  programs: Files
  directing?: Directing
}

/** Opens a session. `stop` is called with an error that is no answer for a stage: it must end the program. */
export function openSession(
  branch: Branch,
  { id, roles, programs, directing }: SessionFacts,
  stop: (error: Error) => void,
): StageSession {
  const clean = dataCleaner(branch.trialState.run.redact)
  const log: StageDeed[] = []
  const begin = forkState(branch.state)
  /** What the requests of the log came to, by their place in it. */
  const done = new Map<number, { answer: StageAnswer; after: State }>()
  /** How much of the log this start of the program has done. */
  let place = 0
  let folder: StageFolder | undefined
  let pending: Promise<StageAnswer> | undefined
  let since = 0
  let waited = 0
  let isClosed = false
  let state: string | undefined

  const takeChanges = (isLast: boolean) => {
    if (!folder) return
    const { changeSet, edits } = readFolderEdits(branch, folder.workspace, !branch.trialState.journal.secret)
    if (changeSet.changes.length === 0 && !(isLast && changeSet.rejected)) return
    applyEdits(branch.state, edits, 'folder')
    note({ changes: changeSet })
  }
  const note = (deed: StageDeed) => {
    const known = log[place]
    if (known === undefined) {
      log.push(deed)
      directing?.keep(deed)
    } else if (canonicalJson(known) !== canonicalJson(deed)) throw differs(id)
    return place++
  }
  const perform = async (request: StageRequest): Promise<StageAnswer> => {
    since = performance.now()
    try {
      // Whom it asks, the checks and the tools see the files as they are now.
      if (!('label' in request || 'saving' in request)) takeChanges(false)
      const at = note(request)
      const before = forkState(branch.state)
      const known = done.get(at)
      if (known) adoptState(branch.state, known.after)
      // A known answer waits a moment, too, so that `pending` is set before it is cleared.
      const work = () => performRequest(branch, request, programs)
      const answer = await (known?.answer ?? (directing ? directing.whileWaiting(request, work) : work()))
      done.set(at, { answer, after: forkState(branch.state) })
      if (folder && !isClosed) writeChanges(folder, before, branch.state)
      return answer
    } catch (error) {
      stop(error as Error)
      return refusal('closed', 'the trial ends')
    } finally {
      waited += performance.now() - since
      pending = undefined
    }
  }
  const answer = async (given: StageRequest): Promise<StageAnswer> => {
    if (isClosed) return refusal('closed', 'the stage has ended')
    if (pending)
      return refusal('busy', 'another request of this stage has no answer yet; wait for it before the next')
    if (branch.refused && place >= log.length) return refusal('limit', branch.refused.error.message)
    const problem = requestProblem(given, { roles, programs, director: branch.stage?.director })
    if (problem !== undefined) return refusal('invalid', problem)
    pending = perform(clean(given))
    return pending
  }
  const close = async () => {
    isClosed = true
    await pending
  }
  const waitedMs = () => waited + (pending ? performance.now() - since : 0)
  return {
    log,
    close,
    waitedMs,
    state: () => state,
    requireWhole() {
      if (place < log.length) throw differs(id)
    },
    open(opened) {
      adoptState(branch.state, begin)
      folder = opened
      ;[place, waited, isClosed] = [0, 0, false]
      return {
        onConnection: createConnections({ stage: id, roles, once: directing !== undefined, answer }),
        waitedMs,
        async end({ exitCode }) {
          await close()
          // A program that was ended may have left half of its work.
          if (exitCode !== null) takeChanges(true)
          if (exitCode !== null && wellEnded.includes(exitCode)) state = clean(readState(opened))
        },
      }
    },
  }
}

/** The exit codes of a stage that has ended as it should: its work is good, or it found it wanting. Of others no state is taken. */
const wellEnded: readonly number[] = [0, 1]

const differs = (id: string) =>
  new InfrastructureError(
    `stage "${id}" was killed and ran again, and then did something else than before. Let what it asks and writes depend on its files, its state and the replies alone`,
  )

function writeChanges(folder: StageFolder, before: State, after: State): void {
  if (before.changed === after.changed) return
  for (const path of new Set([...before.changed.keys(), ...after.changed.keys()])) {
    const content = readFile(after, path) ?? null
    if (content !== (readFile(before, path) ?? null)) folder.write(path, content)
  }
}

function readState({ state, stateName }: StageFolder): string | undefined {
  try {
    const handle = openFolderHandle(state)
    try {
      const text = readPlainText(handle.at(stateName), sizeLimits.fileBytes)
      return 'content' in text ? text.content : undefined
    } finally {
      handle.release()
    }
  } catch {
    return undefined
  }
}

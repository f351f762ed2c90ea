import { lstatSync } from 'node:fs'
import { lockPath } from '../../loop/record/lock.ts'
import { holderState, parseHolder, readLock } from '../../loop/record/lock-holder.ts'
import { readRecords } from '../../loop/record/records.ts'
import { readSessions } from '../../loop/record/sessions.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { PastSession } from '../../schema/ledger/session.ts'

/** How far a run is: its trials with a record, those of them that ended in error, and its state in words. */
export interface RunState {
  recorded: number
  errors: number
  state:
    | 'whole'
    | 'running'
    | 'waiting for a person'
    | 'paused'
    | 'stopped by a limit'
    | 'stopped in vain'
    | 'interrupted'
}

/** Reads how far a run is. Throws `UserError` if its files are damaged. */
export function runState(folder: string, { trials }: { trials: number }): RunState {
  let [recorded, errors] = [0, 0]
  for (const { outcome } of readRecords(folder)) {
    recorded++
    if (outcome.status === 'error') errors++
  }
  const state = isHeld(folder) ? 'running' : ended(readSessions(folder).at(-1), recorded >= trials)
  return { recorded, errors, state }
}

/** Says how far a run is: `stopped by a limit, with 2 errors`. */
export const stateText = ({ state, errors }: Pick<RunState, 'state' | 'errors'>): string =>
  errors === 0 ? state : `${state}, with ${counted(errors, 'error')}`

/** Whether a process works on the run, here or on another machine. */
function isHeld(folder: string): boolean {
  const path = lockPath(folder)
  if (!lstatSync(path, { throwIfNoEntry: false })) return false
  const holder = parseHolder(readLock(path))
  return holder !== undefined && holderState(holder) !== 'ended'
}

/** A killed session has no end, and a stop rule may end a run before all of its trials. */
function ended(last: PastSession | undefined, hasAll: boolean): RunState['state'] {
  if (hasAll || last?.end?.reason === 'whole') return 'whole'
  switch (last?.end?.reason) {
    case 'limit':
      return 'stopped by a limit'
    case 'parked':
      return 'waiting for a person'
    case 'paused':
      return 'paused'
    default:
      return last?.end?.why === undefined ? 'interrupted' : 'stopped in vain'
  }
}

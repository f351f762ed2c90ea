import { readLedger, stepName } from '../../loop/journal/ledger-index.ts'
import { holderState, lockPath, parseHolder, readLock } from '../../loop/record/lock.ts'
import { counted } from '../../reports/words/numbers.ts'

/** Says how many paid calls of a run that is not running have no result; undefined if all have one. */
export function cutOffText(folder: string): string | undefined {
  if (isRunning(folder)) return undefined
  const calls = countCutOff(folder)
  if (calls === 0) return undefined
  return `${counted(calls, 'call')} ${calls === 1 ? 'was' : 'were'} cut off and ${calls === 1 ? 'has' : 'have'} no result; ${calls === 1 ? 'it' : 'they'} may have been paid`
}

/** A process of another machine may be at work, too. */
function isRunning(folder: string): boolean {
  const holder = parseHolder(readLock(lockPath(folder)))
  return holder !== undefined && holderState(holder) !== 'ended'
}

function countCutOff(folder: string): number {
  const open = new Map<string, number>()
  for (const line of readLedger(folder)) {
    const name = `${line.trial} ${stepName(line.key, line.attempt)}`
    if (line.kind === 'intent') open.set(name, (open.get(name) ?? 0) + 1)
    else if (line.kind === 'ask' && open.has(name)) open.set(name, (open.get(name) ?? 0) - 1)
  }
  return [...open.values()].reduce((sum, calls) => sum + Math.max(0, calls), 0)
}

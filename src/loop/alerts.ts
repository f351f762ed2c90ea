import type { Branch } from './branch.ts'
import type { TrialDoor } from './door.ts'
import { isUnlimited, newAlerts } from './limits.ts'
import { usedOf } from './refuse.ts'

/** Tells once when a trial has used 50, 80 and 95 percent of a limit of its own: an event of the trial, never an end. */
export function tellAlerts(door: TrialDoor, branch: Branch): void {
  const { limits } = door.trial.cell
  if (isUnlimited(limits)) return
  for (const alert of newAlerts(limits, usedOf(branch), door.alerted))
    door.run.event?.(door.trial.id, `${branch.path}!alert ${alert.limit} ${alert.percent}`, {
      type: 'alert',
      ...alert,
      simulated: door.simulated,
    })
}

/** No built-in method asks a hundredth of it in one trial. */
const asksPerSign = 10_000

/** A sign of life of a trial that may ask for ever: after 10,000 attempts, and whenever they have doubled. */
export function tellLong({ asked: { length }, run, trial: { id, cell, epoch } }: TrialDoor): void {
  if (length % asksPerSign !== 0) return
  const times = length / asksPerSign
  if ((times & (times - 1)) !== 0) return
  run.warn?.(
    `${cell.method.label} has made ${length} calls in trial ${id.slice(0, 12)} (${cell.task}, epoch ${epoch}) and goes on; --limit calls=N ends such a trial`,
  )
}

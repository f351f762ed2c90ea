import type { Branch } from './branch.ts'
import type { TrialDoor } from './door.ts'
import { isUnlimited, newAlerts } from './limits.ts'
import { usedOf } from './refuse.ts'

/** Tells once when a trial has used 50, 80 and 95 percent of a limit of its own: an event of the trial, never an end. */
export function tellAlerts(door: TrialDoor, branch: Branch): void {
  const { limits } = door.trial.cell
  if (isUnlimited(limits)) return
  door.alerted ??= new Set()
  for (const alert of newAlerts(limits, usedOf(branch), door.alerted))
    door.run.event?.(door.trial.id, `${branch.path}!alert ${alert.limit} ${alert.percent}`, {
      type: 'alert',
      ...alert,
      simulated: door.simulated,
    })
}

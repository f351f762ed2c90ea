import type { Limits } from '../schema/limits.ts'
import type { Branch } from './branch.ts'
import type { TrialDoor } from './door.ts'
import { usedOf } from './limits.ts'

const levels = [95, 80, 50] as const

/** Tells once when a trial has used 50, 80 and 95 percent of a limit of its own: an event of the trial, never an end. */
export function tellAlerts(door: TrialDoor, branch: Branch): void {
  const { limits } = door.trial.cell
  if (Object.keys(limits).length === 0) return
  const used = usedOf(branch)
  door.alerted ??= new Set()
  for (const [name, limit] of Object.entries(limits) as [keyof Limits, number][]) {
    const percent = levels.find((level) => used[name] >= (limit * level) / 100)
    if (percent === undefined || door.alerted.has(`${name} ${percent}`)) continue
    // Whoever jumps over a level need not hear of the lower ones.
    for (const level of levels) if (level <= percent) door.alerted.add(`${name} ${level}`)
    door.run.event?.(door.trial.id, `${branch.path}!alert ${name} ${percent}`, {
      type: 'alert',
      limit: name,
      percent,
      used: used[name],
      of: limit,
    })
  }
}

import { evidence, evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import type { Summary } from '../../analysis/summary.ts'
import { present } from './numbers.ts'

/** Returns what all numbers of a table are, to follow its title: ` (simulated, faults injected)`; empty for measured ones. */
export function marksOf({
  calibration = false,
  faults,
  ...kind
}: KindFacts & { calibration?: boolean; faults: string | null }): string {
  const { mark, name } = evidenceOf(kind)
  const marks = present([
    mark !== '' && name,
    calibration && 'calibration of the procedures',
    faults !== null && 'faults injected',
  ])
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

/** Returns `describe profile X, not the method` for numbers that do; empty for others. */
export const profileText = ({ simulated, profiles }: Pick<Summary, 'simulated' | 'profiles'>): string =>
  evidenceOf({ simulated }).ofProfile ? `describe ${profileName({ profiles })}, not the method` : ''

/** Returns `profile X`, or a text for simulated agents without a profile. */
function profileName({ profiles }: Pick<Summary, 'profiles'>): string {
  if (profiles.length === 0) return `${evidence.simulated.name} agents without a profile`
  return `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`
}

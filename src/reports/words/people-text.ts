import type { PeopleCounts } from '../../schema/ledger/record.ts'
import { counted } from './numbers.ts'

/** Says how people took part: `2 approvals, 1 text of guidance`. */
export function peopleText({ approvals, guidance, sets }: PeopleCounts): string {
  return [
    [approvals, counted(approvals, 'approval')],
    [guidance, counted(guidance, 'text of guidance', 'texts of guidance')],
    [sets, counted(sets, 'state that was set', 'states that were set')],
  ]
    .filter(([count]) => count !== 0)
    .map(([, text]) => text)
    .join(', ')
}

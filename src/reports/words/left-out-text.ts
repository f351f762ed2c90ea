import type { LeftOut } from '../../schema/ledger/record.ts'
import { counted } from './numbers.ts'

/** Returns `2 refused paths and 1 change of a file that may not change`. */
export function leftOutText({ refused, notCounted }: LeftOut): string {
  return [
    refused > 0 ? counted(refused, 'refused path') : '',
    notCounted > 0
      ? counted(notCounted, 'change of a file that may not change', 'changes of files that may not change')
      : '',
  ]
    .filter(Boolean)
    .join(' and ')
}

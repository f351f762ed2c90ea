import type { Refusal } from '../../../analysis/refusal.ts'
import type { Table } from '../../tables/table.ts'
import { refusalText, shortRefusals } from '../result-text.ts'

/** Cells that say why a number is not given, and that no reason of the analysis explains. */
const otherCells: readonly (readonly [cell: string, meaning: string])[] = [
  ['not placed', 'no task has both the success and the spending of the method'],
  ['no resamples', 'one task cannot be resampled'],
]

/** Returns a note for each short reason that stands in a cell of these tables: `"one epoch": …`. `known` reasons have a note already. */
export function cellNotes(tables: readonly Table[], known: readonly (Refusal | null)[]): string[] {
  const reasons = (Object.keys(shortRefusals) as Refusal[])
    // The cell of this one says all.
    .filter((refusal) => refusal !== 'no-success' && !known.includes(refusal))
    .map((refusal) => [shortRefusals[refusal], refusalText(refusal)] as const)
  const texts = new Set(tables.flatMap(cellTexts))
  const has = (short: string) =>
    [...texts].some((text) => text === short || text.endsWith(`(${short})`) || text.endsWith(`, ${short}`))
  return [...reasons, ...otherCells]
    .filter(([short]) => has(short))
    .map(([short, meaning]) => `"${short}": ${meaning}.`)
}

function cellTexts({ columns, rows }: Table): string[] {
  const shown = columns.filter(({ audience, group }) => audience !== 'data' && group !== 'label')
  return rows.flatMap((row) => shown.map(({ key }) => row[key]?.text ?? ''))
}

import { evidence } from '../../analysis/evidence.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { counted, formatShare, present } from './numbers.ts'
import { recordedTexts } from './recorded-text.ts'

/** Things of one kind that are named one by one. */
const mostNamed = 3

/** Returns what a run says of the origin of its numbers, if they did not come from calls of its own: of recorded replies, or of an import. */
export const originTexts = ({ recorded, imported }: Pick<RunManifest, 'recorded' | 'imported'>): string[] => [
  ...recordedTexts(recorded),
  ...importedTexts(imported),
]

/**
 * Returns what is known of an import, in sentences: `Imported from swe-bench: 2 files. Verdicts, tokens, costs and times are those of the files.`, what
 * was left out, and each total that the files state and that differs from what was counted.
 */
function importedTexts(imported: RunManifest['imported']): string[] {
  if (!imported) return []
  const { format, versions, files, copies, leftOut, differing, rows, priced } = imported
  const version = versions.length > 0 ? ` ${versions.join(' and ')}` : ''
  const states = rows.flatMap(({ row, notGraded, error, notRun }) => {
    const parts = present([
      notGraded > 0 && `${notGraded} not graded`,
      error > 0 && `${error} in error`,
      notRun > 0 && `${notRun} not run`,
    ])
    return parts.length > 0 ? [`${row} ${parts.join(', ')}`] : []
  })
  return present([
    `${evidence.imported.title} from ${format}${version}: ${counted(files.length, 'file')}. Verdicts, tokens and times are those of the files; ${priced ? 'costs that they do not state are computed from their tokens by list prices' : 'so are costs'}.`,
    states.length > 0 && `Without a verdict: ${states.join('; ')}.`,
    copies > 0 && `${counted(copies, 'trial')} found twice, counted once.`,
    leftOut.count > 0 &&
      `Left out: ${leftOut.count} (${leftOut.items
        .slice(0, mostNamed)
        .map(({ where, what }) => `${where}: ${what}`)
        .join('; ')}${leftOut.count > mostNamed ? '; …' : ''}).`,
    ...differing.slice(0, mostNamed).map(differingText),
    differing.length > mostNamed &&
      `${differing.length - mostNamed} further totals differ: run.json has them.`,
  ])
}

function differingText({
  where,
  row,
  what,
  stated,
  counted: own,
}: NonNullable<RunManifest['imported']>['differing'][number]): string {
  const text = (value: number) => (what === 'success rate' ? `${formatShare(value)}%` : String(value))
  return `${where} states ${what} ${text(stated)}${row === '' ? '' : ` of ${row}`}; counted: ${text(own)}.`
}

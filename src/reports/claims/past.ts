import type { EarlierRow } from '../../analysis/summary.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { counted, present } from '../words/numbers.ts'
import { shareText } from './rows.ts'

/** More rows than these are not named one by one. */
const mostNamed = 3

/** Says how the rows of a run stand to earlier runs: `sequential 71% [60, 80] in 3 earlier runs; 13% below their mean cost [5, 20]`; empty without any. */
export function pastText(rows: readonly EarlierRow[]): string {
  const texts = rows
    .slice(0, mostNamed)
    .map(({ method, set, runs, success, saved, isChanged }) =>
      present([
        `${rowName(method, set)} ${shareText(success)} in ${counted(runs, 'earlier run')}${isChanged ? ', changed since' : ''}`,
        savedText(saved),
      ]).join('; '),
    )
  const more = rows.length - texts.length
  if (texts.length === 0) return ''
  return `${texts.join('. ')}${more > 0 ? `. ${counted(more, 'more row')}: bench history runs` : ''}.`
}

function savedText({ saved, lower, upper }: EarlierRow['saved']): string {
  if (saved === null) return ''
  if (Math.abs(saved) < 0.05) return 'at their mean cost'
  const isLess = saved > 0
  const size = Math.abs(saved) < 0.5 ? 'less than 1' : Math.abs(saved).toFixed(0)
  const text = `${size}% ${isLess ? 'below' : 'above'} their mean cost`
  if (lower === null || upper === null) return text
  // Rounded outward; the sign is that of the word before.
  const [low, high] = isLess ? [lower, upper] : [-upper, -lower]
  return `${text} [${Math.floor(low)}, ${Math.ceil(high)}]`
}

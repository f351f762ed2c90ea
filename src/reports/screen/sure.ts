import type { Comparison } from '../../analysis/compare/comparison.ts'
import { marginText } from '../comparison/pair-columns.ts'
import { refusalText } from '../comparison/result-text.ts'
import type { Report } from '../report.ts'
import { counted } from '../words/numbers.ts'

/** Says how sure the answer is: what is tested, how large a difference this run finds, and what would help. */
export function sureText({ summary, comparison }: Report, compared: Comparison | null): string {
  const tasks = counted(summary.tasks.length, 'task')
  if (compared === null || comparison === null)
    return summary.tasks.length < 2
      ? `not sure: ${tasks} ${summary.tasks.length === 1 ? 'says' : 'say'} nothing about other tasks.`
      : `nothing is compared; the limits are over ${tasks}.`
  const { silence, stop, pairs } = compared
  if (silence === 'simulated') return 'not tested: a test would test the profile, not the methods.'
  if (stop) return stopText(stop, pairs.length, tasks)
  if (silence === 'looked') return `not tested: ${refusalText(silence)}${looksText(comparison.facts.looks)}.`
  if (silence !== null) return `not tested: ${refusalText(silence)}.`
  return testedText(compared, tasks)
}

const looksText = (looks: readonly number[]) =>
  looks.length === 0 ? '' : ` (${looks.length === 1 ? 'a look' : 'looks'} at ${looks.join(', ')} records)`

function stopText(
  { settledAt, looks }: NonNullable<Comparison['stop']>,
  pairs: number,
  tasks: string,
): string {
  const adjusted = `p holds at every look of the stop rule${pairs > 1 ? `, for ${pairs} pairs together` : ''}`
  return settledAt === null
    ? `${adjusted}; not settled after ${counted(looks, 'task')}.`
    : `${adjusted}; settled after task ${settledAt} of ${tasks}. An early stop overstates differences.`
}

function testedText({ family, pairs, margin, confidence }: Comparison, tasks: string): string {
  const refused = pairs.flatMap(({ outcome, adjustedP }) =>
    adjustedP === null && outcome.refusal !== null ? [outcome.refusal] : [],
  )
  if (family.size === 0 && refused.includes('too-few-tasks'))
    return `not tested: ${tasks} are too few for a test; it takes at least 6, and more to find a small difference.`
  if (family.size === 0) return `not tested: ${refused[0] ? refusalText(refused[0]) : 'no pair has a test'}.`
  const parts = [
    family.size > 1 ? `p is adjusted over ${family.size} pairs` : 'one pair is tested',
    ...findText(pairs),
    ...marginTexts(pairs, margin),
    ...helpText(pairs),
    `if nothing differs, at most ${Number((100 * (1 - confidence)).toFixed(2))}% of such runs claim a difference`,
  ]
  return `${parts.join('; ')}.`
}

/** Says which true differences a test in this family finds with 80% power. */
function findText(pairs: Comparison['pairs']): string[] {
  const tested = pairs.filter(({ adjustedP }) => adjustedP !== null)
  const numbers = tested.map(({ outcome }) => outcome.nTasks)
  const [fewest, all] = [Math.min(...numbers), Math.max(...numbers)]
  const tasks = fewest === all ? counted(all, 'task') : `${fewest} to ${counted(all, 'task')}`
  const found = pairs.flatMap(({ adjustedP, planning: { mdeInFamily } }) =>
    adjustedP === null || mdeInFamily === null ? [] : [Math.ceil(100 * mdeInFamily - 1e-9)],
  )
  const [least, most] = [Math.min(...found), Math.max(...found)]
  if (found.length === 0) return []
  if (least > 100) return [`${tasks} are too few to find even the largest difference in 4 of 5 runs`]
  const size = least === most ? String(least) : `${least} to ${most > 100 ? 'over 100' : most}`
  return [`${tasks} find ${size} points in 4 of 5 runs`]
}

/** Says where a margin was asked for and is not shown. */
function marginTexts(pairs: Comparison['pairs'], margin: number | null): string[] {
  const open = pairs.filter(({ verdict }) => verdict?.word === 'not-established').length
  if (margin === null || open === 0) return []
  const within = `shown to be within the margin of ${marginText(margin)}`
  if (open === pairs.length) return [open === 1 ? `the pair is not ${within}` : `no pair is ${within}`]
  return [`${counted(open, 'pair')} ${open === 1 ? 'is' : 'are'} not ${within}`]
}

function helpText(pairs: Comparison['pairs']): string[] {
  const open = pairs.filter(({ verdict }) => verdict?.word === 'not-established')
  const advice = open.flatMap(({ planning }) => planning.advice ?? [])
  if (advice.length === 0) return []
  return advice.includes('epochs')
    ? ['more tasks would help, and more epochs, too']
    : ['more tasks would help, more epochs hardly']
}

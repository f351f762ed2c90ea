import { halvings } from '../../analysis/compare/choice.ts'
import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { GroupChoice } from '../../analysis/compare/property-results.ts'
import { paperEstimate, paperNumber, paperWords } from '../tables/paper-columns.ts'
import { type ColumnOf, dataColumn, labelColumn, textColumn } from '../tables/table.ts'
import { nothing, present } from '../words/numbers.ts'
import {
  confidenceName,
  decimalsFor,
  formatDifference,
  formatRefusal,
  levelOf,
} from '../words/result-text.ts'
import { pText } from './pair-columns.ts'

/** The title of the table of choices. */
export const choiceTitle = (outcome: Comparison['outcome']): string =>
  `What choosing the method by the task gains in ${outcome} over the best single method (exploratory)`

/** Returns the columns of the table of choices: what is chosen for each group of tasks, and what that gains. */
export function choiceColumns(comparison: Comparison): ColumnOf<GroupChoice>[] {
  const { choices = [] } = comparison
  const level = confidenceName(comparison)
  const tests = choices.filter(({ p }) => p !== null).length
  const says = (row: GroupChoice) => verdictOf(row, levelOf(comparison))
  return present([
    labelColumn('by', 'chosen by', ({ by }) => by, [paperWords('by', 'Chosen by', ({ by }) => by, 'name')]),
    textColumn('choice_text', ['best method', 'of each group'], 'choice', groupsText, [
      paperWords('choice', 'Best of each group', groupsText),
    ]),
    textColumn('single_text', ['best single', 'method'], 'choice', ({ single }) => single, [
      paperWords('single', 'Best single', ({ single }) => single, 'name'),
    ]),
    textColumn('gain_text', ['gain', `points [${level}]`], 'gain', gainText, [
      ...paperEstimate<GroupChoice>('gain', ['Gain', 'points', `${level} limits`], (row) => row, {
        refusal: ({ refusal, lower }) => (lower === null ? refusal : null),
      }),
    ]),
    tests > 0 &&
      textColumn<GroupChoice>(
        'p_text',
        ['p', `Holm, m=${tests}`],
        'gain',
        (row) => pText(row, levelOf(comparison)),
        [paperNumber('p', ['p', ''], (row) => pText(row))],
      ),
    textColumn('says_text', ['says', ''], 'gain', says, [paperWords('says', 'Says', says)]),
    dataColumn('tasks', '', ({ nTasks }) => nTasks),
    dataColumn('gain', 'share', ({ estimate }) => estimate),
    dataColumn('gain_lower', 'share', ({ lower }) => lower),
    dataColumn('gain_upper', 'share', ({ upper }) => upper),
    dataColumn('p', '', ({ p }) => p),
    dataColumn('p_adjusted', '', ({ adjustedP }) => adjustedP),
    dataColumn('no_p', '', ({ refusal }) => refusal),
  ])
}

const groupsText = ({ groups }: GroupChoice): string =>
  groups.map(({ name, method }) => `${name}: ${method}`).join('; ')

const gainText = (row: GroupChoice): string =>
  row.lower === null && row.refusal !== null
    ? formatRefusal(row.refusal)
    : formatDifference(row, { scale: 100, decimals: decimalsFor(null) })

function verdictOf({ adjustedP, estimate, refusal }: GroupChoice, level: number): string {
  if (adjustedP === null) return refusal === 'one-method-leads' ? 'no difference seen' : nothing
  if (adjustedP >= level) return 'no difference seen'
  return (estimate ?? 0) > 0 ? 'gains' : 'no gain'
}

/** Says how the table of choices is computed; empty without it. */
export const choiceTexts = ({ choices = [] }: Comparison): string[] =>
  choices.length === 0
    ? []
    : [
        `Gain of a choice: the tasks that all methods have are parted into two halves at random, ${halvings} times. Each half chooses the best method of each group and the best single method, and the other half shows the difference of the two. The gain is the mean over all halves: what a choice that was learned from half of the tasks gains on others. Limits and p: t with the standard error of a single parting, so they are rather wide; p is adjusted over the table (Holm).`,
      ]

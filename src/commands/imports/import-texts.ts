import type { Collected } from '../../imports/collect-trials.ts'
import type { Importer } from '../../imports/foreign-trial.ts'
import { type Format, formats } from '../../imports/registry.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'

/** Returns what was imported and what was not, a line each. */
export function importTexts({ trials, tasks, rows }: Collected, facts: ImportedFacts): string[] {
  const { leftOut, copies, differing, asFailed = 0, untested = [], stories, priced } = facts
  return [
    `${counted(trials.length, 'trial')} of ${counted(rows.length, 'row')} on ${counted(tasks.length, 'task')} from ${counted(facts.files.length, 'file')} of ${formats[facts.format as Format].title}`,
    ...facts.rows.flatMap(({ row, notGraded, error, notRun }) => {
      const parts = [
        notGraded > 0 && `${notGraded} not graded`,
        error > 0 && `${error} in error`,
        notRun > 0 && `${notRun} not run`,
      ].filter((part) => part !== false)
      return parts.length > 0 ? [`${row}: ${parts.join(', ')}`] : []
    }),
    ...ungradedReasons(trials),
    ...strangeTasks(trials),
    ...(asFailed > 0 ? [`${counted(asFailed, 'trial')} without a verdict counted as failed`] : []),
    ...(untested.length > 0 ? [untestedText(facts.format as Format, untested)] : []),
    ...(priced ? pricedTexts(priced) : []),
    ...(copies > 0 ? [`${counted(copies, 'trial')} found twice, counted once`] : []),
    ...(leftOut.count > 0
      ? [
          `${leftOut.count} left out: ${leftOut.items
            .slice(0, 3)
            .map(({ where, what }) => `${where}: ${what}`)
            .join('; ')}${leftOut.count > 3 ? '; …' : ''}`,
        ]
      : []),
    ...(stories && stories.leftOut > 0
      ? [
          `${counted(stories.leftOut, 'transcript')} left out, while the trial itself counts: ${stories.items
            .slice(0, 3)
            .map(({ where, what }) => `${where}: ${what}`)
            .join('; ')}${stories.leftOut > 3 ? '; …' : ''}`,
        ]
      : []),
    ...differing.map(
      ({ row, what, stated, counted: own }) =>
        `${row === '' ? 'all rows' : row}: the source states ${what} ${shown(stated)}, counted: ${shown(own)}`,
    ),
  ]
}

const shown = (value: number) => String(Math.round(value * 10_000) / 10_000)

/** Says why trials have no verdict, with the commonest reasons. */
function ungradedReasons(trials: Collected['trials']): string[] {
  const reasons = new Map<string, number>()
  for (const { trial } of trials)
    if (trial.state === 'not graded' && trial.reason !== '')
      reasons.set(trial.reason, (reasons.get(trial.reason) ?? 0) + 1)
  const common = [...reasons].toSorted(([, a], [, b]) => b - a).slice(0, 3)
  return common.map(([reason, count]) => `not graded, since ${reason}: ${counted(count, 'trial')}`)
}

/** Says that no two rows can be compared, though the names of their tasks are the same. */
function strangeTasks(trials: Collected['trials']): string[] {
  const rowsOf = (nameOf: (trial: Collected['trials'][number]) => string) => {
    const rows = new Map<string, Set<string>>()
    for (const one of trials) rows.set(nameOf(one), (rows.get(nameOf(one)) ?? new Set()).add(one.row))
    return [...rows.values()]
  }
  const isShared = (rows: ReadonlySet<string>) => rows.size > 1
  if (rowsOf(({ ref }) => ref).some(isShared)) return []
  const named = rowsOf(({ trial }) => JSON.stringify([trial.suite, trial.task])).filter(isShared)
  return named.length === 0
    ? []
    : [
        `no task is common to two rows, though ${counted(named.length, 'name')} of tasks ${named.length === 1 ? 'is' : 'are'}: what the sources state of their content or version differs`,
      ]
}

function untestedText(format: Format, untested: readonly string[]): string {
  const { title, tested = [] }: Importer = formats[format]
  return `bench was not tried with version ${untested.join(' and ')} of ${title}, only with ${tested.join(', ')}: compare the numbers with those of ${title}`
}

function pricedTexts({ rows, unpriced }: NonNullable<ImportedFacts['priced']>): string[] {
  const count = rows.reduce((sum, { trials }) => sum + trials, 0)
  return [
    `${count === 0 ? 'no trial' : counted(count, 'trial')} priced by bench, from tokens`,
    ...unpriced
      .slice(0, 3)
      .map(({ why, trials }) => `${counted(trials, 'trial')} without a cost, since ${why}`),
  ]
}

import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { counted } from '../words/numbers.ts'
import { groupByText } from './group-by-text.ts'

/** Says how the success of methods and its interval are computed. */
export function successTexts(summary: Summary): string[] {
  const level = confidenceName(summary)
  const intervals = {
    wilson: (tasks: number) =>
      `in brackets the ${level} Wilson score interval over ${counted(tasks, 'task')}`,
    'korn-graubard': (tasks: number) =>
      `in brackets the ${level} Korn-Graubard interval, clustered by ${counted(tasks, 'task')}`,
  }
  return groupByText(summary, summary.methods, ({ success }) =>
    success.interval
      ? `success is the mean over tasks of the share passed, ${intervals[success.interval](success.tasks)}`
      : '',
  )
}

/** Returns why the success of a method has no interval. */
export function noIntervalNotes(summary: Summary): string[] {
  return groupByText(summary, summary.methods, ({ success }: MethodSummary) => {
    if (success.interval) return ''
    if (success.tasks > 1) return 'no interval, because the results were looked at before the end of the run'
    return success.tasks === 0
      ? 'nothing was graded'
      : 'one task has no interval: it says nothing about other tasks'
  })
}

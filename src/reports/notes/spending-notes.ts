import type { Amount, MethodSummary, Saving, Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { paidTwiceTexts, roughIntervalText, uncountedCostText } from '../words/bill-text.ts'
import { counted, formatSigned, formatUsd, present, ratioText, unknown } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { groupByText } from './trial-notes.ts'

/** Says how the success of methods and its interval are computed. */
export function successTexts(summary: Summary): string[] {
  const level = confidenceName(summary)
  const intervals = {
    wilson: (tasks: number) =>
      `in brackets the ${level} Wilson score interval over ${counted(tasks, 'task')}`,
    'korn-graubard': (tasks: number) =>
      `in brackets the ${level} Korn-Graubard interval, clustered by ${counted(tasks, 'task')}`,
  }
  return groupByText(summary, ({ success }) =>
    success.interval
      ? `success is the mean over tasks of the share passed, ${intervals[success.interval](success.tasks)}`
      : '',
  )
}

/** Returns why the success of a method has no interval. */
export function noIntervalNotes(summary: Summary): string[] {
  return groupByText(summary, ({ success }: MethodSummary) => {
    if (success.interval) return ''
    if (success.tasks > 1) return 'no interval, because the results were looked at before the end of the run'
    return success.tasks === 0
      ? 'nothing was graded'
      : 'one task has no interval: it says nothing about other tasks'
  })
}

/** Methods up to which each is set against each other one in a note. */
const mostPaired = 4

/** Says what the columns against the baseline mean. */
export function baselineTexts(summary: Summary): string[] {
  if (!isCompared(summary)) return []
  return [
    `Baseline: ${summary.baseline}. Difference: success minus the baseline's, in percentage points. A ratio is the mean tokens or cost of the method to those of the baseline: 2.2x is 2.2 times as much. All are over the tasks that both have, with failed trials; they are estimates, and the comparison has their intervals.`,
  ]
}

/** Returns notes on what is not compared with the baseline. `elsewhere`: a comparison has the intervals and verdicts. */
export function baselineNotes(summary: Summary, elsewhere: boolean): string[] {
  const bases = summary.methods.filter((row) => row.isBaseline)
  if (summary.baseline !== null && bases.length === 0)
    return [`The baseline ${summary.baseline} has no trial here, so nothing is compared.`]
  if (!isCompared(summary)) return []
  return [
    ...(elsewhere
      ? []
      : [
          'Differences and ratios are estimates without intervals or tests: they establish nothing.',
          ...otherPairNotes(summary),
        ]),
    ...groupByText(summary, droppedText),
    ...groupByText(summary, zeroBaselineText),
  ]
}

const isCompared = ({ methods }: Summary) =>
  methods.some((row) => row.isBaseline) && methods.some((row) => row.againstBaseline !== null)

function otherPairNotes(summary: Summary): string[] {
  if (summary.methods.length > mostPaired) return []
  const ratio = ({ percent }: Saving) => (percent === null ? unknown : ratioText(1 - percent / 100))
  return summary.methods.flatMap((row) => {
    if (row.isBaseline) return []
    const pairs = row.againstOthers
      .filter(({ method }) => method !== summary.baseline)
      .map(({ method, tokens, cost, success }) => {
        const points = success.points === null ? 'unknown' : `${formatSigned(success.points)} points`
        return `than ${method} tokens ${ratio(tokens)}, cost ${ratio(cost)}, success ${points}`
      })
    return pairs.length > 0 ? [`${methodName(row, summary)} ${pairs.join('; ')}.`] : []
  })
}

function droppedText({ againstBaseline: pair }: MethodSummary): string {
  if (!pair) return ''
  const { tokens, cost, success } = pair
  if (tokens.dropped === 0 && cost.dropped === 0 && success.dropped === 0) return ''
  return `tasks left out of the pairs: ${success.dropped} for success, ${tokens.dropped} for tokens, ${cost.dropped} for cost`
}

function zeroBaselineText({ againstBaseline: pair }: MethodSummary): string {
  const what = [pair?.tokens.zeroBaseline ? 'tokens' : '', pair?.cost.zeroBaseline ? 'money' : ''].filter(
    Boolean,
  )
  return what.length > 0 ? `the baseline spent no ${what.join(' and no ')}, so there is no ratio` : ''
}

/** Says how spending is averaged, and how the cost per success is computed. */
export function spendingTexts(summary: Summary): string[] {
  const hasLimits = summary.methods.some(
    ({ costPerSuccess: { lower, upper } }) => lower !== null && upper !== null,
  )
  const limits = hasLimits
    ? `, with a ${confidenceName(summary)} delta-method interval over tasks, wider above where costs are skewed`
    : ''
  return [
    `Tokens (input and output), cost, calls and checks are means per trial with equal weight for each task; iterations ${summary.recorded ? 'are' : 'and time are'} medians over tasks. Cost per success: cost of all graded trials over their successes${limits}.`,
  ]
}

/** Returns notes on spending that is unknown, rough, or in no row. */
export function spendingNotes(summary: Summary): string[] {
  const level = confidenceName(summary)
  return [
    ...paidTwiceTexts(summary),
    ...groupByText(summary, ({ costPerSuccess: price }) =>
      price.kind === 'zero-successes' && price.lower !== null && price.lower > 0
        ? `no success; one costs at least ${formatUsd(price.lower)} (${level})`
        : '',
    ),
    ...groupByText(summary, ({ costPerSuccess }) => roughIntervalText(costPerSuccess)),
    ...groupByText(summary, (row) => unreportedText(row, summary.imported === true)),
    ...groupByText(summary, ({ gradingCostUsd }) =>
      gradingCostUsd ? `grading cost ${formatUsd(gradingCostUsd)}, which is in no row` : '',
    ),
  ]
}

/** Another harness may not tell its calls: then trials are counted. */
function unreportedText(
  { unreported, trials, costPerSuccess, tokens, cost }: MethodSummary,
  isImported: boolean,
): string {
  const named = (calls: number, inTrials: number) =>
    isImported ? counted(inTrials, 'trial') : counted(calls, 'call')
  const calls = [
    unreported.tokenCalls > 0 ? `tokens of ${named(unreported.tokenCalls, unreported.tokenTrials)}` : '',
    unreported.costCalls > 0 ? `costs of ${named(unreported.costCalls, unreported.costTrials)}` : '',
  ].filter(Boolean)
  if (calls.length === 0) return ''
  const sums: Amount[] = present([
    unreported.tokenCalls > 0 && tokens.total,
    unreported.costCalls > 0 && cost.perTrial,
  ])
  const consequences = present([
    sums.some(({ value }) => value !== null) && '>= marks a lower bound',
    sums.some(({ value }) => value === null) && 'nothing is known of a sum',
  ])
  return `${calls.join(' and ')} were not reported, so ${consequences.join(', or ')}; ratios to other methods leave those trials out${uncountedCostText(costPerSuccess, trials.graded)}`
}

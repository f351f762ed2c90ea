import type { MethodSummary, Saving, Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { formatSigned, unknown } from '../words/numbers.ts'
import { ratioText } from '../words/ratio-text.ts'
import { groupByText } from './group-by-text.ts'

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
  const compared = summary.methods.filter((row) => row.againstBaseline !== null)
  return [
    ...(elsewhere
      ? []
      : [
          'Differences and ratios are estimates without intervals or tests: they do not show that one method is better.',
          ...otherPairNotes(summary),
        ]),
    ...groupByText(summary, compared, droppedText),
    ...groupByText(summary, compared, zeroBaselineText),
  ]
}

const isCompared = ({ methods }: Summary) =>
  methods.some((row) => row.isBaseline) && methods.some((row) => row.againstBaseline !== null)

/** Returns notes on spending relative to methods other than the baseline, if the methods are few. */
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

import { boundName } from '../../analysis/row.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { shellWord } from '../../text/shell-word.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { Note } from '../tables/table.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted, formatUsd } from '../words/numbers.ts'
import { oneProcessNotes } from '../words/one-process-text.ts'
import { roughIntervalText, uncountedCostText } from '../words/success-price.ts'
import { errorNotes } from './error-notes.ts'
import { groupByText } from './group-by-text.ts'
import { machineNotes } from './machine-notes.ts'
import { claimNotes, fidelityNotes, leftOutNotes, peopleNotes } from './method-conduct-notes.ts'
import { missingNotes } from './missing-notes.ts'
import { priceNotes } from './price-notes.ts'
import { finishNotes, otherModelNotes } from './reply-notes.ts'
import { toolNotes } from './tool-notes.ts'
import { workflowNotes } from './workflow-notes.ts'

/** Returns the notes of the table of methods; the last one has the commands that lead to the records. */
export function methodNotes(
  summary: Summary,
  {
    run,
    prices,
    limits,
    amended,
    compared,
  }: {
    run: string
    prices: RunPrices | null
    limits: string
    /** How the plan was changed during the run; null if it was not. */
    amended: string | null
    compared: boolean
  },
): Note[] {
  const path = shellWord(run)
  return [
    ...toNotes(amended === null ? [] : [amended]),
    ...toNotes(legendNotes(summary)),
    ...toNotes(trialNotes(summary)),
    ...toNotes(errorNotes(summary)),
    ...toNotes(missingNotes(summary)),
    ...toNotes(finishNotes(summary)),
    ...toNotes(otherModelNotes(summary)),
    ...toNotes(fidelityNotes(summary)),
    ...toNotes(claimNotes(summary)),
    ...toNotes(leftOutNotes(summary)),
    ...toNotes(peopleNotes(summary)),
    ...toNotes(workflowNotes(summary)),
    ...toNotes(machineNotes(summary)),
    ...toNotes(toolNotes(summary)),
    ...toNotes(matchNotes(summary)),
    ...toNotes(boundNotes(summary)),
    ...toNotes(successNotes(summary)),
    ...toNotes(comparisonNotes(summary, compared)),
    ...toNotes(spendingNotes(summary)),
    ...toNotes(priceNotes(summary, prices)),
    ...toNotes(limits === '' ? [] : [`Limits of the run: ${limits}.`]),
    ...toNotes(
      summary.faults === null
        ? []
        : [
            `Faults were injected on purpose (${summary.faults}): these numbers describe the faults and the methods.`,
          ],
    ),
    ...toNotes(
      summary.unsandboxed === undefined
        ? []
        : [
            `In ${counted(summary.unsandboxed, 'trial')} code or an agent ran without a sandbox, with the rights of the user who started bench.`,
          ],
    ),
    ...toNotes(oneProcessNotes(summary.oneProcess)),
    ...toNotes(summary.simulated ? [`These numbers describe ${profileName(summary)}, not the methods.`] : []),
    {
      text: 'Every number comes from these records:',
      commands: [`bench show ${path}`, `jq . ${shellWord(`${run.replace(/\/+$/, '')}/records.jsonl`)}`],
    },
  ]
}

/** Returns one note on the agents that have a label or settings. */
function legendNotes({ methods }: Summary): string[] {
  const agents = [...new Set(methods.flatMap(({ agentLegend = [] }) => agentLegend))]
  return agents.length === 0 ? [] : [`Agents: ${agents.join('; ')}.`]
}

/** Returns `profile X`, or a text for simulated agents without a profile. */
export function profileName({ profiles }: Pick<Summary, 'profiles'>): string {
  if (profiles.length === 0) return 'simulated agents without a profile'
  return `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`
}

function boundNotes({ methods }: Summary): string[] {
  const bounds = methods.filter(({ agents }) => boundName(agents) !== undefined)
  return bounds.length === 0 || bounds.length === methods.length
    ? []
    : ['Bounds (oracle, no-op) show the ends of the scale; they are in no comparison, frontier or rank.']
}

function trialNotes(summary: Summary): string[] {
  const notes = groupByText(summary, summary.methods, describeTrials)
  if (summary.absent.length > 0) notes.push(`No trial yet: ${summary.absent.join(', ')}.`)
  return notes
}

/** Returns notes on the spend of controls relative to the methods that they match. */
function matchNotes({ methods }: Summary): string[] {
  return methods.flatMap(({ method, match }) => {
    if (!match) return []
    const { ratio, isMatched, nTasks, unit, method: other } = match
    if (ratio === null)
      return [`${method}: its spend relative to ${other} is unknown, so it counts as not matched.`]
    const word = isMatched ? 'matched, within 10%' : 'not matched: more than 10% off'
    return [
      `${method}: ${ratio.toFixed(2)} times the ${unit} of ${other} over ${counted(nTasks, 'task')}; ${word}. By task: bench report --tasks.`,
    ]
  })
}

function describeTrials({ tasks, epochs, trials, outcomes }: MethodSummary): string {
  const epochsText =
    epochs.min === epochs.max ? counted(epochs.min, 'epoch') : `${epochs.min} to ${epochs.max} epochs`
  const planned = trials.planned === null ? '' : ` of ${trials.planned} planned`
  const missing = [
    [trials.notRun ?? 0, 'not run'],
    [trials.error, 'ended in error'],
    [trials.cancelled, 'cancelled'],
  ] as const
  const others = [
    [trials.ungraded, 'ungraded'],
    [outcomes.limited, 'cut off by a limit of the trial, with its iterations and time'],
    [outcomes.failed, 'failed: the method broke, or did not handle an unusable reply'],
  ] as const
  const list = (parts: readonly (readonly [number, string])[]) =>
    parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)
  return [
    `${counted(tasks, 'task')}, ${epochsText}; ${trials.run}${planned} trials run`,
    `missing: ${list(missing).join(', ') || 'none'}`,
    ...list(others),
  ].join('; ')
}

function successNotes(summary: Summary): string[] {
  const level = confidenceName(summary)
  const intervals = {
    wilson: (tasks: number) =>
      `in brackets the ${level} Wilson score interval over ${counted(tasks, 'task')}`,
    'korn-graubard': (tasks: number) =>
      `in brackets the ${level} Korn-Graubard interval, clustered by ${counted(tasks, 'task')}`,
  }
  return groupByText(summary, summary.methods, ({ success }) => {
    if (success.interval)
      return `success is the mean over tasks of the share passed, ${intervals[success.interval](success.tasks)}`
    if (success.tasks > 1)
      return 'success is the mean over tasks of the share passed, without an interval, because the results were looked at before the end of the run'
    return success.tasks === 0
      ? 'nothing was graded'
      : 'one task has no interval: it says nothing about other tasks'
  })
}

function comparisonNotes(summary: Summary, elsewhere: boolean): string[] {
  const bases = summary.methods.filter((row) => row.isBaseline)
  if (summary.baseline !== null && bases.length === 0) {
    return [`The baseline ${summary.baseline} has no trial here, so nothing is compared.`]
  }
  const compared = summary.methods.filter((row) => row.againstBaseline !== null)
  if (compared.length === 0) return []
  return [
    `Baseline: ${summary.baseline}. Difference: success minus the baseline's, in percentage points. Saved: 100 (1-m/b) percent, where m and b are the means of tokens or cost of the method and the baseline. All are over the tasks that both have, with failed trials.`,
    elsewhere
      ? 'Differences and savings are estimates; their intervals and verdicts are in the comparison.'
      : 'Differences and savings are estimates without intervals or tests: they do not show that one method is better.',
    ...otherPairNotes(summary),
    ...groupByText(summary, compared, droppedText),
    ...groupByText(summary, compared, zeroBaselineText),
  ]
}

/** Returns notes on savings against methods other than the baseline, if the methods are few. */
function otherPairNotes(summary: Summary): string[] {
  if (summary.methods.length > mostPaired) return []
  const percent = (value: number | null) => (value === null ? 'unknown' : `${value.toFixed(1)}%`)
  return summary.methods.flatMap((row) => {
    if (row.isBaseline) return []
    const pairs = row.againstOthers
      .filter(({ method }) => method !== summary.baseline)
      .map(({ method, tokens, cost, success }) => {
        const points =
          success.points === null
            ? 'unknown'
            : `${success.points >= 0 ? '+' : ''}${success.points.toFixed(1)} points`
        return `against ${method} ${percent(tokens.percent)} of the tokens and ${percent(cost.percent)} of the cost (success ${points})`
      })
    return pairs.length > 0 ? [`${methodName(row, summary)} saves ${pairs.join('; ')}.`] : []
  })
}

const mostPaired = 4

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

function spendingNotes(summary: Summary): string[] {
  const level = confidenceName(summary)
  return [
    `Tokens (input and output), cost, calls and checks are means per trial with equal weight for each task; iterations and time are medians over tasks. Cost per success: cost of all graded trials over their successes, with a ${level} delta-method interval over tasks, widened for skewness.`,
    ...groupByText(summary, summary.methods, ({ costPerSuccess: price }) =>
      price.kind === 'zero-successes' && price.lower !== null && price.lower > 0
        ? `no success; one costs at least ${formatUsd(price.lower)} (${level})`
        : '',
    ),
    ...groupByText(summary, summary.methods, ({ costPerSuccess }) => roughIntervalText(costPerSuccess)),
    ...groupByText(summary, summary.methods, ({ unreported, trials, costPerSuccess }) => {
      const calls = [
        unreported.tokenCalls > 0 ? `tokens of ${counted(unreported.tokenCalls, 'call')}` : '',
        unreported.costCalls > 0 ? `costs of ${counted(unreported.costCalls, 'call')}` : '',
      ].filter(Boolean)
      if (calls.length === 0) return ''
      const without = uncountedCostText(costPerSuccess, trials.graded)
      return `${calls.join(' and ')} were not reported, so >= marks a lower bound; savings leave those trials out${without}`
    }),
    ...groupByText(summary, summary.methods, ({ gradingCostUsd }) =>
      gradingCostUsd ? `grading cost ${formatUsd(gradingCostUsd)}, which is in no row` : '',
    ),
  ]
}

function toNotes(notes: readonly string[]): Note[] {
  return notes.map((text) => ({ text }))
}

import type { MethodSummary, Summary, ToolUse } from '../../analysis/summary.ts'
import type { MachineSums, WorkflowSums } from '../../analysis/workflow/sums.ts'
import { groupBy } from '../../base/grouping.ts'
import { modelOfAgent } from '../../schema/agent/other-model.ts'
import { methodName } from '../tables/task-columns.ts'
import {
  counted,
  formatAmount,
  formatCount,
  formatMs,
  formatPercent,
  formatUsd,
  listed,
  present,
} from '../words/numbers.ts'
import { finishesText, gatewayTexts, leftOutText, peopleText } from '../words/trial-text.ts'
import { groupByText, noteEach } from './trial-notes.ts'

/** Returns what methods did beside their results: how replies ended, whether they did as declared, who took part. */
export function conductNotes(summary: Summary): string[] {
  const { methods } = summary
  const undeclared = methods.filter(({ fidelity }) => fidelity.undeclared > 0).map(({ method }) => method)
  const of = (count: number, { trials }: MethodSummary) => `${count} of ${counted(trials.run, 'trial')}`
  return present([
    ...noteEach(summary, ({ replies }) => {
      const text = replies && finishesText(replies.finishes, replies.calls)
      return text && `${text}.`
    }),
    ...otherModelNotes(summary),
    ...noteEach(
      summary,
      (row) =>
        row.fidelity.deviates > 0 &&
        `${of(row.fidelity.deviates, row)} deviated from the declaration of the strategy; the first is ${row.fidelity.first?.trial}: ${row.fidelity.first?.at}.`,
      plainName,
    ),
    ...noteEach(
      summary,
      ({ ownJudge }) =>
        ownJudge &&
        `in ${counted(ownJudge.trials, 'trial')} ${ownJudge.agent} chose among candidates that included its own; models favour their own work.`,
      plainName,
    ),
    ...noteEach(
      summary,
      ({ relatedAgents }) =>
        relatedAgents &&
        `related agents: ${relatedAgents.join('; ')}. Related models err alike, so that they agree says little.`,
    ),
    undeclared.length > 0 &&
      !summary.imported &&
      `Without a declaration, so not checked: ${[...new Set(undeclared)].join(', ')}.`,
    ...noteEach(summary, (row) => {
      const { trials, passed } = row.doneWithNothing
      const graded = passed === 0 ? '' : `; ${passed} of them passed`
      return trials > 0 && `claims done, delivered nothing: ${of(trials, row)}${graded}.`
    }),
    ...noteEach(
      summary,
      (row) => row.leftOut && `not counted in ${of(row.leftOut.trials, row)}: ${leftOutText(row.leftOut)}.`,
    ),
    ...gatewayNotes(summary),
    ...noteEach(
      summary,
      (row) =>
        row.people &&
        `people took part in ${of(row.people.trials, row)} (${peopleText(row.people)}), so its results are not the method's alone.`,
    ),
    ...workflowNotes(summary),
    ...toolNotes(summary),
  ])
}

const plainName = ({ method }: MethodSummary) => method

function otherModelNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) =>
    (row.replies?.otherModels ?? []).map(
      ({ agent, model, calls }) =>
        `${methodName(row, summary)}, ${agent}: ${calls} of ${counted(row.replies?.calls ?? calls, 'call')} of the method ${calls === 1 ? 'was' : 'were'} answered by ${model}, which was not asked for.`,
    ),
  )
}

/** Warns of each agent behind which several models answered: a difference between its trials may be theirs. */
export function servedWarnings(summary: Summary): string[] {
  const served = summary.methods.flatMap((row) =>
    (row.replies?.served ?? []).map((one) => ({ ...one, row: methodName(row, summary) })),
  )
  const byAgent = groupBy(
    // An agent without a model chooses one for each kind of work.
    served.filter(({ agent }) => modelOfAgent(agent) !== ''),
    ({ agent }) => agent,
  )
  return [...byAgent].flatMap(([agent, calls]) => {
    const byModel = groupBy(calls, ({ model }) => model)
    if (byModel.size < 2) return []
    const texts = [...byModel].slice(0, mostServed).map(([model, of]) => {
      const sum = of.reduce((total, { calls }) => total + calls, 0)
      return `${model} answered ${counted(sum, 'call')} of ${listed(of.map(({ row }) => row))}`
    })
    const more = byModel.size > mostServed ? `; and ${byModel.size - mostServed} more` : ''
    return [`the model behind ${agent} changed: ${texts.join('; ')}${more}. A difference may be the model's.`]
  })
}

const mostServed = 3

/** Returns notes on requests of agents' programs that did not pass, and on what providers ran for them. */
export function gatewayNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) =>
    row.gateway ? gatewayTexts(row.gateway).map((text) => `${methodName(row, summary)}: ${text}`) : [],
  )
}

/** A tool with fewer calls is not called one that mostly failed. */
const fewestCalls = 3

/** Returns notes on the tools of the agents, their calls, and tools that mostly failed. Empty where no method had tools. */
export function toolNotes(summary: Summary): string[] {
  const { methods } = summary
  if (methods.every(({ tools, toolUse }) => tools === undefined && !toolUse)) return []
  return [
    ...groupByText(summary, describeTools),
    ...methods.flatMap((row) => failingNotes(methodName(row, summary), row.toolUse)),
  ]
}

function describeTools({ tools, toolUse }: MethodSummary): string {
  const had = tools === undefined ? '' : `tools of its agents: ${tools}`
  const use = toolUse ? useText(toolUse) : had !== '' && tools !== 'none' && 'no call'
  return present([had, use]).join('; ')
}

function useText({ calls, turns, asks, failed, trials }: ToolUse): string {
  const outcomes = Object.entries(failed)
  const sum = outcomes.reduce((total, [, count]) => total + count, 0)
  return [
    `${counted(calls, 'call')} of tools in ${counted(trials, 'trial')}`,
    `${(turns / asks).toFixed(1)} turns per ask that called tools`,
    sum === 0 ? 'none failed' : failedText(outcomes, sum),
  ].join(', ')
}

/** `4 failed` names its outcomes only if they say more than that. */
function failedText(outcomes: readonly (readonly [string, number])[], sum: number): string {
  const [[only] = ['']] = outcomes
  if (outcomes.length > 1)
    return `${sum} failed (${outcomes.map(([outcome, count]) => `${count} ${outcome === 'failed' ? 'reported by the tool' : outcome}`).join(', ')})`
  return only === 'failed' ? `${sum} failed` : `${sum} failed (${only})`
}

function failingNotes(name: string, use: ToolUse | undefined): string[] {
  return Object.entries(use?.byName ?? {}).flatMap(([tool, { calls, failed }]) =>
    calls >= fewestCalls && failed > calls / 2
      ? [
          `${name}: the tool ${tool} failed in ${failed} of ${counted(calls, 'call')}, so these results hardly show what it does when it works.`,
        ]
      : [],
  )
}

const workflowNotes = ({ methods }: Summary): string[] => [
  ...methods.flatMap(({ method, workflow }) =>
    workflow ? [`${method}: ${stagesSumText(workflow)}`, `${method}: ${stagesText(workflow)}`] : [],
  ),
  ...methods.flatMap(({ method, machine }) => (machine ? [`${method}: ${machineText(machine)}`] : [])),
]

function stagesSumText(sums: WorkflowSums): string {
  const { trials, iterations, conversions, satisfaction, efficiency, unmet } = sums
  const { done, failed, rate } = conversions
  const missed = Object.entries(unmet).map(([item, times]) => `${item} in ${counted(times, 'trial')}`)
  return [
    `${counted(trials, 'trial')} of workflows, ${iterations.toFixed(1)} iterations a trial`,
    rate === null
      ? 'no output was converted'
      : `${formatPercent(rate)} of conversions succeeded (${failed} of ${done + failed} could not be read)`,
    ...(satisfaction === null ? [] : [`${formatPercent(satisfaction)} of needs were met`]),
    `${formatPercent(efficiency)} efficiency (stages with output, by runs of stages)`,
    ...(missed.length > 0 ? [`not met: ${missed.join(', ')}`] : []),
  ]
    .join('; ')
    .concat('.')
}

function stagesText({ stages }: WorkflowSums): string {
  const texts = stages.map(
    ({ workflow, stage, trials, runs, ms }) =>
      `${workflow}/${stage} ${formatMs(ms / trials)} in ${(runs / trials).toFixed(1)} runs`,
  )
  return `stages, with mean time and runs in the trials that reached them: ${texts.join('; ')}.`
}

/** Returns counts such as `done 3, halted 1`; `nothing` without any. */
function countsText(counts: Readonly<Record<string, number>>, nothing = ''): string {
  const texts = Object.entries(counts).map(([name, count]) => `${name} ${formatCount(count)}`)
  return texts.join(', ') || nothing
}

function decisionTexts({ decisions, decided }: MachineSums): string[] {
  if (Object.keys(decisions).length === 0) return []
  const tokens = formatAmount(decided.tokens, formatCount)
  const cost = formatAmount(decided.costUsd, formatUsd)
  return [
    `decisions of the orchestrator: ${countsText(decisions)} (${tokens} tokens, cost ${cost}, in no visit)`,
  ]
}

function machineText(machine: MachineSums): string {
  const { trials, ends, runs, partialFailures, breaks, verdicts, guidance, approvals } = machine
  const failed = runs.failed + runs.timeout
  const optional = (name: string, counts: Readonly<Record<string, number>>) =>
    Object.keys(counts).length > 0 ? [`${name}: ${countsText(counts)}`] : []
  return [
    `${counted(trials, 'trial')} of workflows of states, ended: ${countsText(ends, 'not known')}`,
    failed === 0
      ? 'no agent failed'
      : `${failed} of ${counted(runs.all, 'run')} of agents failed (${runs.timeout} ran out of time); only some of its agents failed in ${counted(partialFailures, 'visit')}`,
    `rules that broke: ${countsText(breaks, 'no rule')}`,
    ...decisionTexts(machine),
    ...optional('verdicts of gates', verdicts),
    ...optional('guidance from', guidance),
    ...optional('approvals', approvals),
  ]
    .join('; ')
    .concat('.')
}

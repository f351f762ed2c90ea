import type { Summary } from '../../analysis/summary.ts'
import type { MachineSums, WorkflowSums } from '../../analysis/workflow/sums.ts'
import { counted, formatAmount, formatCount, formatMs, formatShare, formatUsd } from '../words/numbers.ts'

/** Returns notes for each method that ran workflows: sums and stages, and of states how they ended, what broke, who decided what. */
export const workflowNotes = ({ methods }: Summary): string[] => [
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
      : `${formatShare(rate)}% of conversions succeeded (${failed} of ${done + failed} could not be read)`,
    ...(satisfaction === null ? [] : [`${formatShare(satisfaction)}% of needs were met`]),
    `${formatShare(efficiency)}% efficiency (stages with output, by runs of stages)`,
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

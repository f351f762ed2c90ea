import type { Summary } from '../../analysis/summary.ts'
import type { WorkflowSums } from '../../analysis/workflow/sums.ts'
import { counted, formatMs, formatShare } from '../words/numbers.ts'

/** Returns two notes for each method that ran workflows: sums and stages. */
export function workflowNotes({ methods }: Summary): string[] {
  return methods.flatMap(({ method, workflow }) =>
    workflow ? [`${method}: ${sumsText(workflow)}`, `${method}: ${stagesText(workflow)}`] : [],
  )
}

function sumsText({
  trials,
  iterations,
  conversions,
  satisfaction,
  efficiency,
  unmet,
}: WorkflowSums): string {
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

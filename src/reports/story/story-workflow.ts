import { WorkflowRecord } from '../../schema/method/workflow-record.ts'
import { counted, formatMs, formatShare } from '../words/numbers.ts'

/** Returns the result of a trial's workflow as names and texts; empty if it ran none. `state` is `state.collaboration`. */
export function workflowLines(state: unknown): [name: string, text: string][] {
  const { data: record } = WorkflowRecord.safeParse(state)
  // A user strategy may use the field for something else.
  if (!record) return []
  const { workflow, stages, iterations, conversions, unreadable, conflicts, satisfaction, efficiency } =
    record
  const { done, failed } = conversions
  return [
    ['Workflow', `${workflow}, ${counted(iterations, 'iteration')}`],
    ...stages.map((stage): [string, string] => ['  stage', stageText(stage)]),
    [
      '  converted',
      done + failed === 0
        ? 'nothing: no stage needed another format'
        : `${counted(done, 'output')} into another format, ${failed} could not be read: ${formatShare(done / (done + failed))}% succeeded`,
    ],
    ...unreadable.map(({ stage, format, problem }): [string, string] => [
      '  unreadable',
      `${stage}, as ${format}: ${problem}`,
    ]),
    ...conflicts.map((path): [string, string] => [
      '  conflict',
      `${path}: parallel stages changed it, and the version of the later stage was kept`,
    ]),
    [
      '  needs',
      satisfaction === null
        ? 'no stage had a need'
        : `${formatShare(satisfaction)}% met, over all runs of stages`,
    ],
    ['  efficiency', `${formatShare(efficiency)}%: stages with output, by runs of stages`],
  ]
}

function stageText({ stage, agent, runs, ms, gave, met, unmet }: WorkflowRecord['stages'][number]): string {
  return [
    `${stage}, by ${agent}: ${counted(runs, 'run')}, ${formatMs(ms)}`,
    ...(gave ? [] : ['gave nothing']),
    ...(met.length > 0 ? [`had ${met.join(', ')}`] : []),
    ...(unmet.length > 0 ? [`lacked ${unmet.join(', ')}`] : []),
  ].join('; ')
}

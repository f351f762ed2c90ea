import { WorkflowRecord } from '../../schema/method/workflow-record.ts'
import { counted, formatMs, formatShare } from '../words/numbers.ts'

/** What a trial's workflow came to, as names and texts; none where it ran no workflow. */
export function workflowLines(state: unknown): [name: string, text: string][] {
  const { data: record } = WorkflowRecord.safeParse(state)
  // A strategy of the user's own may use the name for something else.
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
        ? 'nothing: no output was wanted in another format'
        : `${counted(done, 'output')} into another format, ${failed} could not be read: ${formatShare(done / (done + failed))}% succeeded`,
    ],
    ...unreadable.map(({ stage, format, problem }): [string, string] => [
      '  unreadable',
      `${stage}, as ${format}: ${problem}`,
    ]),
    ...conflicts.map((path): [string, string] => [
      '  conflict',
      `${path}: stages side by side changed it, and the later one's stands`,
    ]),
    [
      '  needs',
      satisfaction === null
        ? 'no stage needed anything'
        : `${formatShare(satisfaction)}% met, over all runs of stages`,
    ],
    ['  efficiency', `${formatShare(efficiency)}%: stages that gave something, by runs of stages`],
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

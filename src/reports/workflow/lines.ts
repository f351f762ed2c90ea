import { agreementByCriterion, scoresOf } from '../../analysis/agreement/agreement.ts'
import { groupBy } from '../../base/grouping.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { type AgentRun, MachineRecord, type StateVisit } from '../../schema/machine/machine-record.ts'
import { WorkflowRecord } from '../../schema/method/workflow-record.ts'
import type { Capture } from '../../schema/run/run.ts'
import { counted, formatMs, formatPercent, nothing } from '../words/numbers.ts'
import { alphaText } from './columns.ts'

type Line = [name: string, text: string]

/** Returns what a trial's workflow did as names and texts; empty if it ran none. A user strategy may use its fields for something else. */
export function workflowLines(state: TrialRecord['state'], capture: Capture = {}): Line[] {
  const stages = WorkflowRecord.safeParse(state?.collaboration)
  const states = MachineRecord.safeParse(state?.machine)
  return [
    ...(stages.success ? stageLines(stages.data) : []),
    ...(states.success ? machineLines(states.data, capture) : []),
  ]
}

function machineLines(record: MachineRecord, capture: Capture): Line[] {
  const { name, visits, ended, delivered, breaks, decisions, gates, guidance, approvals } = record
  const end = ended === null ? 'ended by a break or a decision' : `ended in ${ended}`
  return [
    ['Workflow', `${name}, ${counted(visits.length, 'visit')}, ${end}; handed in ${delivered ?? 'nothing'}`],
    ...visits.map((visit): Line => ['  visit', visitText(visit)]),
    ...outputLines(visits, capture.previews !== false),
    ...scoreLines(record),
    ...agreementLines(record),
    ...gates.map((gate): Line => ['  gate', gateText(gate)]),
    ...breaks.map(
      ({ rule, hard, fact, from, to, at }): Line => [
        hard ? '  hard limit' : '  break',
        `${rule}: ${fact}; from ${from} to ${to}, at ${formatMs(at)}`,
      ],
    ),
    ...decisions.map((decision): Line => ['  decision', decisionText(decision)]),
    ...guidance.map(
      ({ state, from, text, visit }): Line => [
        '  guidance',
        `from ${from} for ${state}, ${visit === null ? 'never used' : `used in visit ${visit}`}: ${text}`,
      ],
    ),
    ...approvals.map(
      ({ state, decision, feedback }): Line => [
        '  approval',
        `${state}: ${decision}${feedback === '' ? '' : `: ${feedback}`}`,
      ],
    ),
  ]
}

/** Returns a visit's name: its state, and which visit of it from the second on. */
export const visitName = ({ state, visit }: { state: string; visit: number }) =>
  visit === 1 ? state : `${state}, visit ${visit}`

const statusTexts: Record<AgentRun['status'], string> = {
  done: 'done',
  failed: 'failed',
  timeout: 'ran out of time',
}

/** Returns an agent and its status, with the error if it failed. */
export const agentText = ({
  agent,
  status,
  error,
}: {
  agent: string
  status: AgentRun['status']
  error?: string | null | undefined
}): string => `${agent} ${statusTexts[status]}${error ? ` (${error})` : ''}`

function visitText(visit: StateVisit): string {
  const { result, next, ms, runs, actions } = visit
  return [
    `${visitName(visit)}: ${result === null ? 'the end' : `${result}, to ${next ?? 'the end'}`}`,
    formatMs(ms),
    ...(runs.length > 0 ? [runs.map(agentText).join(', ')] : []),
    ...actions.map(({ action, text }) => `${action} ${text}`),
  ].join('; ')
}

function outputLines(visits: readonly StateVisit[], isShown: boolean): Line[] {
  return visits.flatMap((visit) =>
    visit.runs.flatMap(({ agent, output }): Line[] => {
      if (!output) return []
      const { path, words, preview } = output
      const begins = isShown ? preview : '(left out: capture.previews is false)'
      return [
        ['  output', `${path}, by ${agent} in ${visitName(visit)}, ${counted(words, 'word')}: ${begins}`],
      ]
    }),
  )
}

function scoreLines({ scores }: MachineRecord): Line[] {
  const targets = groupBy(scores, (score) => `${score.target}, in ${visitName(score)}`)
  return [...targets].flatMap(([target, own]) => {
    const criteria = [...new Set(own.map(({ criterion }) => criterion))]
    const auditors = [...new Set(own.map(({ auditor }) => auditor))]
    const width = auditors.reduce((most, { length }) => Math.max(most, length), 0)
    const cell = (auditor: string, criterion: string) =>
      String(own.findLast((one) => one.auditor === auditor && one.criterion === criterion)?.score ?? nothing)
    const row = (first: string, cells: readonly string[]) =>
      `  ${first.padEnd(width)}  ${cells.map((text, i) => text.padStart(criteria[i]?.length ?? 0)).join('  ')}`
    const rows = auditors.map((auditor) =>
      row(
        auditor,
        criteria.map((criterion) => cell(auditor, criterion)),
      ),
    )
    return [['  scores', target], ...[row('', criteria), ...rows].map((text): Line => ['', text])] as Line[]
  })
}

const agreementLines = (record: MachineRecord): Line[] =>
  agreementByCriterion(scoresOf(record)).map((one) => [
    '  agreement',
    `${one.criterion}: mean ${one.mean.toFixed(1)} of ${counted(one.scores, 'score')}, ${
      one.spread === null
        ? 'no output with several auditors'
        : `spread ${one.spread.toFixed(1)}, alpha ${alphaText(one)}, over ${counted(one.units, 'output')}`
    }`,
  ])

function gateText(gate: MachineRecord['gates'][number]): string {
  const { agent, decision, quality_score, issues, retry_guidance } = gate
  return [
    `${visitName(gate)}, by ${agent}: ${decision}, ${quality_score} of 10`,
    ...issues.map(({ severity, issue, fix }) => `${severity}: ${issue}${fix ? ` Fix: ${fix}` : ''}`),
    ...(retry_guidance === '' ? [] : [`guidance: ${retry_guidance}`]),
  ].join('; ')
}

/** Returns a decision of the orchestrator with its reasoning. */
export function decisionText({
  trigger,
  state,
  decision,
  reasoning,
  ...more
}: MachineRecord['decisions'][number]): string {
  const { use_output, goes_to, guidance } = more
  return [
    `${decision}, asked at ${trigger} in ${state}`,
    ...(use_output === undefined ? [] : [`uses ${use_output}`]),
    ...(goes_to === undefined ? [] : [`goes to ${goes_to}`]),
    `because: ${reasoning}`,
    ...(guidance ? [`guidance: ${guidance}`] : []),
  ].join('; ')
}

function stageLines(record: WorkflowRecord): Line[] {
  const { workflow, stages, iterations, conversions, unreadable, conflicts, satisfaction, efficiency } =
    record
  const { done, failed } = conversions
  return [
    ['Workflow', `${workflow}, ${counted(iterations, 'iteration')}`],
    ...stages.map((stage): Line => ['  stage', stageText(stage)]),
    [
      '  converted',
      done + failed === 0
        ? 'nothing: no stage needed another format'
        : `${counted(done, 'output')} into another format, ${failed} could not be read: ${formatPercent(done / (done + failed))} succeeded`,
    ],
    ...unreadable.map(
      ({ stage, format, problem }): Line => ['  unreadable', `${stage}, as ${format}: ${problem}`],
    ),
    ...conflicts.map(
      (path): Line => [
        '  conflict',
        `${path}: parallel stages changed it, and the version of the later stage was kept`,
      ],
    ),
    [
      '  needs',
      satisfaction === null
        ? 'no stage had a need'
        : `${formatPercent(satisfaction)} met, over all runs of stages`,
    ],
    ['  efficiency', `${formatPercent(efficiency)}: stages with output, by runs of stages`],
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

import type { GraphPart, GraphPlan, PlanStep, PlanWork } from '../../schema/graph/plan.ts'
import { alignedTable } from '../words/aligned-table.ts'
import { counted, formatMs, nothing } from '../words/numbers.ts'
import { type AddedSteps, addedSteps } from './added-steps.ts'

/** Returns the lines of a table with a row for each step, and one for each kind of steps that are added at run time. */
export function stepTable(plan: GraphPlan, levels: ReadonlyMap<string, number>): string[] {
  const numbers = new Map(plan.steps.map(({ id }, i) => [id, i + 1]))
  const rows = plan.steps.flatMap((step) => [
    stepRow(step, { plan, levels, numbers }),
    ...addedSteps(step).map((added) => addedRow(added, plan, numbers)),
  ])
  const hasAdded = rows.some(({ number }) => number === '+')
  return [
    ...alignedTable(headings, rows, ['number']),
    ...(hasAdded ? ['', '  +  steps that another step adds at run time'] : []),
  ]
}

interface Row {
  number: string
  level: string
  step: string
  task: string
  role: string
  work: string
  provider: string
  needs: string
  failure: string
  notes: string
}

const headings: Row = {
  number: '#',
  level: 'level',
  step: 'step',
  task: 'task',
  role: 'role',
  work: 'work',
  provider: 'provider',
  needs: 'needs',
  failure: 'on failure',
  notes: 'notes',
}

interface Places {
  plan: GraphPlan
  levels: ReadonlyMap<string, number>
  /** The number of each step's row. */
  numbers: ReadonlyMap<string, number>
}

function stepRow(step: PlanStep, { plan, levels, numbers }: Places): Row {
  return {
    ...workCells(step, plan),
    number: String(numbers.get(step.id)),
    level: String(levels.get(step.id)),
    step: step.id,
    needs: rangesText(step.needs.map((id) => numbers.get(id) ?? 0)) || nothing,
    notes: [
      ...(step.id === plan.answer ? ['answer'] : []),
      ...(step.parts.length > 0 ? [step.parts.map(partText).join(' > ')] : []),
      ...(step.does?.kind === 'choose'
        ? [`names one of ${Object.keys(step.does.candidates).join(', ')}`]
        : []),
      ...workNotes(step),
    ].join('; '),
  }
}

function addedRow({ id, work, limit, by }: AddedSteps, plan: GraphPlan, numbers: Places['numbers']): Row {
  return {
    ...workCells(work, plan),
    number: '+',
    level: '',
    step: id,
    needs: String(numbers.get(by)),
    notes: [limit, ...workNotes(work)].join('; '),
  }
}

function workCells({ task, role, work, provider, on_failure }: PlanWork, { providers }: GraphPlan) {
  const isNamed = Object.keys(providers).length > 0
  return { task, role, work, provider: provider ?? (isNamed ? "the run's agent" : ''), failure: on_failure }
}

const partText = ({ kind, turn, joins }: GraphPart) =>
  `${kind}${turn === undefined ? '' : ` round ${turn}`}${joins ? ' joins' : ''}`

function workNotes({ model, timeout_ms, retries, conflict, max_output, tools }: PlanWork): string[] {
  return [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(timeout_ms === undefined ? [] : [`timeout ${formatMs(timeout_ms)}`]),
    ...(retries === 0 ? [] : [counted(retries, 'retry', 'retries')]),
    ...(conflict === undefined ? [] : [`conflict ${conflict}`]),
    ...(max_output === undefined ? [] : [`at most ${counted(max_output, 'output token')}`]),
    ...(tools.length > 0 ? [`tools ${tools.join(', ')}`] : []),
  ]
}

/** Returns numbers as ranges: `1-3, 7`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const one of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && one === last[1] + 1) last[1] = one
    else ranges.push([one, one])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

import type { Provider } from '../../schema/graph/document.ts'
import {
  type GraphPart,
  type GraphPlan,
  mostAdded,
  type PlanStep,
  type PlanWork,
} from '../../schema/graph/plan.ts'
import type { Tool } from '../../schema/tool/tool.ts'
import { shorten } from '../../text/shorten.ts'
import { alignedTable } from '../words/aligned-table.ts'
import { counted, formatMs, nothing } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'
import { type AddedSteps, addedSteps } from './plan.ts'

/** Returns a plan as a text for people: what holds for all steps, then a table with a row for each step. */
export function planText(plan: GraphPlan): string {
  const levels = planLevels(plan)
  return [
    `Plan of ${safeLine(plan.name)}, workflow ${safeLine(plan.workflow)}`,
    '',
    ...headLines(plan).map(([name, value]) => `  ${name.padEnd(12)}  ${shorten(safeLine(value), 200)}`),
    '',
    `  ${sizeText(plan, Math.max(0, ...levels.values()))}`,
    '',
    ...stepTable(plan, levels),
    '',
  ].join('\n')
}

function headLines(plan: GraphPlan): [string, string][] {
  const { input, answer, providers, tools = {} } = plan
  const listed = (name: string, texts: readonly string[]) =>
    texts.map((text, i): [string, string] => [i === 0 ? name : '', text])
  return [
    ['Digest', plan.digest],
    ['Seed', String(plan.seed)],
    ['Concurrency', `at most ${counted(plan.max_concurrency, 'step')} at the same time`],
    ['Conflicts', `${plan.conflict}, if two steps changed one file`],
    [
      'Input',
      input === null
        ? 'the task'
        : `${counted(input.length, 'character')}: ${JSON.stringify(shorten(input, 60))}`,
    ],
    ['Answer', answer === null ? 'the reply of the last produce step' : `the reply of ${answer}`],
    ...listed(
      'Providers',
      Object.entries(providers).map(([id, provider]) => `${id}: ${providerText(provider)}`),
    ),
    ...listed(
      'Tools',
      Object.entries(tools).map(([id, tool]) => `${id}: ${toolText(tool)}`),
    ),
  ]
}

function providerText({ kind, config }: Provider): string {
  if ('agent' in config) return `${kind} ${config.agent}`
  return `${kind} ${config.model}${config.base_url === undefined ? '' : ` at ${config.base_url}`}`
}

/** Says what a tool lets agents do. The values of a server's variables are not shown: somebody may have put a key there. */
function toolText({ kind, config }: Tool): string {
  if (kind === 'memory')
    return `memory of the trial's notes${config.file === undefined ? '' : ` and of ${config.file}`}`
  const allowed = config.allow.join(', ')
  if (kind === 'workspace') return `workspace, ${allowed}`
  return `mcp server \`${config.command.join(' ')}\`, ${allowed}${config.workspace ? ', sees the workspace' : ''}${config.stateless ? ', stateless' : ''}`
}

function sizeText({ steps }: GraphPlan, levels: number): string {
  const added = steps.reduce((sum, { does }) => sum + mostAdded(does), 0)
  const more = added > 0 ? `, and at most ${added} more at run time` : ''
  return `${counted(steps.length, 'step')} on ${added > 0 ? 'at most ' : ''}${counted(levels, 'level')}${more}. Steps on one level do not wait for each other.`
}

/**
 * Returns the level of each step: 1 for steps that wait for nothing, else one more than the highest that it waits for. Steps
 * that are added at run time count with their most.
 */
function planLevels({ steps }: GraphPlan): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  const least = new Map<string, number>()
  for (const step of steps) {
    const before = step.needs.map((id) => levels.get(id) ?? 0)
    const level = Math.max(0, least.get(step.id) ?? 0, ...before) + 1
    levels.set(step.id, level)
    for (const { before, depth } of addedSteps(step))
      for (const id of before) least.set(id, Math.max(least.get(id) ?? 0, level + depth))
  }
  return levels
}

/** Returns the lines of a table with a row for each step, and one for each kind of steps that are added at run time. */
function stepTable(plan: GraphPlan, levels: ReadonlyMap<string, number>): string[] {
  const numbers = new Map(plan.steps.map(({ id }, i) => [id, i + 1]))
  const rows = plan.steps.flatMap((step) => [
    stepRow(step, plan, levels, numbers),
    ...addedSteps(step).map((added) => addedRow(added, plan, numbers)),
  ])
  const hasAdded = rows.some(({ number }) => number === '+')
  return [
    ...alignedTable(headings, rows, ['number']),
    ...(hasAdded ? ['', '  +  steps that another step adds at run time'] : []),
  ]
}

const headings = {
  ...{ number: '#', level: 'level', step: 'step', task: 'task', role: 'role', work: 'work' },
  ...{ provider: 'provider', needs: 'needs', failure: 'on failure', notes: 'notes' },
}
type Row = typeof headings

type Numbers = ReadonlyMap<string, number>

function stepRow(step: PlanStep, plan: GraphPlan, levels: Numbers, numbers: Numbers): Row {
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

function addedRow({ id, work, limit, by }: AddedSteps, plan: GraphPlan, numbers: Numbers): Row {
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

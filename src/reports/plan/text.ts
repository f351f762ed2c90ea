import type { GraphPlan } from '../../schema/graph/plan.ts'
import type { Provider } from '../../schema/graph/provider.ts'
import type { Tool } from '../../schema/tool/tool.ts'
import { shorten } from '../../text/shorten.ts'
import { counted } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'
import { addedSteps, mostAdded } from './added-steps.ts'
import { stepTable } from './step-table.ts'

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

function headLines({
  digest,
  seed,
  max_concurrency,
  conflict,
  input,
  answer,
  providers,
  tools = {},
}: GraphPlan): [string, string][] {
  return [
    ['Digest', digest],
    ['Seed', String(seed)],
    ['Concurrency', `at most ${counted(max_concurrency, 'step')} at the same time`],
    ['Conflicts', `${conflict}, if two steps changed one file`],
    [
      'Input',
      input === null
        ? 'the task'
        : `${counted(input.length, 'character')}: ${JSON.stringify(shorten(input, 60))}`,
    ],
    ['Answer', answer === null ? 'the reply of the last produce step' : `the reply of ${answer}`],
    ...Object.entries(providers).map(([id, provider], i): [string, string] => [
      i === 0 ? 'Providers' : '',
      `${id}: ${providerText(provider)}`,
    ]),
    ...Object.entries(tools).map(([id, tool], i): [string, string] => [
      i === 0 ? 'Tools' : '',
      `${id}: ${toolText(tool)}`,
    ]),
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
  const added = steps.reduce((sum, step) => sum + mostAdded(step), 0)
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

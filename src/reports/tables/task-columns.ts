import type { MethodSummary, Summary, TaskCell } from '../../analysis/summary.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { rowAgents } from '../words/agents-text.ts'
import { counted, nothing, present } from '../words/numbers.ts'
import { type ColumnOf, dataColumn, faultsColumn, labelColumn, simulatedColumn, textColumn } from './table.ts'

/** Returns the columns of the table by task: for each method the passed of the graded epochs. */
export function taskColumns(summary: Summary): ColumnOf<string>[] {
  return [
    labelColumn('task', 'task', (task) => task),
    simulatedColumn(summary),
    faultsColumn(summary.faults),
    ...summary.methods.flatMap((row, index) =>
      methodColumnsOf(row, methodName(row, summary), `method${index}`),
    ),
    {
      ...dataColumn('profile', '', () => summary.profiles.join(' ') || null),
      align: 'left',
    },
  ]
}

/**
 * Returns how many methods these rows are of, with their sets if there are several: `2 methods with 3 wordings each`.
 */
export function methodsText(rows: readonly Pick<MethodSummary, 'method' | 'set' | 'agents'>[]): string {
  const sets = new Set(rows.flatMap(({ set }) => set ?? [])).size
  if (sets < 2) return counted(rows.length, 'method')
  const methods = new Set(rows.map(({ method }) => method)).size
  const each = setsWord(rows) === 'wording' ? counted(sets, 'wording') : `${counted(sets, 'set')} of agents`
  return `${counted(methods, 'method')} with ${each} each`
}

/** Returns what the sets of these rows, of which there are several, differ in. Sets in which a method asks the same agents are wordings. */
export function setsWord(rows: readonly Pick<MethodSummary, 'method' | 'agents'>[]): 'wording' | 'agents' {
  const assigned = new Set(rows.map(({ method, agents }) => JSON.stringify([method, agents]))).size
  return assigned === new Set(rows.map(({ method }) => method)).size ? 'wording' : 'agents'
}

/** Returns the method's label, with its agents if the summary has several sets of agents. */
export function methodName(row: MethodSummary, summary: Summary): string {
  if (row.set !== null) return rowName(row.method, row.set)
  // The table has them, and their text may be long.
  const isOnly = summary.methods.every((other) => other === row || other.method !== row.method)
  if (row.roleAgents !== undefined && isOnly) return row.method
  const several = summary.methods.some((other) => rowAgents(other) !== rowAgents(row))
  return several ? `${row.method} (${rowAgents(row)})` : row.method
}

function methodColumnsOf(method: MethodSummary, name: string, key: string): ColumnOf<string>[] {
  const cells = new Map(method.cells.map((cell) => [cell.task, cell]))
  const ratios = method.match && new Map(method.match.tasks.map((one) => [one.task, one]))
  const data = (
    field: string,
    unit: string,
    value: (task: string) => number | null | undefined,
  ): ColumnOf<string> => ({
    ...dataColumn(`${key}_${field.replace(' ', '_')}`, unit, (task: string) => value(task) ?? null),
    heading: `${name} ${field}`,
  })
  return present([
    textColumn(key, [name, ''], key, (task: string) =>
      present([cellText(cells.get(task)), ratioText(ratios?.get(task))]).join(' '),
    ),
    ...(['passed', 'graded', 'missing'] as const).map((field) =>
      data(field, 'trials', (task) => cells.get(task)?.[field]),
    ),
    ratios && data('budget ratio', '', (task) => ratios.get(task)?.ratio),
  ])
}

/** Returns `×1.04 in 5`: the spend relative to the matched method, and the number of attempts. */
function ratioText(one: { ratio: number | null; attempts: number | null } | undefined): string {
  if (!one || one.attempts === null) return ''
  return `×${one.ratio === null ? '?' : one.ratio.toFixed(2)} in ${one.attempts}`
}

function cellText(cell: TaskCell | undefined): string {
  if (!cell) return nothing
  const ungraded = cell.run - cell.missing - cell.graded
  const parts = [
    cell.graded > 0 ? `${cell.passed}/${cell.graded}` : '',
    ungraded > 0 ? `${ungraded} ungraded` : '',
    cell.missing > 0 ? `${cell.missing} missing` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

import type { MethodSummary, Summary, TaskCell } from '../../analysis/summary.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { rowAgents } from '../words/agents-text.ts'
import { nothing } from '../words/numbers.ts'
import type { ColumnOf } from './table.ts'

/** Returns the columns of the table by task: for each method the passed of the graded epochs. */
export function taskColumns(summary: Summary): ColumnOf<string>[] {
  return [
    {
      ...column('task', 'task', 'left', 'all', 'label'),
      cell: (task) => ({ text: task, value: task }),
    },
    {
      ...column('simulated', 'simulated', 'left', 'data', 'label'),
      cell: () => ({ text: summary.simulated ? 'simulated' : 'live', value: summary.simulated }),
    },
    {
      ...column('faults', 'faults', 'left', summary.faults === null ? 'data' : 'all', 'label'),
      cell: () => ({ text: summary.faults === null ? 'none' : 'injected', value: summary.faults }),
    },
    ...summary.methods.flatMap((row, index) =>
      methodColumnsOf(row, methodName(row, summary), `method${index}`),
    ),
    {
      ...column('profile', 'profile', 'left', 'data', 'data'),
      cell: () => ({ text: summary.profiles.join(' '), value: summary.profiles.join(' ') || null }),
    },
  ]
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
  const data = (field: 'passed' | 'graded' | 'missing'): ColumnOf<string> => ({
    ...column(`${key}_${field}`, `${name} ${field}`, 'right', 'data', 'data'),
    unit: 'trials',
    cell: (task) => {
      const value = cells.get(task)?.[field] ?? null
      return { text: String(value ?? ''), value }
    },
  })
  return [
    {
      ...column(key, name, 'right', 'people', key),
      cell: (task) => {
        const text = [cellText(cells.get(task)), ratioText(ratios?.get(task))].filter(Boolean).join(' ')
        return { text, value: text }
      },
    },
    data('passed'),
    data('graded'),
    data('missing'),
    ...(ratios
      ? [
          {
            ...column(`${key}_budget_ratio`, `${name} budget ratio`, 'right', 'data', 'data'),
            cell: (task: string) => {
              const value = ratios.get(task)?.ratio ?? null
              return { text: String(value ?? ''), value }
            },
          } satisfies ColumnOf<string>,
        ]
      : []),
  ]
}

function column(
  key: string,
  heading: string,
  align: 'left' | 'right',
  audience: 'all' | 'people' | 'data',
  group: string,
) {
  return { key, heading, unit: '', align, audience, group }
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

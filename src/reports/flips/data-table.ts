import type { KindFacts } from '../../analysis/evidence.ts'
import type { Flips, NamedTask, TaskTrials } from '../../analysis/flips.ts'
import { type ColumnOf, createTable, dataColumn, simulatedColumn, type Table } from '../tables/table.ts'

/** Returns a line for each task of a pair or method that changed sides or is flaky, for programs; none is left out. */
export function flipsTable({ pairs, methods }: Flips, kind: KindFacts): Table {
  const rows: DataRow[] = [
    ...pairs.flatMap(({ a, b, ...lists }) =>
      (['onlyA', 'onlyB', 'ties'] as const).flatMap((kind) =>
        lists[kind].map((task) => ({ ...task, kind: kinds[kind], first: a, second: b })),
      ),
    ),
    ...methods.flatMap(({ label, flaky }) =>
      flaky.map((task) => ({ ...task, kind: 'flaky', first: label, second: null, a: task, b: null })),
    ),
  ]
  const columns: ColumnOf<DataRow>[] = [
    dataColumn('kind', '', ({ kind }) => kind),
    dataColumn('a', '', ({ first }) => first),
    dataColumn('b', '', ({ second }) => second),
    simulatedColumn(kind),
    dataColumn('task', '', ({ task }) => task),
    dataColumn('suite', '', ({ suite }) => suite),
    dataColumn('cluster', '', ({ cluster }) => cluster ?? null),
    ...(['a', 'b'] as const).flatMap((side) => [
      dataColumn<DataRow>(`${side}_side`, '', (row) => row[side]?.side ?? null),
      ...(['passed', 'graded', 'missing'] as const).map((field) =>
        dataColumn<DataRow>(`${side}_${field}`, 'trials', (row) => row[side]?.[field] ?? null),
      ),
      ...(['passed', 'failed', 'missing'] as const).map((result) =>
        dataColumn<DataRow>(
          `${side}_${result}_trials`,
          'ids',
          (row) => row[side]?.trials[result].join(' ') ?? null,
        ),
      ),
    ]),
  ]
  return createTable('', columns, rows, [])
}

interface DataRow extends NamedTask {
  kind: string
  first: string
  second: string | null
  a: TaskTrials
  b: TaskTrials | null
}

const kinds = { onlyA: 'only-a', onlyB: 'only-b', ties: 'tie' } as const

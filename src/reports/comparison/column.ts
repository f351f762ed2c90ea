import type { Cell, ColumnOf } from '../tables/table.ts'

/** A column for people. */
export function textColumn<Row>(
  key: string,
  [heading, unit]: readonly [string, string],
  group: string,
  text: (row: Row) => string,
): ColumnOf<Row> {
  return {
    ...{ key, heading, unit, align: 'right', audience: 'people', group },
    cell: (row) => ({ text: text(row), value: text(row) }),
  }
}

/** A column of labels, repeated where a table is split. */
export function labelColumn<Row>(key: string, heading: string, text: (row: Row) => string): ColumnOf<Row> {
  return {
    ...{ key, heading, unit: '', align: 'left', audience: 'all', group: 'label' },
    cell: (row) => ({ text: text(row), value: text(row) }),
  }
}

/** A column for programs: raw values, unknown is empty. */
export function dataColumn<Row>(
  key: string,
  unit: string,
  value: (row: Row) => Cell['value'],
): ColumnOf<Row> {
  return {
    ...{ key, heading: key, unit, align: 'right', audience: 'data', group: 'data' },
    cell: (row) => ({ text: String(value(row) ?? ''), value: value(row) }),
  }
}

/** The column that marks made-up numbers: for people where they are, for programs always. */
export function simulatedColumn<Row>(simulated: boolean): ColumnOf<Row> {
  return {
    ...{ key: 'simulated', heading: 'simulated', unit: '', align: 'left', group: 'label' },
    audience: simulated ? 'all' : 'data',
    cell: () => ({ text: simulated ? 'simulated' : 'live', value: simulated }),
  }
}

import type { Cell, ColumnOf } from '../tables/table.ts'

/** Returns a column for people. */
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

/** Returns a column of labels, which is repeated if a table is split. */
export function labelColumn<Row>(key: string, heading: string, text: (row: Row) => string): ColumnOf<Row> {
  return {
    ...{ key, heading, unit: '', align: 'left', audience: 'all', group: 'label' },
    cell: (row) => ({ text: text(row), value: text(row) }),
  }
}

/** Returns a column for programs: raw values; unknown ones are empty. */
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

/** Returns the column that marks simulated numbers, for programs; people read it in every title. */
export function simulatedColumn<Row>(simulated: boolean): ColumnOf<Row> {
  return {
    ...{ key: 'simulated', heading: 'simulated', unit: '', align: 'left', group: 'label' },
    audience: 'data',
    cell: () => ({ text: simulated ? 'simulated' : 'live', value: simulated }),
  }
}

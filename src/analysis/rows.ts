import type { TrialRecord } from '../schema/ledger/record.ts'
import { UserError } from '../text/errors.ts'
import { evidence, type Kind, kindOf, kinds } from './evidence.ts'
import type { Summary } from './summary.ts'

/** Checks that records may share a table: by their evidence, and by the faults that were injected. */
export interface MixGuard {
  /** Throws `UserError` if the record is of a kind that may not stand beside that of earlier ones, or if its faults differ. */
  add(record: TrialRecord): void
  /** Whether the records are simulated, and whether they hold recorded replies. */
  kind(): Pick<Summary, 'simulated' | 'recorded' | 'imported'>
  /** The injected faults that all records ran with; null for none. */
  faults(): string | null
}

/** Returns a guard that has seen no record. */
export function createMixGuard(): MixGuard {
  let seen: Kind | undefined
  let faults: string | null | undefined
  return {
    add(record) {
      const kind = kindOf(record)
      if (seen && kind && !evidence[kind].beside.run.includes(seen))
        throw mixedRecordsError(record, kind, seen)
      if (faults !== undefined && faults !== (record.faults ?? null)) throw mixedFaultsError(record)
      seen = kind ?? seen
      faults = record.faults ?? null
    },
    kind: () => ({
      simulated: seen === 'simulated',
      ...(seen === 'recorded' && { recorded: true as const }),
      ...(seen === 'imported' && { imported: true as const }),
    }),
    faults: () => faults ?? null,
  }
}

function mixedRecordsError({ trial, method, task }: TrialRecord, kind: Kind, before: Kind): UserError {
  const [one, other] = kinds
    .filter((name) => name === kind || name === before)
    .map((name) => evidence[name].name)
  return new UserError({
    where: `record ${trial}`,
    what: `${method} on ${task} is ${evidence[kind].name}, but the records before it are ${evidence[before].name}: ${one} and ${other} numbers cannot be compared`,
    fix: `Report the ${one} and the ${other} run separately.`,
  })
}

function mixedFaultsError({ trial, method, task, faults }: TrialRecord): UserError {
  return new UserError({
    where: `record ${trial}`,
    what: `${method} on ${task} ran with ${faults === undefined ? 'no injected faults' : `injected faults (${faults})`}, unlike the records before it: they cannot be compared`,
    fix: 'Report runs with different --inject separately.',
  })
}

/** Sums over records, which it takes one by one. A part that no record has is null or has no rows. */
export interface RecordSums<Result> {
  add(record: TrialRecord): void
  result(): Result
}

/** The identity of a table row: a method, its agents, and their set if the run has several. */
export interface RowName {
  method: string
  agents: string
  set: string | null
}

/** Returns an empty list of rows. `empty` creates a row. */
export function createRows<Row extends RowName>(
  empty: (method: string, agents: string, set: string | null) => Row,
) {
  const rows: Row[] = []
  return {
    /** Returns the row of this name; creates it the first time. */
    of(method: string, agents: string, set: string | null): Row {
      const known = rows.find((row) => row.method === method && row.agents === agents && row.set === set)
      if (known) return known
      const added = empty(method, agents, set)
      rows.push(added)
      return added
    },
    all: () => [...rows],
    /** Returns the rows in the order of `methods`; rows of other methods come last. */
    inOrderOf(methods: readonly string[]): Row[] {
      const place = ({ method }: Row) => methods.indexOf(method) + 1 || methods.length + 1
      return [...rows].sort((a, b) => place(a) - place(b))
    },
  }
}
